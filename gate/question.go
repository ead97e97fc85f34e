package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// question is what is to be judged.
func (x *run) question() judge.Question {
	c := x.change
	q := judge.Question{
		Head: judge.Side{Tree: x.head, Unusable: c.Head.Unusable()}, Kinds: x.kinds(),
		Now: c.Now, Strict: x.Strict, Brief: x.Scope != "all" && len(x.Evidence) == 0,
		Moved: c.Settings.Moved, At: judge.At(x.At), Then: x.then(),
		Held: explain.Held(x.source()), Secret: func(text string) bool { return secrets.Has(text, secrets.All) }, Progress: x.Progress, Ignore: c.Own,
	}
	// What git ignores is found by its name alone.
	unlisted := func(path string) bool { return !c.Head.Lists(path) }
	if len(x.Evidence) > 0 && (!x.Whole || slices.ContainsFunc(x.Evidence, unlisted)) {
		q.Named = x.Evidence
	}
	for i, b := range c.Bases {
		q.Bases = append(q.Bases, judge.Base{
			Side:    judge.Side{Tree: x.bases[i], Unusable: b.Tree.Unusable()},
			Differs: moving(b.Differs, c.Settings.Moved), Renamed: b.Renamed,
		})
	}
	return q
}

// kinds are the formats with the globs that are in force on either side.
func (x *run) kinds() []judge.Kind {
	if x.placed == nil {
		x.placed = judge.Place(kindsOf(x.change.Settings, x.Sidecars), append([]*verify.Tree{x.head}, x.bases...)...)
	}
	return x.placed
}

func kindsOf(s change.Settings, sidecars []string) []judge.Kind {
	var kinds []judge.Kind
	for _, f := range s.Formats {
		k := judge.Kind{Format: f}
		own, ok := s.Evidence[f.Kind()]
		if f.Kind() == "ahd" && len(sidecars) > 0 {
			own, ok = sidecars, true // the action's inputs win
		}
		if k.Globs = own; ok {
			k.Configured = own
		} else {
			k.Globs = f.Patterns()
		}
		other := s.Other[f.Kind()]
		k.Globs = slices.Concat(k.Globs, other)
		k.Configured = slices.Concat(k.Configured, other)
		kinds = append(kinds, k)
	}
	return kinds
}

func claimed(kinds []judge.Kind, path string) bool {
	return slices.ContainsFunc(kinds, func(k judge.Kind) bool { return k.At(path) })
}

// then gives the tree of the commit that evidence records, with the evidence and its
// report as they are now.
func (x *run) then() func(ctx context.Context, now *verify.Tree, r *verify.Result) (*verify.Tree, string) {
	trees := make(map[string]*verify.Tree)
	fetched := make(map[string]bool)
	return func(ctx context.Context, now *verify.Tree, r *verify.Result) (*verify.Tree, string) {
		if r.Recording.Commit == "" {
			return nil, "the evidence records no commit"
		}
		commit, err := x.repo.Resolve(r.Recording.Commit)
		if fetch := x.fetcher(x.repo); errors.Is(err, repo.ErrNoRevision) && fetch != nil && len(fetched) < maxFetched && !fetched[r.Recording.Commit] {
			fetched[r.Recording.Commit] = true
			if fetch(ctx, r.Recording.Commit) == nil { // else it is not here, and why is said below
				commit, err = x.repo.Resolve(r.Recording.Commit)
			}
		}
		if err != nil {
			why := "the recorded commit is not in this repository"
			if n, shallow := x.repo.Shallow(); shallow && errors.Is(err, repo.ErrNoRevision) {
				why = fmt.Sprintf("the recorded commit is not in this shallow clone (%d commits)", n)
			}
			return nil, why
		}
		tree, ok := trees[commit.Hash]
		if !ok {
			files, err := x.repo.CommitTree(commit)
			if err != nil {
				return nil, "the recorded commit can't be read: " + err.Error()
			}
			tree = x.head.Sibling(files)
			trees[commit.Hash] = tree
		}
		names := []string{r.Path}
		for _, in := range r.Inputs {
			if in.Place == verify.PlaceReport || in.Subject {
				names = append(names, in.Path)
			}
		}
		return judge.Overlay(tree, now, names...), ""
	}
}

// maxFetched bounds the recorded commits that are fetched, two requests for each.
const maxFetched = 20

// fetcher brings what the clone lacks over the network; nil where there is no server.
func (o Options) fetcher(r *repo.Repository) func(context.Context, ...string) error {
	if o.Fetch == nil {
		return nil
	}
	return func(ctx context.Context, commits ...string) error { return o.Fetch(ctx, r, commits...) }
}

// aliased shows a tree in which what was moved can be opened by the path that evidence
// recorded, where that is gone.
func aliased(t fs.StatFS, moved map[string]string) fs.FS {
	if len(moved) == 0 {
		return t
	}
	return alias{t, moved}
}

type alias struct {
	fs.StatFS
	moved map[string]string
}

func (a alias) at(name string) string {
	to, ok := a.moved[name]
	if !ok {
		return name
	}
	if _, err := a.StatFS.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return to
	}
	return name
}

func (a alias) Open(name string) (fs.File, error)     { return a.StatFS.Open(a.at(name)) }
func (a alias) Stat(name string) (fs.FileInfo, error) { return a.StatFS.Stat(a.at(name)) }

func (a alias) ReadRegular(name string, limit int64) ([]byte, error) {
	return verify.ReadRegular(a.StatFS, a.at(name), limit)
}

// Files are those of the tree.
func (a alias) Files() []string { return a.StatFS.(interface{ Files() []string }).Files() }

// moving answers for a path that was moved with what happened to the place it leads to,
// too.
func moving(differs func(verify.Read) string, moved map[string]string) func(verify.Read) string {
	if len(moved) == 0 {
		return differs
	}
	return func(r verify.Read) string {
		if what := differs(r); what != "" {
			return what
		}
		if to, ok := moved[r.Name]; ok && r.Op == verify.OpFile {
			r.Name = to
			return differs(r)
		}
		return ""
	}
}
