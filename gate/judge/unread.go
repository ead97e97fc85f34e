package judge

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// noted is a view of a tree for what a relation reads: what can't be had is then known, and
// the relation is neither taken to hold nor to fail (DESIGN, section 2: unreadable is not
// absent).
func (p *pass) noted(t *verify.Tree) *verify.Tree {
	view, reads := t.Noting()
	p.seen = append(p.seen, reads)
	return view
}

// settle ends the relations of e, whose rows from the first on are theirs: if something could
// not be had for them, nothing is known of who brought what, and the evidence is unchecked.
func (p *pass) settle(e *Account, first int) {
	seen := p.seen
	p.seen = nil
	for _, reads := range seen {
		lost, ok := reads.Lost()
		if !ok {
			continue
		}
		e.unknown(first)
		if !slices.ContainsFunc(e.Rows, func(r Row) bool { return r.Code == CodeBaseUnreadable }) && (e.Removed || e.Head.Lost == "") {
			e.add(verify.Fail, "base", verify.Location{}, CodeBaseUnreadable, "can't be compared with the base: %s: %s", lost.Name, lost.Why).Attribution = verify.Unknown
		}
		return
	}
}

// unknown takes back who brought the FAILs from the first on.
func (e *Account) unknown(first int) {
	for k := first; k < len(e.Rows); k++ {
		if e.Rows[k].Attribution == verify.Introduced {
			e.Rows[k].Attribution = verify.Unknown
		}
	}
}

// unlisted takes back every attribution when a tree could not be listed: nobody knows then
// what evidence there is on that side.
func (p *pass) unlisted() {
	if p.out.Lost == "" {
		return
	}
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		for k := range e.Rows {
			if e.Rows[k].Status == verify.Fail {
				e.Rows[k].Attribution = verify.Unknown
			}
		}
	}
}
