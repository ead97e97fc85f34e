package gate

import (
	"context"

	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/decide"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// Standing is what a run found and decided, before it is told to anybody: it is for commands
// that answer a question about evidence. Unless explanations were asked for, it may hold
// secrets of the tree.
type Standing struct {
	// Evidence is what was judged, and Outcomes what was decided on each piece.
	Evidence []judge.Account
	Outcomes []decide.Outcome
	// Why explains the rows, by evidence and row; nil unless it was asked for.
	Why []map[int]*verify.Why
	// Accepted is the drift that people live with, nil for none.
	Accepted *accepted.List
	// Unpinned are results that nothing ties to what they were made from.
	Unpinned []pin.Suggestion
	Notices  []summary.Notice
}

// Stand judges all evidence and decides, as [Run] does, and neither bundles nor shows
// anything. why asks for explanations. An error is always an *[Error].
func Stand(ctx context.Context, o Options, why bool) (*Standing, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	r, err := open(o.Root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x, err := o.begin(ctx, r)
	if err != nil {
		return nil, err
	}
	x.judged = judge.Judge(ctx, x.question())
	x.shown = scope(x.judged, "all")
	s := &Standing{Evidence: x.judged.Evidence}
	if why {
		s.Why = explain.Explain(ctx, x.source(), x.judged, x.shown).Why
	}
	acceptances := x.acceptances()
	x.decided = decide.Decide(x.judged, x.policy(), acceptances)
	s.Outcomes, s.Accepted, s.Notices = x.decided.Evidence, acceptances.List, x.notices()
	s.Unpinned = pin.Unpinned(x.head.Aside(), vouched(x.judged))
	if why { // somebody is told
		s.Evidence = Veiled(ctx, s.Evidence)
	}
	if err := ctx.Err(); err != nil {
		return nil, reason.Interrupted(err)
	}
	return s, nil
}

// vouched reports of a file whether evidence vouches for it.
func vouched(j *judge.Judgement) func(string) bool {
	known := make(map[string]bool)
	for _, e := range j.Evidence {
		// An output of promptfoo vouches for its prompts alone.
		known[e.Path] = e.Format.Kind() != (pin.Promptfoo{}).Kind()
		for _, in := range e.Head.Inputs {
			if in.Subject {
				known[in.Path] = true
			}
		}
	}
	return func(path string) bool { return known[path] }
}
