package gate

import (
	"context"
	"errors"

	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/explain/timeline"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// Timeline makes the timeline of the commit that is checked out, from all evidence
// in it. What lies in the work tree does not count. maxCommits bounds the commits
// visited for one input; 0 means [repo.DefaultMaxCommits]. An error is always an
// *[Error].
func Timeline(ctx context.Context, root string, maxCommits int, o timeline.Options) (*verify.Timeline, error) {
	r, err := repo.Open(root)
	if err != nil {
		return nil, timelineError(err)
	}
	defer r.Close()
	head, err := r.Head()
	if err != nil {
		return nil, timelineError(err)
	}
	fsys, err := r.CommitTree(head)
	if err != nil {
		return nil, timelineError(err)
	}
	tree := verify.NewTree(fsys)
	s, _, err := change.ReadSettings(tree, Formats())
	if err != nil {
		return nil, &Error{Exit: ExitUsage, Reason: reason.Parse, Err: err, NextStep: "mend the file; docs/schema describes it"}
	}
	j := judge.Judge(ctx, judge.Question{
		Head: judge.Side{Tree: tree}, Kinds: kindsOf(change.Settings{Settings: s}, nil), Now: head.When,
	})
	results := make([]verify.Result, len(j.Evidence))
	for i := range j.Evidence {
		results[i] = *j.Evidence[i].Head
	}
	o.Recall = explain.Recall(j)
	t, err := timeline.New(r, r.Histories(head, repo.HistoryOptions{MaxCommits: maxCommits}), o).Build(ctx, results)
	if err != nil {
		return nil, timelineError(err)
	}
	veilTimeline(ctx, t, j.Evidence)
	return t, nil
}

func timelineError(err error) error {
	switch {
	case errors.Is(err, repo.ErrNotRepository):
		return reason.Usage(reason.NoRepo, "run it inside a git work tree, or name one with --root", "%w", err)
	case errors.Is(err, repo.ErrNoCommits):
		return reason.Usage(reason.InvalidArgs, "commit the evidence first", "%w", err)
	case errors.Is(err, timeline.ErrNotPinned):
		return reason.Usage(reason.InvalidArgs, "run replay-gate timeline to see the inputs; paths count from the root of the repository", "%w", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return reason.Interrupted(err)
	}
	return &Error{Exit: ExitInfra, Reason: reason.IO, Err: err, NextStep: "run git fsck, then run it again"}
}
