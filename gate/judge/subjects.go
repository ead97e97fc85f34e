package judge

import (
	"bytes"
	"cmp"

	"github.com/replay-gate/replay-gate/verify"
)

// subjects compares what evidence vouches for with its version on the base: a published
// number that was edited while the recorded run stays is not that run's.
func (p *pass) subjects(e *Account) {
	c, ok := e.Format.(verify.SubjectComparer)
	if !ok || len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	if e.Own && !p.sameRun(0, cmp.Or(e.OldPath, e.Path), e.Path) {
		return // another run: its numbers may be others
	}
	before := make(map[string]string) // role -> path on the base
	for _, in := range e.Bases[0].Inputs {
		if in.Subject && !in.Missing {
			before[in.Role] = in.Path
		}
	}
	for _, in := range e.Head.Inputs {
		if old := before[in.Role]; in.Subject && !in.Missing && old != "" {
			p.subject(e, c, old, in.Path)
		}
	}
}

// subject adds a row for each edit that matters of what lay at old on the base, and lies at
// path now.
func (p *pass) subject(e *Account, c verify.SubjectComparer, old, path string) {
	was, err1 := p.noted(p.Bases[0].Tree).ReadFile(old, verify.MaxInput)
	is, err2 := p.noted(p.Head.Tree).ReadFile(path, verify.MaxInput)
	if err1 != nil || err2 != nil || bytes.Equal(was, is) {
		return
	}
	for _, check := range c.CompareSubject(path, was, is) {
		check.Location.Path, check.Input = path, path
		row := Row{Check: check}
		if check.Status == verify.Fail {
			row.Attribution = verify.Introduced
		}
		e.Rows = append(e.Rows, row)
	}
}
