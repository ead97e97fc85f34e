package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// verdictOf is the outcome for one piece of evidence.
func verdictOf(e *summary.Evidence) summary.Verdict {
	switch {
	case e.Unchecked != "":
		return summary.Unchecked
	case e.Counts.Fail > 0:
		return summary.Drift
	}
	return summary.Intact
}

// Decide applies the policy: it sets verdict, exit code, reason code, message
// and next step, and sorts the evidence so that what matters comes first.
//
// Drift that fails the policy exits 1 even when other evidence could not be
// checked: a finding is certain, and a reader acts on it first.
func Decide(r *summary.Report) {
	r.Verdict, r.Counts = summary.Intact, summary.Counts{}
	failing := map[summary.Verdict]int{}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		e.Counts = count(e.Fields)
		e.Verdict = verdictOf(e)
		r.Counts = add(r.Counts, e.Counts)
		if e.Verdict == summary.Drift || (e.Verdict == summary.Unchecked && r.Verdict == summary.Intact) {
			r.Verdict = e.Verdict
		}
		for _, f := range e.Fields {
			if r.Policy.Failing(e.Kind, f) {
				failing[e.Verdict]++
			}
		}
	}
	slices.SortStableFunc(r.Evidence, func(a, b summary.Evidence) int {
		return cmp.Or(cmp.Compare(rank(r.Policy, &a), rank(r.Policy, &b)), cmp.Compare(a.Path, b.Path))
	})
	r.ExitCode, r.ReasonCode, r.Message, r.NextStep = ExitIntact, "", "", ""
	switch {
	case failing[summary.Drift] > 0:
		r.ExitCode, r.ReasonCode = ExitDrift, ReasonDrift
		r.Message = fmt.Sprintf("%s under the policy fail-on=%s", fields(failing[summary.Drift]), r.Policy.FailOn)
		r.NextStep = cmp.Or(firstStep(r), "restore the input, or re-run the recorded command and commit the new evidence")
	case failing[summary.Unchecked] > 0:
		r.ExitCode, r.ReasonCode = ExitUsage, ReasonUnchecked
		r.Message = "some evidence could not be checked"
		r.NextStep = cmp.Or(firstStep(r), "repair the evidence, or use a release of replay-gate that knows its schema version")
	}
}

func fields(n int) string {
	if n == 1 {
		return "1 field fails"
	}
	return fmt.Sprintf("%d fields fail", n)
}

// rank orders evidence: 0 fails the policy, 1 fails otherwise, 2 warns, 3 holds.
func rank(p summary.Policy, e *summary.Evidence) int {
	best := 3
	for _, f := range e.Fields {
		switch {
		case p.Failing(e.Kind, f):
			return 0
		case f.Status == verify.Fail:
			best = min(best, 1)
		case f.Status == verify.Warn:
			best = min(best, 2)
		}
	}
	return best
}

// firstStep is what to do about the first failing field.
func firstStep(r *summary.Report) string {
	for _, e := range r.Evidence {
		for _, f := range e.Fields {
			if r.Policy.Failing(e.Kind, f) {
				step := cmp.Or(f.NextStep, f.Hint)
				if step == "" {
					return ""
				}
				return e.Path + ", " + f.Field + ": " + step
			}
		}
	}
	return ""
}
