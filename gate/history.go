package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/gate/since"
	"github.com/replay-gate/replay-gate/gate/timeline"
	"github.com/replay-gate/replay-gate/summary"
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
	items, err := Discover(tree)
	if err != nil {
		return nil, err
	}
	results := verify.Engine{Now: head.When, NoHints: true}.Verify(ctx, tree, items)
	t, err := timeline.New(r, r.Histories(head, repo.HistoryOptions{MaxCommits: maxCommits}), o).Build(ctx, results)
	if err != nil {
		return nil, timelineError(err)
	}
	return t, nil
}

func timelineError(err error) error {
	switch {
	case errors.Is(err, repo.ErrNotRepository):
		return usageError(ReasonNoRepo, "run it inside a git work tree, or name one with --root", "%w", err)
	case errors.Is(err, repo.ErrNoCommits):
		return usageError(ReasonInvalidArgs, "commit the evidence first", "%w", err)
	case errors.Is(err, timeline.ErrNotPinned):
		return usageError(ReasonInvalidArgs, "run replay-gate timeline to see the inputs; paths count from the root of the repository", "%w", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return interrupted(err)
	}
	return &Error{Exit: ExitInfra, Reason: ReasonIO, Err: err, NextStep: "run git fsck, then run it again"}
}

// drawHistory is the timeline of the commit that is checked out, if an input of
// some evidence drifted; nil when there is none to draw. It is a picture beside
// the verdict, so what keeps it from being drawn is no failure of the run.
func drawHistory(ctx context.Context, r *summary.Report, o Options) *verify.Timeline {
	drifted := slices.ContainsFunc(r.Evidence, func(e summary.Evidence) bool {
		return slices.ContainsFunc(e.Fields, func(f summary.Field) bool { return f.Why != nil })
	})
	if !drifted {
		return nil
	}
	t, err := Timeline(ctx, o.Root, o.HistoryCommits, timeline.Options{MaxTime: o.HistoryTime})
	if err != nil || len(t.Lanes) == 0 {
		return nil
	}
	return t
}

// past tells, for bundles, what the history of one commit says of the inputs of
// evidence in it. The answers depend on that history alone, so that every clone that
// has all of it gives a bundle the same bytes.
type past struct {
	ctx   context.Context // ends when the time for all bundles is over
	since *since.Finder
	lanes *timeline.Builder
}

// newPast returns the past of the commit of head; nil where there is none, or some
// of its history is missing. The histories start there; uncommitted says that head is
// a work tree.
func newPast(ctx context.Context, r *repo.Repository, head *repo.Tree, uncommitted bool, histories *repo.Histories) *past {
	if histories.From().Hash == "" || !r.WholeHistory() {
		return nil
	}
	if histories.MaxCommits() != repo.DefaultMaxCommits {
		// How much of the history is told must not depend on the run's options.
		histories = r.Histories(histories.From(), repo.HistoryOptions{})
	}
	return &past{
		ctx:   ctx,
		since: since.New(r, head, histories, since.Options{HistoryOnly: true, MaxTime: -1}),
		lanes: timeline.New(r, histories, timeline.Options{Uncommitted: uncommitted, NoGaps: true, MaxTime: -1}),
	}
}

// tell notes in e why its inputs drifted, and returns their timeline. It is nil,
// and e stays as it was, when the time is over, or the clone has lost objects.
func (p *past) tell(e *summary.Evidence, res verify.Result, tree *verify.Tree) (*verify.Timeline, error) {
	if p == nil {
		return nil, nil
	}
	told := *e
	told.Fields = slices.Clone(e.Fields)
	explainEvidence(p.ctx, p.since, &told, tree)
	t, err := p.lanes.Build(p.ctx, []verify.Result{res})
	lost := errors.Is(err, repo.ErrMissingObject) || slices.ContainsFunc(told.Fields, func(f summary.Field) bool {
		return f.Why != nil && f.Why.Case == verify.CaseUnavailable
	})
	switch {
	case p.ctx.Err() != nil, lost:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the history of its inputs: %w", err)
	}
	*e = told
	return t, nil
}
