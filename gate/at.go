package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// atRecorded judges the evidence again with the inputs of the commit that it
// records, and takes over what o.At says: all of that, or what holds there and
// not in the tree. Evidence whose commit can't be had keeps its result, and says
// so.
func atRecorded(ctx context.Context, r *repo.Repository, c *change, s *scope, head *verify.Tree, results []verify.Result, o Options) {
	trees := make(map[string]*verify.Tree) // by commit
	for i := range results {
		res := &results[i]
		if s.targets[i].removed != nil || res.Recording.Commit == "" {
			continue
		}
		then, why := treeAt(r, head, trees, res)
		if then == nil {
			status := verify.Warn
			if o.At == "either" && res.Count(verify.Fail) == 0 {
				status = verify.Info // nothing hangs on it
			}
			res.Checks = append(res.Checks, verify.Check{
				Field: "at", Status: status, Code: "commit-unavailable",
				Reason:   "inputs were checked in the tree: " + why,
				Recorded: res.Recording.Commit, Location: verify.Location{Path: res.Path},
			})
			continue
		}
		item := verify.Item{Path: res.Path, Format: s.targets[i].format, Now: o.judgedAt(c, res.Path)}
		at := verify.Engine{Strict: o.Strict}.Verify(ctx, then, []verify.Item{item})[0]
		switch {
		case o.At == "recorded":
			*res = noteAt(at, "inputs were checked at the recorded commit")
			s.targets[i].then = then
		case res.Count(verify.Fail) > 0 && at.Count(verify.Fail) < res.Count(verify.Fail):
			*res = noteAt(at, "inputs hold at the recorded commit, and not in the tree")
			s.targets[i].then = then
		}
	}
}

// noteAt adds where the inputs were checked.
func noteAt(r verify.Result, what string) verify.Result {
	reason, status := what, verify.Info
	if d := r.Recording.Dirty; d != nil && *d {
		status = verify.Warn
		reason += ", which was not quite the state of the run (git_dirty)"
	}
	r.Checks = append(r.Checks, verify.Check{
		Field: "at", Status: status, Code: "recorded-commit", Reason: reason,
		Recorded: r.Recording.Commit, Location: verify.Location{Path: r.Path},
	})
	return r
}

// treeAt is the recorded commit's tree with the evidence and its report as they
// are now.
func treeAt(r *repo.Repository, head *verify.Tree, trees map[string]*verify.Tree, res *verify.Result) (*verify.Tree, string) {
	id := res.Recording.Commit
	now := map[string]bool{res.Path: true}
	for _, in := range res.Inputs {
		if in.Place == verify.PlaceReport {
			now[in.Path] = true
		}
	}
	commit, err := r.Resolve(id)
	if err != nil {
		why := "the recorded commit is not in this repository"
		if n, shallow := r.Shallow(); shallow && errors.Is(err, repo.ErrNoRevision) {
			why = fmt.Sprintf("the recorded commit is not in this shallow clone (%d commits)", n)
		}
		return nil, why
	}
	then, ok := trees[id]
	if !ok {
		files, err := r.CommitTree(commit)
		if err != nil {
			return nil, "the recorded commit can't be read: " + err.Error()
		}
		then = head.Sibling(files)
		trees[id] = then
	}
	return head.Sibling(&mixed{now: head.FS(), then: then.FS(), isNow: now, files: then.Files()}), ""
}

// mixed is one tree with some files of another.
type mixed struct {
	now, then fs.FS
	isNow     map[string]bool
	files     []string
}

func (m *mixed) from(name string) fs.FS {
	if m.isNow[name] {
		return m.now
	}
	return m.then
}

func (m *mixed) Open(name string) (fs.File, error)     { return m.from(name).Open(name) }
func (m *mixed) Stat(name string) (fs.FileInfo, error) { return fs.Stat(m.from(name), name) }

// Files are those of the recorded commit: what evidence looks for is its inputs.
func (m *mixed) Files() []string { return m.files }
