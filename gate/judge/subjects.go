package judge

import (
	"bytes"

	"github.com/replay-gate/replay-gate/verify"
)

// subjects compares what evidence vouches for with its version on the base: a published
// number that was edited while the recorded run stays is not that run's.
func (p *pass) subjects(e *Evidence) {
	c, ok := e.Format.(verify.SubjectComparer)
	if !ok || len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	if e.Own {
		old := e.Path
		if e.OldPath != "" {
			old = e.OldPath
		}
		if !p.sameRun(0, old, e.Path) {
			return // another run: its numbers may be others
		}
	}
	before := make(map[string]string) // role -> path on the base
	for _, in := range e.Bases[0].Inputs {
		if in.Subject && !in.Missing {
			before[in.Role] = in.Path
		}
	}
	for _, in := range e.Head.Inputs {
		old := before[in.Role]
		if !in.Subject || in.Missing || old == "" {
			continue
		}
		was, err1 := p.noted(p.Bases[0].Tree).ReadFile(old, verify.MaxInput)
		is, err2 := p.noted(p.Head.Tree).ReadFile(in.Path, verify.MaxInput)
		if err1 != nil || err2 != nil || bytes.Equal(was, is) {
			continue
		}
		for _, check := range c.CompareSubject(in.Path, was, is) {
			check.Location.Path, check.Input = in.Path, in.Path
			row := Row{Check: check}
			if check.Status == verify.Fail {
				row.Attribution = verify.Introduced
			}
			e.Rows = append(e.Rows, row)
		}
	}
}
