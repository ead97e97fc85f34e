package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// compare makes the account of each piece of evidence: paired with its version on every
// base, each FAIL attributed.
func (p *pass) compare() {
	known := make([]map[*verify.Reads]bool, len(p.Bases))
	for i := range known {
		known[i] = make(map[*verify.Reads]bool)
	}
	for path, r := range p.head.results {
		e := Account{Path: path, Format: p.head.formats[path], Head: r, Tree: cmp.Or(p.head.then[path], p.Head.Tree), Bases: make([]*verify.Result, len(p.bases)), raw: p.head.raw[path]}
		for i := range p.bases {
			at := p.pairedWith(i, path)
			if at == "" {
				continue
			}
			e.Bases[i] = p.bases[i].results[at]
			if at != path {
				e.OldPath = at
			}
		}
		p.pairs(&e)
		p.touch(&e, known)
		p.attribute(&e)
		if note, ok := p.head.notes[path]; ok {
			e.Rows = append(e.Rows, Row{Check: note})
		}
		p.out.Evidence = append(p.out.Evidence, e)
	}
	slices.SortFunc(p.out.Evidence, func(a, b Account) int { return strings.Compare(a.Path, b.Path) })
}

// pairs takes note of what could not be had to find the pair of e: then nothing that seems
// new is known to be, nor anything that seems gone.
func (p *pass) pairs(e *Account) {
	for _, reads := range p.seen {
		if lost, ok := reads.Lost(); ok && p.unpaired == "" {
			p.unpaired = lost.Name + ": " + lost.Why
		}
	}
	p.seen = nil
	if len(p.Bases) > 0 && e.Bases[0] == nil && p.unpaired != "" {
		e.BaseLost = p.unpaired
	}
}

// pairedWith is the path on base i of the evidence that lies at path on the head: the same
// one, or that from which it was renamed, if it still records the same run. It is empty
// for new evidence.
func (p *pass) pairedWith(i int, path string) string {
	base := &p.bases[i]
	if base.results[path] != nil {
		return path
	}
	kind := p.head.formats[path].Kind()
	old := p.Bases[i].Renamed[path]
	if old != "" && base.results[old] != nil && base.formats[old].Kind() == kind && p.sameRun(i, old, path) {
		return old
	}
	return p.movedFrom(i, path)
}

// touch notes what of the change affects e.
func (p *pass) touch(e *Account, known []map[*verify.Reads]bool) {
	switch {
	case len(p.Bases) == 0:
		e.Affected = "the base is unknown"
		return
	case e.OldPath != "":
		e.Affected, e.Own = "it was renamed from "+e.OldPath, true
		return
	}
	own := verify.Read{Op: verify.OpFile, Name: e.Path}
	for i, b := range p.Bases {
		if what := b.Differs(own); what != "" || e.Bases[i] == nil {
			e.Affected, e.Own = "it was changed", true
			if e.Bases[i] == nil {
				e.Affected = "it was added"
			}
			return
		}
		if e.Head.Reads.Any(known[i], func(r verify.Read) bool { return b.Differs(r) != "" }) {
			e.Affected = p.affectedBy(e, i)
			if e.Affected != "" {
				return
			}
		}
	}
}

// affectedBy says what that e rests on differs on base i: an input that it lists, or else
// anything that was read, if the verdict is another one there. What was only looked at, such
// as the other fixtures of a suite, affects nothing while the verdict stays.
func (p *pass) affectedBy(e *Account, i int) string {
	b := p.Bases[i]
	for _, in := range e.Head.Inputs {
		if what := b.Differs(verify.Read{Op: verify.OpFile, Name: in.Path, Outcome: verify.Found}); what != "" && in.Path != "" {
			return what
		}
	}
	if slices.EqualFunc(e.Head.Checks, e.Bases[i].Checks, sameCheck) {
		return ""
	}
	for _, r := range e.Head.Reads.All() {
		if what := b.Differs(r); what != "" {
			return what
		}
	}
	return ""
}

func sameCheck(a, b verify.Check) bool {
	return a.Field == b.Field && a.Status == b.Status && a.Code == b.Code && a.Recorded == b.Recorded && a.Observed == b.Observed
}

