package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// change is what is compared: two states of the files and the paths in which
// they differ.
type change struct {
	head       *repo.Tree
	headCommit repo.Commit // zero before the first commit
	base       tree        // nil when it can't be had; then baseNote says why
	baseCommit repo.Commit
	baseNote   string
	// files are the paths that differ; filesKnown says that they are all.
	files      []repo.Change
	filesKnown bool
	// committed is the commit of a work tree that differs from it, and dirty are
	// the paths in which it does.
	committed *repo.Tree
	dirty     map[string]bool
	notices   []summary.Notice
}

// tree is a state of the files that lists itself: a commit of the clone, or one
// behind the API.
type tree interface {
	fs.FS
	Files() []string
}

// findChange decides head and base: from the options where they say it, else
// from the event.
func findChange(ctx context.Context, r *repo.Repository, o Options) (*change, error) {
	if err := refuseUntrusted(o); err != nil {
		return nil, err
	}
	c := &change{}
	if err := c.findHead(r, o); err != nil {
		return nil, err
	}
	if len(o.Evidence) > 0 {
		c.baseNote = "evidence was named"
		return c, nil
	}
	base, note, err := c.findBase(ctx, r, o)
	if err != nil {
		return nil, err
	}
	if note != "" {
		c.baseNote = note
		if c.askGitHub(ctx, o); c.base == nil {
			c.notices = append(c.notices, c.missingBase(o))
		}
		return c, nil
	}
	c.baseCommit = base
	baseTree, err := r.CommitTree(base)
	if err != nil {
		return nil, infraError(fmt.Errorf("reading the base %s: %w", base.Hash, err))
	}
	if c.files, err = r.Diff(baseTree, c.head); err != nil {
		return nil, infraError(fmt.Errorf("comparing %s with the head: %w", base.Hash, err))
	}
	c.files = slices.DeleteFunc(c.files, func(f repo.Change) bool { return c.isOutput(f.Path, o) })
	c.base, c.filesKnown = baseTree, true
	return c, nil
}

// refuseUntrusted keeps the gate from running where a pull request's files meet
// the base's token and secrets.
func refuseUntrusted(o Options) error {
	if o.Event == nil || o.AllowUntrustedTrigger {
		return nil
	}
	switch o.Event.Name {
	case "pull_request_target", "workflow_run":
		return usageError(ReasonTrigger, "use the event pull_request; if you have read what the README says about it, set allow-untrusted-trigger: true",
			"the event %s runs with the base's token and secrets on files that anyone can write", o.Event.Name)
	}
	return nil
}

func baseNextStep(e *github.Event) string {
	if e == nil {
		return "give one, such as --base origin/main"
	}
	return "let actions/checkout fetch it (fetch-depth: 2 on pull_request, fetch-depth: 0 elsewhere), or set the input base"
}

func (c *change) findHead(r *repo.Repository, o Options) error {
	var err error
	if o.Head != "" {
		if c.headCommit, err = resolve(r, "head", o.Head); err != nil {
			return err
		}
		if c.head, err = r.CommitTree(c.headCommit); err != nil {
			return infraError(fmt.Errorf("reading the head %s: %w", c.headCommit.Hash, err))
		}
		return nil
	}
	if c.head, err = r.WorkTree(); err != nil {
		return infraError(fmt.Errorf("reading the work tree: %w", err))
	}
	if c.headCommit, err = r.Head(); errors.Is(err, repo.ErrNoCommits) {
		return nil
	} else if err != nil {
		return infraError(fmt.Errorf("reading HEAD: %w", err))
	}
	if c.head.Clean() {
		return nil
	}
	if c.committed, err = r.CommitTree(c.headCommit); err != nil {
		return infraError(fmt.Errorf("reading HEAD: %w", err))
	}
	edits, err := r.Diff(c.committed, c.head)
	if err != nil {
		return infraError(fmt.Errorf("comparing the work tree with HEAD: %w", err))
	}
	c.dirty = make(map[string]bool)
	for _, e := range edits {
		if !c.isOutput(e.Path, o) {
			c.dirty[e.Path] = true
		}
	}
	return nil
}

// isOutput reports whether a file of the work tree is one that the gate itself left
// in its folder for bundles: it is not committed, and no part of any change. Whatever
// else lies there counts.
func (c *change) isOutput(name string, o Options) bool {
	dir, base := path.Split(name)
	if dir != o.BundleDir+"/" {
		return false
	}
	switch base {
	case ReportFile, SummaryFile, JUnitFile, SARIFFile, PageFile, TimelineFile, SumsFile:
	default:
		if !strings.HasSuffix(base, ".tar.gz") && !strings.HasSuffix(base, ".tmp") {
			return false
		}
	}
	return c.headCommit.Hash == "" || c.committed != nil && !c.committed.Lists(name)
}

