package gate

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/decide"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/summary"
)

// Standalone is the report on evidence that is compared with nothing: what verify and
// bundle check print. failOn is the policy, "any" or "never", and note says why there is no
// base.
func Standalone(o Options, failOn, note string, evidence []judge.Account) *summary.Report {
	o.Scope, o.FailOn = "all", failOn
	j := &judge.Judgement{Evidence: slices.Clone(evidence)}
	for i := range j.Evidence {
		e := &j.Evidence[i]
		if e.Rows == nil {
			for _, c := range e.Head.Checks {
				e.Rows = append(e.Rows, judge.Row{Check: c})
			}
		}
		e.Rows = slices.Clone(e.Rows)
		for k := range e.Rows {
			e.Rows[k].Attribution = "" // there is nothing that it could be attributed to
		}
	}
	slices.SortStableFunc(j.Evidence, func(a, b judge.Account) int { return strings.Compare(a.Path, b.Path) })
	x := &run{Options: o, change: &change.Change{BaseNote: note, WorkTree: true}, judged: j}
	x.lines.change = x.change
	x.shown = scope(j, "all")
	x.explained = explain.Steps(j)
	x.decided = decide.Decide(j, decide.Policy{FailOn: failOn}, decide.Acceptances{})
	r := x.report()
	r.Scope.Mode = "named"
	return r
}