// attribute turns the checks of the head into rows. A FAIL that every base has, of the same
// field and for the same reason, is pre-existing; any other is introduced; one that only a
// base has is fixed (DESIGN, section 2).
func (p *pass) attribute(e *Account) {
	e.Rows = make([]Row, len(e.Head.Checks))
	for k, c := range e.Head.Checks {
		e.Rows[k].Check = c
	}
	before := make([]failures, len(e.Bases))
	for i, b := range e.Bases {
		before[i] = p.standing(i, b)
		if b != nil && b.Lost != "" && b != e.Head && e.BaseLost == "" {
			e.BaseLost = b.Lost
		}
	}
	unknown := e.BaseLost != "" || e.Head.Lost != "" || len(e.Bases) == 0
	for k := range e.Rows {
		row := &e.Rows[k]
		if row.Status != verify.Fail {
			continue
		}
		row.attribute(before, unknown)
	}
	if len(before) > 0 && e.BaseLost == "" {
		e.fixed(before[0])
	}
	p.baseUnread(e)
}

// attribute says whose a FAIL is, by what failed on each base.
func (r *Row) attribute(before []failures, unknown bool) {
	switch everywhere, changed := takeFromAll(before, r.Check); {
	case unknown:
		r.Attribution = verify.Unknown
	case !everywhere:
		r.Attribution = verify.Introduced
	default:
		r.Attribution = verify.PreExisting
		if changed {
			r.Reason += ChangedAgain
		}
	}
}

// takeFromAll takes the failure that is c's from each base: everywhere says that all had
// it, and changed that one of them observed another value.
func takeFromAll(before []failures, c verify.Check) (everywhere, changed bool) {
	everywhere = true
	for i := range before {
		was, ok := before[i].take(c)
		everywhere = everywhere && ok
		changed = changed || ok && was.Observed != c.Observed
	}
	return everywhere, changed
}

// ChangedAgain ends the reason of a FAIL that is pre-existing and looks another way now.
const ChangedAgain = "; it failed before, and was changed again here"

// fixed adds what failed on the base and no longer does.
func (e *Account) fixed(before failures) {
	for _, c := range before {
		k := slices.IndexFunc(e.Rows, func(r Row) bool { return r.Field == c.Field && r.Status != verify.Fail && r.Attribution == "" })
		if k >= 0 {
			e.Rows[k].Attribution = verify.Fixed
			continue
		}
		if slices.ContainsFunc(e.Rows, func(r Row) bool { return r.Field == c.Field && r.Status == verify.Fail }) {
			continue // it fails for another reason now: that is no repair
		}
		e.Rows = append(e.Rows, Row{
			Check: verify.Check{
				Field: c.Field, Status: verify.OK,
				Reason:   verify.Shorten("no longer fails; on the base: "+c.Reason, verify.MaxValue),
				Location: verify.Location{Path: e.Path},
			},
			Attribution: verify.Fixed,
		})
	}
}

// baseUnread makes evidence unchecked whose own version on a base could not be read and is
// not proven the same: nobody knows what it recorded there.
func (p *pass) baseUnread(e *Account) {
	if e.BaseLost == "" {
		return
	}
	if p.out.BaseLost == "" {
		p.out.BaseLost = e.BaseLost
	}
	unread := func(why string) {
		rows := verify.Rows{Path: e.Path}
		rows.Fail("base", verify.Spot{}, CodeBaseUnreadable, why)
		e.Rows = append(e.Rows, Row{Check: rows.Checks[0], Attribution: verify.Unknown})
	}
	if e.Bases[0] == nil && p.unpaired != "" {
		unread("what it was on the base can't be found: " + p.unpaired)
		return
	}
	for _, b := range e.Bases {
		if b == nil || b == e.Head || b.Lost == "" {
			continue
		}
		own := func(r verify.Read) bool { return r.Outcome == verify.Lost && r.Name == b.Path }
		if b.Reads.Any(nil, own) {
			unread("what it recorded on the base can't be read: " + b.Lost)
			return
		}
	}
}

// CodeBaseUnreadable is the reason code of evidence whose version on the base could not be
// had.
const CodeBaseUnreadable = "base-unreadable"

// failures are the FAILs of a base that nothing was matched with yet.
type failures []verify.Check

func failuresOf(r *verify.Result) failures {
	var fs failures
	if r != nil {
		for _, c := range r.Checks {
			if c.Status == verify.Fail {
				fs = append(fs, c)
			}
		}
	}
	return fs
}

// take removes the first failure of the same field for the same reason as c, one with the
// same observed value before any other.
func (fs *failures) take(c verify.Check) (verify.Check, bool) {
	same := func(b verify.Check) bool { return b.Field == c.Field && b.Code == c.Code }
	i := slices.IndexFunc(*fs, func(b verify.Check) bool { return same(b) && b.Observed == c.Observed })
	if i < 0 {
		i = slices.IndexFunc(*fs, same)
	}
	if i < 0 {
		return verify.Check{}, false
	}
	was := (*fs)[i]
	*fs = slices.Delete(*fs, i, i+1)
	return was, true
}
