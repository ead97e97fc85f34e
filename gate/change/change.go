// Package change says what is compared: the head, the states before the change, in what
// they differ, and whose settings count.
//
// A change comes from a GitHub event or from flags, and is found in a local repository:
//
//	c, err := change.Find(ctx, change.Options{Repo: r, Base: "origin/main", Formats: formats, Clock: now})
//	if err != nil {
//		return err // could not be found; see reason.Error
//	}
//	fmt.Println(c.Bases[0].Differs(verify.Read{Op: verify.OpFile, Name: "tokens/x.yml"}))
//
// Three rules keep it honest. A base that can't be had is said, never guessed. What this
// clone lacks of either side is fetched where there is a server to ask, before anything is
// judged. And the base's settings count, so that a pull request can't loosen its own gate:
// what it changes about them applies after the merge.
package change

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// Options say which change is meant.
type Options struct {
	Repo *repo.Repository
	// Base is the revision to compare with; when empty, the event decides, and without one
	// the upstream of the branch, or else origin's HEAD. Head is the revision to check; empty
	// means the work tree.
	Base, Head string
	// Event is what started the run; nil for a local run.
	Event *github.Event
	// AllowUntrustedTrigger accepts events that run with the base's secrets on somebody
	// else's files.
	AllowUntrustedTrigger bool
	// NoBase says that nothing is to be compared, and why.
	NoBase string
	// Fetch brings the files of commits that this clone lacks; nil where there is no
	// server to ask.
	Fetch func(ctx context.Context, commits ...string) error
	// Formats are the kinds of evidence that settings may be about.
	Formats []verify.Format
	// ConfigFrom says whose .replay-gate.yml counts: "base", or "head".
	ConfigFrom string
	// Own reports whether an uncommitted file is one that the gate itself left.
	Own func(path string) bool
	// Clock is the time now.
	Clock time.Time
}

// Change is what is compared. Its trees are those of the repository, and are closed with
// it.
type Change struct {
	Head *repo.Snapshot
	// HeadCommit is the commit that the head is, or that is checked out below it; zero
	// before the first one.
	HeadCommit repo.Commit
	// WorkTree says that the head is the work tree.
	WorkTree bool
	// Committed is HeadCommit's tree if the work tree differs from it, else nil; Dirty are
	// the paths in which it does.
	Committed *repo.Snapshot
	Dirty     map[string]bool

	// Bases are the states before the change, the best first: several where history has
	// several merge bases. BaseNote says why there is none.
	Bases    []Base
	BaseNote string
	// BaseMeant says that there is something to compare with, had or not.
	BaseMeant bool

	// Settings are those that count, with the globs of both sides.
	Settings Settings
	// Accepted is the text of the head's accepted drift, nil for none, and AcceptedBefore
	// that of the base.
	Accepted, AcceptedBefore []byte

	// Now is the one time that both sides are judged at: that of the head commit, held
	// between the base's and the clock; the clock for what is not committed.
	Now     time.Time
	Notices []verify.Notice
	// Own reports whether a path of the head is the gate's own output, and no part of any
	// change.
	Own func(path string) bool
}

// Base is one state before the change.
type Base struct {
	Commit repo.Commit
	Tree   *repo.Snapshot
	*Delta
}

// Find decides head and base, from the options where they say it, else from the event. An
// error is always a *[reason.Error].
func Find(ctx context.Context, o Options) (*Change, error) {
	if err := refuseUntrusted(o); err != nil {
		return nil, err
	}
	f := finder{Options: o, Change: new(Change)}
	if err := f.findHead(ctx); err != nil {
		return nil, err
	}
	if err := f.findBases(ctx); err != nil {
		return nil, err
	}
	if err := f.findSettings(); err != nil {
		return nil, err
	}
	f.findNow()
	f.Change.Own = f.own
	return f.Change, nil
}

// finder is one search for a change.
type finder struct {
	Options
	*Change
}

// refuseUntrusted keeps the gate from running where a pull request's files meet
// the base's token and secrets.
func refuseUntrusted(o Options) error {
	if o.Event == nil || o.AllowUntrustedTrigger {
		return nil
	}
	switch o.Event.Name {
	case "pull_request_target", "workflow_run":
		return reason.Usage(reason.Trigger, "use the event pull_request; if you have read what the README says about it, set allow-untrusted-trigger: true",
			"the event %s runs with the base's token and secrets on files that anyone can write", o.Event.Name)
	}
	return nil
}