// findBase returns the base commit, or a note that says why there is none.
func (c *change) findBase(ctx context.Context, r *repo.Repository, o Options) (repo.Commit, string, error) {
	if o.Base != "" {
		base, err := resolve(r, "base", o.Base)
		if err != nil {
			return base, "", err
		}
		return c.forkPoint(ctx, r, base)
	}
	e := o.Event
	if e == nil {
		return repo.Commit{}, "none was given", nil
	}
	switch e.Name {
	case "pull_request", "pull_request_target":
		return c.pullRequestBase(ctx, r, e)
	case "merge_group":
		return c.eventBase(ctx, r, e.BaseSHA, "the merge group's base")
	case "push":
		if strings.Trim(e.Before, "0") == "" {
			return repo.Commit{}, "the push created this branch or tag", nil
		}
		return c.eventBase(ctx, r, e.Before, "the commit before the push")
	}
	return repo.Commit{}, "the event " + e.Name + " has none", nil
}

// pullRequestBase knows that on pull_request the checkout is the test merge
// commit, whose first parent is the base as it is now, so that no history
// beyond it is needed.
func (c *change) pullRequestBase(ctx context.Context, r *repo.Repository, e *github.Event) (repo.Commit, string, error) {
	if p := c.headCommit.Parents; len(p) == 2 && p[1] == e.HeadSHA {
		return c.present(r, p[0], "the first parent of the merge commit")
	}
	return c.eventBase(ctx, r, e.BaseSHA, "the pull request's base")
}

func (c *change) eventBase(ctx context.Context, r *repo.Repository, sha, what string) (repo.Commit, string, error) {
	base, note, err := c.present(r, sha, what)
	if err != nil || note != "" {
		return base, note, err
	}
	return c.forkPoint(ctx, r, base)
}

// present resolves a commit that the event names; its absence is a note, not an
// error, because nobody mistyped it.
func (c *change) present(r *repo.Repository, sha, what string) (repo.Commit, string, error) {
	if sha == "" {
		return repo.Commit{}, "the event does not name " + what, nil
	}
	base, err := r.Resolve(sha)
	if errors.Is(err, repo.ErrNoRevision) {
		note := what + " (" + short(sha) + ") is not in this clone"
		if n, shallow := r.Shallow(); shallow {
			note += fmt.Sprintf(", which is shallow (%d commits)", n)
		}
		return base, note, nil
	}
	if err != nil {
		return base, "", infraError(fmt.Errorf("reading %s: %w", sha, err))
	}
	return base, "", nil
}

// forkPoint is the merge base of base and head: what the base side did since
// is not this change's doing.
func (c *change) forkPoint(ctx context.Context, r *repo.Repository, base repo.Commit) (repo.Commit, string, error) {
	if c.headCommit.Hash == "" || base.Hash == c.headCommit.Hash {
		return base, "", nil
	}
	mb, err := r.MergeBase(ctx, base.Hash, c.headCommit.Hash)
	if errors.Is(err, repo.ErrNoMergeBase) {
		c.notices = append(c.notices, summary.Notice{
			Status: verify.Warn, Code: "no-merge-base",
			Message: "Base " + short(base.Hash) + " and head " + short(c.headCommit.Hash) +
				" have no common ancestor in this clone; compared with the base itself, so that changes made on the base may show as undone here",
			NextStep: "fetch more history (fetch-depth: 0)",
		})
		return base, "", nil
	}
	if ctx.Err() != nil {
		return base, "", interrupted(ctx.Err())
	}
	if err != nil {
		return base, "", infraError(fmt.Errorf("finding the merge base: %w", err))
	}
	return mb, "", nil
}

func resolve(r *repo.Repository, what, rev string) (repo.Commit, error) {
	commit, err := r.Resolve(rev)
	if errors.Is(err, repo.ErrNoRevision) {
		next := "check the spelling, or fetch it: git fetch origin " + rev
		if n, shallow := r.Shallow(); shallow {
			next = fmt.Sprintf("this clone is shallow (%d commits): git fetch --unshallow, or fetch-depth: 0 in actions/checkout", n)
		}
		return commit, usageError(ReasonNoRevision, next, "%s: %w", what, err)
	}
	if err != nil {
		return commit, infraError(fmt.Errorf("%s: %w", what, err))
	}
	return commit, nil
}

func short(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}
