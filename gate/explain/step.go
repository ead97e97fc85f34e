package explain

import (
	"strings"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// Step is one thing to do: a sentence, and the command for it, if there is one.
type Step struct {
	// Text says it, without a full stop.
	Text string
	// Argv is the command, one element a word; nil if there is none. The word "…" stands
	// for what only the reader knows.
	Argv []string
	// Into is the file that the command's output belongs in; empty for none.
	Into string
	// Discards says what the command throws away; empty if nothing.
	Discards string
}

// subject is the row that a step is about.
type subject struct {
	*judge.Account
	row         *judge.Row
	why         *verify.Why
	base, named string // the commit before the change, and how the reader named it; or empty
	// reportEdited says that this change touches the input, which is a report.
	reportEdited bool
}

// stepFor is the one thing to do about row k of e, chosen from the evidence; the zero Step
// when it does not fail. The tables that it goes by are in steps.go and reasons.go.
func (s Source) stepFor(e *judge.Account, why map[int]*verify.Why, k int) Step {
	row := &e.Rows[k]
	if row.Status != verify.Fail {
		return Step{}
	}
	if row.Code == "not-compared" {
		// There is no file to compare with: the row of its path says what to do.
		for i := range e.Rows {
			p := &e.Rows[i]
			if p.Field == strings.TrimSuffix(row.Field, ".hash")+".path" && p.Status == verify.Fail {
				return s.stepFor(e, why, i)
			}
		}
	}
	names, ok := stepsOf(row.Code)
	switch {
	case ok:
	case row.Hint != "" || len(row.Command) > 0:
		return Step{Text: row.Hint, Argv: row.Command}
	case e.Format.Kind() == "bundle":
		// Accepting a bundle that breaks its own rules would help nobody.
		names = []string{"bundle"}
	case e.Head.Unchecked != "":
		names = []string{"repair"}
	}
	about := subject{e, row, why[k], s.Base.Hash, s.Named, row.Input != "" && s.changed(row.Input) != ""}
	for _, name := range names {
		if step, ok := stepsByName[name].make(about); ok {
			return step
		}
	}
	return Step{Text: "correct what stands at " + row.Location.String()}
}

// AcceptedStep is what to do about a FAIL of the file that accepts drift.
func AcceptedStep(row judge.Row) Step {
	e := &judge.Account{Head: &verify.Result{}, Format: noFormat{}, Rows: []judge.Row{row}}
	return Source{}.stepFor(e, nil, 0)
}

type noFormat struct{ verify.Format }

func (noFormat) Kind() string { return "accepted-drift" }