// findHead opens the head. What a commit lacks in this clone is fetched.
func (f *finder) findHead(ctx context.Context) error {
	var err error
	if f.Options.Head != "" {
		if f.HeadCommit, err = f.resolve("head", f.Options.Head); err != nil {
			return err
		}
		if f.Change.Head, err = f.tree(ctx, f.HeadCommit); err != nil {
			return reason.Infra(fmt.Errorf("reading the head %s: %w", f.HeadCommit.Hash, err))
		}
		return nil
	}
	f.WorkTree = true
	if f.Change.Head, err = f.Repo.WorkTree(); err != nil {
		return reason.Infra(fmt.Errorf("reading the work tree: %w", err))
	}
	if f.HeadCommit, err = f.Repo.Head(); errors.Is(err, repo.ErrNoCommits) {
		return nil
	} else if err != nil {
		return reason.Infra(fmt.Errorf("reading HEAD: %w", err))
	}
	if f.Change.Head.Clean() {
		return nil
	}
	if f.Committed, err = f.Repo.CommitTree(f.HeadCommit); err != nil {
		return reason.Infra(fmt.Errorf("reading HEAD: %w", err))
	}
	edits, err := f.Repo.Diff(f.Committed, f.Change.Head)
	if err != nil {
		return reason.Infra(fmt.Errorf("comparing the work tree with HEAD: %w", err))
	}
	f.Dirty = make(map[string]bool)
	for _, e := range edits {
		if !f.own(e.Path) {
			f.Dirty[e.Path] = true
		}
	}
	return nil
}

// own reports whether a path of the work tree is the gate's own output: not committed,
// and no part of any change.
func (f *finder) own(path string) bool {
	return f.WorkTree && f.Options.Own != nil && f.Options.Own(path) &&
		(f.HeadCommit.Hash == "" || f.Committed != nil && !f.Committed.Lists(path))
}

// tree is the tree of a commit. One that this clone has not, or not all of, is fetched.
func (f *finder) tree(ctx context.Context, c repo.Commit) (*repo.Snapshot, error) {
	t, err := f.Repo.CommitTree(c)
	if f.Fetch == nil || err == nil && !f.Repo.Lacks(t) || err != nil && !errors.Is(err, repo.ErrMissingObject) {
		return t, err
	}
	if fetchErr := f.Fetch(ctx, c.Hash); fetchErr != nil {
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Warn, Code: "not-fetched",
			Message:  "This clone lacks files of commit " + Short(c.Hash) + ", and they could not be fetched: " + fetchErr.Error(),
			NextStep: "let actions/checkout fetch them (fetch-depth: 2, and no filter)",
		})
		return t, err
	}
	return f.Repo.CommitTree(c)
}

// maxNear bounds the references that are suggested for a misspelt one.
const maxNear = 3

func (f *finder) resolve(what, rev string) (repo.Commit, error) {
	commit, err := f.Repo.Resolve(rev)
	if errors.Is(err, repo.ErrNoRevision) {
		next := "check the spelling, or fetch it: git fetch origin " + rev
		if near := config.Near(rev, f.Repo.Names(), maxNear); len(near) > 0 {
			next = "did you mean " + strings.Join(near, " or ") + "?"
		}
		if n, shallow := f.Repo.Shallow(); shallow {
			next = fmt.Sprintf("this clone is shallow (%d commits): git fetch --unshallow, or fetch-depth: 0 in actions/checkout", n)
		}
		return commit, reason.Usage(reason.NoRevision, next, "%s: %w", what, err)
	}
	if err != nil {
		return commit, reason.Infra(fmt.Errorf("%s: %w", what, err))
	}
	return commit, nil
}

// findNow decides the one time for both sides. A clock that is behind a base is wrong: what
// is recorded there would lie in the future.
func (f *finder) findNow() {
	clock := f.Clock
	for _, b := range f.Bases {
		if clock.Before(b.Commit.When) {
			clock = b.Commit.When
		}
	}
	f.Now = clock
	if f.HeadCommit.Hash == "" || len(f.Dirty) > 0 {
		return
	}
	f.Now = f.HeadCommit.When
	for _, b := range f.Bases {
		if f.Now.Before(b.Commit.When) {
			f.Now = b.Commit.When
		}
	}
	if f.Now.After(clock) {
		f.Now = clock
	}
}

// Short abbreviates a commit id for a reader.
func Short(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}
