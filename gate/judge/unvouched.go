package judge

import (
	"cmp"
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

// maxVouched bounds a file that may speak of evidence, in bytes: a report that is read by
// people is smaller.
const maxVouched = 4 << 20

// unvouched looks for files that speak of evidence which is not there, such as a report with
// the replay block of a run and no sidecar. One that this change brings or edits fails; one
// that lay there before is a warning.
func (p *pass) unvouched() {
	if p.Named != nil {
		return
	}
	listed := make(map[string]bool)
	folders := make(map[string]bool)
	for _, e := range p.out.Evidence {
		listed[e.Path] = true // also what was removed, which has a row of its own
		folders[path.Dir(e.Path)] = true
	}
	for name := range p.head.held {
		listed[name] = true
		folders[path.Dir(name)] = true
	}
	for _, k := range p.Kinds {
		v, ok := k.Format.(verify.Vouched)
		if !ok {
			continue
		}
		at := matcherOf(v.VouchedPatterns())
		for _, name := range p.Head.Tree.Aside().Files() {
			if !at.matches(name) {
				continue
			}
			here := p.editedHere(name)
			// Old reports are looked for where evidence lies: not each page of a large site.
			if !here && !folders[path.Dir(name)] {
				continue
			}
			data, err := p.noted(p.Head.Tree).ReadFile(name, maxVouched)
			if err != nil {
				p.unheard(k.Format, name)
				continue // no report that anybody could check
			}
			if of := v.VoucherOf(name, data); of != "" && !listed[of] {
				p.accuse(k.Format, name, of, here)
			}
		}
	}
}

func (p *pass) accuse(format verify.Format, name, of string, here bool) {
	rows := verify.Rows{Path: name}
	status := verify.Warn
	if here || p.Strict {
		status = verify.Fail
	}
	rows.Add(status, "report", verify.Spot{}, CodeUnvouched, "speaks of a recorded run, and there is no evidence of it at "+of).Input = name
	r := &verify.Result{Path: name, Kind: format.Kind(), Checks: rows.Checks}
	e := Account{Path: name, Format: format, Head: r, Tree: p.Head.Tree, Bases: make([]*verify.Result, len(p.Bases)), Rows: []Row{{Check: rows.Checks[0]}}}
	if status == verify.Fail {
		e.Rows[0].Attribution = verify.Introduced
		if !here {
			e.Rows[0].Attribution = verify.PreExisting
		}
	}
	if here {
		e.Affected, e.Own = cmp.Or(p.Bases[0].Differs(verify.Read{Op: verify.OpFile, Name: name, Outcome: verify.Found}), "it was changed"), true
	}
	p.out.Evidence = append(p.out.Evidence, e)
}

// editedHere reports whether the change brings or edits a file.
func (p *pass) editedHere(name string) bool {
	return len(p.Bases) > 0 && p.Bases[0].Differs(verify.Read{Op: verify.OpFile, Name: name, Outcome: verify.Found}) != ""
}

// unheard fails a file that may speak of evidence and could not be had.
func (p *pass) unheard(format verify.Format, name string) {
	e := Account{Path: name, Format: format, Head: &verify.Result{Path: name, Kind: format.Kind()}, Tree: p.Head.Tree, Bases: make([]*verify.Result, len(p.Bases))}
	if p.settle(&e, 0); len(e.Rows) > 0 {
		p.out.Evidence = append(p.out.Evidence, e)
	}
}

// OfNothing reports whether this is a file that speaks of evidence which is not there. It is
// shown as evidence is, and there is nothing to bundle.
func (e *Account) OfNothing() bool {
	return len(e.Rows) == 1 && e.Rows[0].Code == CodeUnvouched
}
