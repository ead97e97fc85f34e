package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// findBases finds the commits to compare with, and how the head differs from each.
func (f *finder) findBases(ctx context.Context) error {
	commits, note, err := f.baseCommits(ctx)
	if err != nil {
		return err
	}
	if note != "" {
		f.BaseNote = note
		if f.NoBase == "" {
			f.Notices = append(f.Notices, verify.Notice{
				Status: verify.Warn, Code: "base-missing", NextStep: baseNextStep(f.Event),
				Message: "No base to compare with: " + note + ". All evidence is checked, and every FAIL counts as introduced",
			})
		}
		return nil
	}
	for _, c := range commits {
		t, err := f.tree(ctx, c)
		if err != nil {
			return reason.Infra(fmt.Errorf("reading the base %s: %w", c.Hash, err))
		}
		files, err := f.Repo.DiffContext(ctx, t, f.Change.Head)
		differ, err2 := f.Repo.Differing(ctx, t, f.Change.Head)
		if ctx.Err() != nil {
			return reason.Interrupted(ctx.Err())
		}
		if err := errors.Join(err, err2); err != nil {
			return reason.Infra(fmt.Errorf("comparing %s with the head: %w", c.Hash, err))
		}
		f.Bases = append(f.Bases, Base{Commit: c, Tree: t, Delta: newDelta(t, f.Change.Head, files, differ, f.own)})
	}
	return nil
}

// baseCommits returns the commits to compare with, or a note that says why there is none.
func (f *finder) baseCommits(ctx context.Context) ([]repo.Commit, string, error) {
	if f.NoBase != "" {
		return nil, f.NoBase, nil
	}
	if f.Base != "" {
		f.BaseMeant = true
		base, err := f.resolve("base", f.Base)
		if err != nil {
			return nil, "", err
		}
		return f.forkPoints(ctx, base)
	}
	e := f.Event
	if e == nil {
		return f.defaultBase(ctx)
	}
	f.BaseMeant = true
	switch e.Name {
	case "pull_request", "pull_request_target":
		return f.pullRequestBase(ctx, e)
	case "merge_group":
		return f.eventBase(ctx, e.BaseSHA, "the merge group's base")
	case "push":
		if strings.Trim(e.Before, "0") == "" {
			f.BaseMeant = false
			return nil, "the push created this branch or tag", nil
		}
		return f.eventBase(ctx, e.Before, "the commit before the push")
	}
	f.BaseMeant = false
	return nil, "the event " + e.Name + " has none", nil
}

// defaultBase is what a local run is compared with when nobody says: the upstream of the
// branch, or else origin's HEAD. Which it was is said.
func (f *finder) defaultBase(ctx context.Context) ([]repo.Commit, string, error) {
	branch := ""
	if f.Options.Head != "" && f.Repo.HasBranch(f.Options.Head) {
		branch = f.Options.Head
	}
	ref, ok := f.Repo.Upstream(branch)
	if !ok {
		return nil, "none was given, and the branch has no upstream, nor origin a HEAD", nil
	}
	base, err := f.Repo.Resolve(ref)
	if err != nil {
		return nil, "none was given, and " + ref + " can't be read: " + err.Error(), nil
	}
	f.BaseMeant = true
	commits, note, err := f.forkPoints(ctx, base)
	if err == nil && note == "" {
		name := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/")
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Info, Code: "default-base",
			Message: "Comparing with " + name + " (its merge base " + Short(commits[0].Hash) + "), because --base names nothing else",
		})
	}
	return commits, note, err
}

// pullRequestBase knows that on pull_request the checkout is the test merge
// commit, whose first parent is the base as it is now, so that no history
// beyond it is needed.
func (f *finder) pullRequestBase(ctx context.Context, e *github.Event) ([]repo.Commit, string, error) {
	if p := f.HeadCommit.Parents; len(p) == 2 && p[1] == e.HeadSHA {
		base, note, err := f.present(ctx, p[0], "the first parent of the merge commit")
		if err != nil || note != "" {
			return nil, note, err
		}
		return []repo.Commit{base}, "", nil
	}
	return f.eventBase(ctx, e.BaseSHA, "the pull request's base")
}

func (f *finder) eventBase(ctx context.Context, sha, what string) ([]repo.Commit, string, error) {
	base, note, err := f.present(ctx, sha, what)
	if err != nil || note != "" {
		return nil, note, err
	}
	return f.forkPoints(ctx, base)
}

// present resolves a commit that the event names, and fetches it if it must; its absence is
// a note, not an error, because nobody mistyped it.
func (f *finder) present(ctx context.Context, sha, what string) (repo.Commit, string, error) {
	if sha == "" {
		return repo.Commit{}, "the event does not name " + what, nil
	}
	base, err := f.Repo.Resolve(sha)
	if errors.Is(err, repo.ErrNoRevision) {
		note := what + " (" + Short(sha) + ") is not in this clone"
		if n, shallow := f.Repo.Shallow(); shallow {
			note += fmt.Sprintf(", which is shallow (%d commits)", n)
		}
		if f.Fetch == nil {
			return base, note, nil
		}
		if err := f.Fetch(ctx, sha); err != nil {
			return base, note + ", and could not be fetched: " + err.Error(), nil
		}
		base, err = f.Repo.Resolve(sha)
	}
	if err != nil {
		return base, "", reason.Infra(fmt.Errorf("reading %s: %w", sha, err))
	}
	return base, "", nil
}

// forkPoints are the merge bases of base and head: what the base side did since
// is not this change's doing.
func (f *finder) forkPoints(ctx context.Context, base repo.Commit) ([]repo.Commit, string, error) {
	if f.HeadCommit.Hash == "" || base.Hash == f.HeadCommit.Hash {
		return []repo.Commit{base}, "", nil
	}
	found, err := f.Repo.MergeBases(ctx, base.Hash, f.HeadCommit.Hash)
	if ctx.Err() != nil {
		return nil, "", reason.Interrupted(ctx.Err())
	}
	if errors.Is(err, repo.ErrNoMergeBase) || err == nil && len(found) == 0 {
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Warn, Code: "no-merge-base",
			Message: "Base " + Short(base.Hash) + " and head " + Short(f.HeadCommit.Hash) +
				" have no common ancestor in this clone; compared with the base itself, so that changes made on the base may show as undone here",
			NextStep: "fetch more history (fetch-depth: 0)",
		})
		return []repo.Commit{base}, "", nil
	}
	if err != nil {
		return nil, "", reason.Infra(fmt.Errorf("finding the merge base: %w", err))
	}
	return found, "", nil
}

func baseNextStep(e *github.Event) string {
	if e == nil {
		return "give one, such as --base origin/main, or let git know one: git remote set-head origin --auto"
	}
	if e.BaseSHA == "" { // there is nothing that could be fetched
		return "set the input base, such as origin/main with fetch-depth: 0, if there is something to compare with"
	}
	return "let actions/checkout fetch it (fetch-depth: 2 on pull_request, fetch-depth: 0 elsewhere), or set the input base"
}
