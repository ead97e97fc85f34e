// Package decide makes a verdict of what was found: the one place where an exit code is
// chosen.
//
//	d := decide.Decide(judgement, decide.Policy{FailOn: "introduced"}, decide.Acceptances{List: list})
//	os.Exit(d.Exit)
//
// It is pure. What fails is what the judgement says fails, less what people have accepted;
// what that does to the run is the policy's. Drift that fails the policy exits 1 even when
// other evidence could not be checked: a finding is certain, and a reader acts on it first.
package decide

import (
	"fmt"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/verify"
)

// Policy is what makes a finding fail the run.
type Policy struct {
	FailOn string // introduced, any, never; empty is introduced
	// Kinds replaces FailOn for single kinds of evidence.
	Kinds map[string]string
	// NoBase says that there is a base, and it could not be had.
	NoBase bool
}

// Fails reports whether a row of evidence of a kind makes a run fail. Ageing is nobody's
// change, so what is stale is charged to every change, where the settings ask for it.
func (p Policy) Fails(kind string, row judge.Row) bool {
	if row.Status != verify.Fail {
		return false
	}
	failOn := p.FailOn
	if own, ok := p.Kinds[kind]; ok {
		failOn = own
	}
	switch failOn {
	case "never":
		return false
	case "any":
		return true
	}
	return row.Attribution != verify.PreExisting || row.Code == codeStale
}

const codeStale = "stale"

// Decision is the verdict on a run, and what it does.
type Decision struct {
	Verdict verify.Verdict
	// Exit is the exit code; Reason and Message explain one that is not 0.
	Exit    int
	Reason  string
	Message string
	// Evidence is what was decided on each piece, in the judgement's order.
	Evidence []Outcome
	// Accepting is what is to be said about the file that accepts drift, and Added names
	// the entries that the change adds to it.
	Accepting []judge.Row
	Added     []string
	// Accepted counts the rows that were accepted.
	Accepted int
}

// Outcome is what was decided on one piece of evidence.
type Outcome struct {
	Verdict verify.Verdict
	// Rows are those of the judgement, with what was accepted as a warning.
	Rows []judge.Row
	// Fails says which of Rows fail the run.
	Fails []bool
}

// class is what a failing row does to the exit code.
type class int

const (
	none class = iota
	unchecked
	lost
	drift
)

// Decide applies acceptances and policy.
func Decide(j *judge.Judgement, p Policy, a Acceptances) *Decision {
	d := &Decision{Verdict: verify.Intact, Evidence: make([]Outcome, len(j.Evidence))}
	failing := make(map[class]int)
	a.against(j)
	for i := range j.Evidence {
		e := &j.Evidence[i]
		o := &d.Evidence[i]
		o.Rows = a.apply(e, d)
		o.Fails = make([]bool, len(o.Rows))
		o.Verdict = verdictOf(e, o.Rows)
		d.Verdict = worse(d.Verdict, o.Verdict)
		for k, row := range o.Rows {
			if o.Fails[k] = p.Fails(e.Format.Kind(), row); o.Fails[k] {
				failing[classOf(e, row)]++
			}
		}
	}
	d.Accepting, d.Added = a.file()
	for _, row := range d.Accepting {
		if row.Status == verify.Fail {
			d.Verdict = worse(d.Verdict, verify.Drift)
			if p.Fails("accepted-drift", row) {
				failing[drift]++
			}
		}
	}
	d.conclude(j, failing, p)
	return d
}

// conclude chooses the exit code.
func (d *Decision) conclude(j *judge.Judgement, failing map[class]int, p Policy) {
	switch {
	case failing[drift] > 0:
		d.Exit, d.Reason = reason.ExitDrift, reason.Drift
		d.Message = fmt.Sprintf("%s under the policy fail-on=%s", fields(failing[drift]), p.FailOn)
	case j.Lost != "" && p.FailOn != "never":
		d.Verdict = worse(d.Verdict, verify.Unchecked)
		d.Exit, d.Reason = reason.ExitInfra, reason.Lost
		d.Message = "the files could not be listed, so nobody knows what evidence there is: " + j.Lost
	case failing[lost] > 0:
		d.Exit, d.Reason = reason.ExitInfra, reason.Lost
		d.Message = "some evidence could not be checked, because files could not be read"
	case failing[unchecked] > 0:
		d.Exit, d.Reason = reason.ExitUsage, reason.Unchecked
		d.Message = "some evidence could not be checked"
	case p.NoBase && p.FailOn != "never":
		d.Verdict = worse(d.Verdict, verify.Unchecked)
		d.Exit, d.Reason = reason.ExitInfra, reason.NoBase
		d.Message = "nothing fails, but there was no base to compare with, so nobody knows what this change did to the evidence"
	}
}

func fields(n int) string {
	if n == 1 {
		return "1 field fails"
	}
	return fmt.Sprintf("%d fields fail", n)
}

// verdictOf is the outcome for one piece of evidence.
func verdictOf(e *judge.Account, rows []judge.Row) verify.Verdict {
	v := verify.Intact
	for _, row := range rows {
		if row.Status != verify.Fail {
			continue
		}
		if classOf(e, row) == drift {
			return verify.Drift
		}
		v = verify.Unchecked
	}
	return v
}

// classOf tells drift from what could not be checked, and why it could not.
func classOf(e *judge.Account, row judge.Row) class {
	switch {
	case row.Code == judge.CodeBaseUnreadable, !e.Removed && e.Head.Lost != "":
		return lost
	case row.Code == judge.CodeRewritten, row.Code == judge.CodeRemoved, row.Code == judge.CodeElsewhere, row.Code == judge.CodeAmbiguous, row.Code == judge.CodeRedated:
		return drift
	case !e.Removed && e.Head.Unchecked != "":
		return unchecked
	}
	return drift
}

// worse is the verdict that matters more: drift is certain.
func worse(a, b verify.Verdict) verify.Verdict {
	rank := map[verify.Verdict]int{verify.Intact: 0, verify.Unchecked: 1, verify.Drift: 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}
