package judge

import (
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// The reason codes of the relations between evidence and its past.
const (
	CodeRewritten  = "rewritten"          // the same run, another recorded value
	CodeRedated    = "redated"            // another run, with the traces of the old one
	CodeRemoved    = "removed"            // evidence on the base, none on the head
	CodeElsewhere  = "resolved-elsewhere" // a recorded path leads to another file
	CodeGone       = "input-missing"      // what evidence was checked against is not there any more
	CodeMoved      = "moved"              // the same, because the file was moved
	CodeAmbiguous  = "ambiguous"          // a recorded path of new evidence could lead to several files
	CodeSuperseded = "superseded"         // a record's input moved on
	CodeNotRerun   = "not-rerun"          // a claim that is taken over in part
	CodeUnvouched  = "unvouched"          // a report that speaks of evidence which is not there
	CodeTakesOver  = "takes-over"         // what new evidence makes a record of
	CodeWeaker     = "weaker"             // with less behind it than what it takes over
)

// relate judges what a verdict rests on besides one file. Each relation is one rule for
// every kind.
func (p *pass) relate() {
	p.readRecords()
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		first := len(e.Rows)
		p.recorded(e)
		p.unproven(e)
		p.vanished(e)
		p.copied(e)
		p.elsewhere(e)
		p.gone(e)
		p.subjects(e)
		p.settle(e, first)
	}
	p.removed()
	p.unvouched()
	if p.Strict {
		p.out.failRelations()
	}
	p.claims()
	p.unlisted()
}

// add adds a row about what the change did: it is the change's, where it fails.
func (e *Account) add(status verify.Status, field string, at verify.Location, code, format string, args ...any) *Row {
	if at.Path == "" {
		at.Path = e.Path
	}
	row := Row{Check: verify.Check{
		Field: verify.Shorten(field, verify.MaxValue), Status: status, Code: code,
		Reason: verify.Shorten(fmt.Sprintf(format, args...), verify.MaxValue), Location: at,
	}}
	if status == verify.Fail {
		row.Attribution = verify.Introduced
	}
	e.Rows = append(e.Rows, row)
	return &e.Rows[len(e.Rows)-1]
}

// relations are the warnings of this package that strict mode fails on, before claims are
// heard: what fails takes over nothing. There [pass.refuseWeaker] does it for CodeWeaker.
// What depends on how deep the clone is, or on which evidence is newest, is none of them.
var relations = []string{CodeRemoved, CodeElsewhere, CodeRedated}

func (j *Judgement) failRelations() {
	for i := range j.Evidence {
		for k := range j.Evidence[i].Rows {
			row := &j.Evidence[i].Rows[k]
			if row.Status == verify.Warn && slices.Contains(relations, row.Code) {
				row.Status, row.Attribution = verify.Fail, verify.Introduced
				row.Reason += " (a warning; strict mode fails on it)"
			}
		}
	}
}
