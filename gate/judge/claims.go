package judge

import (
	"cmp"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// current reports whether evidence is parted into claims and records at all.
func (p *pass) current() bool { return p.At == "" || p.At == AtCurrent }

// standing are the FAILs of a base that counted there. The drift of what was a record on
// the base was none: when it describes the present again, its drift is news.
func (p *pass) standing(i int, r *verify.Result) failures {
	all := failuresOf(r)
	if r == nil || len(all) == 0 || len(r.Claims) == 0 || !p.current() {
		return all
	}
	f := &p.bases[i]
	if f.words == nil {
		f.words = make(words)
		for path, r := range f.results {
			f.words.add(path, r.Claims, p.Now)
		}
		f.words.addAll(p.head.held, p.Now)
	}
	by, whole := f.words.taken(r.Path, r.Claims)
	if whole || len(by) > 0 && !p.Strict {
		all = slices.DeleteFunc(all, func(c verify.Check) bool { return isDrift(Row{Check: c}) })
	}
	return all
}

// hearing is who says what, and who takes over from whom.
type hearing struct {
	newest words
	// unheard are the kinds of which a piece could not be read: a newer word may be there.
	unheard map[string]bool
	demoted map[*Account][]speaker // from the newest words to what they take over
}

// speaker is evidence that claims something.
type speaker struct {
	path   string
	claims []verify.Claim
}

func (p *pass) hear() hearing {
	h := hearing{make(words), make(map[string]bool), make(map[*Account][]speaker)}
	h.newest.addAll(p.head.held, p.Now)
	at := make(map[string]*Account)
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		if !e.Removed {
			at[e.Path] = e
			h.newest.add(e.Path, p.spoken(e), p.Now)
			h.unheard[e.Format.Kind()] = h.unheard[e.Format.Kind()] || e.Head.Lost != "" || e.BaseLost != ""
		}
	}
	for i := range p.out.Evidence {
		if e := &p.out.Evidence[i]; at[e.Path] == e {
			h.demote(speaker{e.Path, e.Head.Claims}, at)
		}
	}
	for path, claims := range p.head.held {
		h.demote(speaker{path, claims}, at)
	}
	for _, older := range h.demoted {
		slices.SortFunc(older, func(a, b speaker) int { return cmp.Compare(a.path, b.path) })
	}
	return h
}

// demote notes who takes over from older evidence.
func (h hearing) demote(older speaker, at map[string]*Account) {
	by, _ := h.newest.taken(older.path, older.claims)
	for _, w := range by {
		over := at[w.by] // nil for what is held, which is not new
		if all := h.demoted[over]; over != nil && (len(all) == 0 || all[len(all)-1].path != older.path) {
			h.demoted[over] = append(all, older)
		}
	}
}

// claims parts the evidence that describes the present from the records of the past. A
// report is the newest word on something or it is not; a record's inputs may have moved
// on, and that is no drift (DESIGN, section 1: claim, record).
func (p *pass) claims() {
	if !p.current() {
		return
	}
	h := p.hear()
	for p.Strict && p.refuseWeaker(h) {
		h = p.hear()
	}
	for i := range p.out.Evidence {
		if e := &p.out.Evidence[i]; !e.Removed && len(e.Head.Claims) > 0 {
			p.place(e, h)
		}
	}
	for by, older := range h.demoted {
		if p.isNew(by) {
			by.takesOver(older)
		}
	}
}

// place makes e a claim, a claim in part, or a record.
func (p *pass) place(e *Account, h hearing) {
	by, whole := h.newest.taken(e.Path, e.Head.Claims)
	if !whole && h.unheard[e.Format.Kind()] {
		e.unknown(0) // a newer word may be what could not be read
	}
	if len(by) == 0 {
		return
	}
	for _, w := range by {
		if !slices.Contains(e.Peers, w.by) {
			e.Peers = append(e.Peers, w.by)
		}
	}
	over := slices.MaxFunc(by, func(a, b word) int { return a.At.Compare(b.At) }).by
	switch {
	case !whole:
		p.partly(e, over)
	case p.isNew(e) && !p.heldOnce(e):
		// Evidence that this change adds is no record of what never was.
		p.settle(e, 0)
	default:
		e.Superseded = over
		e.demote(verify.Info, CodeSuperseded, "superseded by "+over+", the newer word on the same")
	}
}

// spoken are the claims with which e takes over from older evidence. What it claimed on
// the base it keeps, whatever became of its inputs; what is new here counts only when no
// row of it fails.
func (p *pass) spoken(e *Account) []verify.Claim {
	switch {
	case len(p.Bases) == 0 || !e.Own && e.Bases[0] != nil:
		return e.Head.Claims
	case !slices.ContainsFunc(e.Rows, func(r Row) bool { return r.Status == verify.Fail }):
		return e.Head.Claims
	case e.Bases[0] != nil:
		return e.Bases[0].Claims
	}
	return nil
}

// isNew reports whether this change adds e.
func (p *pass) isNew(e *Account) bool {
	return len(p.Bases) > 0 && e.Bases[0] == nil && !e.Removed
}

// drifted are the reason codes of an input that is not what was recorded.
var drifted = []string{"hash-differs", "input-missing", "not-compared"}

func isDrift(r Row) bool { return r.Status == verify.Fail && slices.Contains(drifted, r.Code) }

// demote gives every FAIL on an input that moved on a lower status.
func (e *Account) demote(to verify.Status, code, why string) {
	for k := range e.Rows {
		if row := &e.Rows[k]; isDrift(*row) {
			row.Status, row.Code, row.Attribution = to, code, ""
			row.Reason = verify.Shorten(why+"; "+row.Reason, verify.MaxValue)
		}
	}
}

// partly lowers the drift of a claim that was taken over in part. Strict mode fails on
// warnings, so there it stays what it is.
func (p *pass) partly(e *Account, over string) {
	if !p.Strict {
		e.demote(verify.Warn, CodeNotRerun, "not run again for all of its models; a part was taken over by "+over)
	}
}

// heldOnce reports whether the inputs of evidence that is new here hold on the base, or at
// the commit that it records, if not on the head.
func (p *pass) heldOnce(e *Account) bool {
	if !slices.ContainsFunc(e.Rows, isDrift) {
		return true
	}
	holds := func(tree *verify.Tree) bool {
		if tree == nil {
			return false
		}
		r := p.judgedIn(tree, e)
		return r != nil && !slices.ContainsFunc(r.Checks, func(c verify.Check) bool { return isDrift(Row{Check: c}) })
	}
	if holds(p.onBase(e)) {
		return true
	}
	if p.Then == nil {
		return false
	}
	then, _ := p.Then(p.ctx, p.Head.Tree, e.Head)
	return holds(then)
}

// judgedIn judges e, as it is on the head, in another tree; nil where that can't be told.
func (p *pass) judgedIn(tree *verify.Tree, e *Account) *verify.Result {
	en := verify.Engine{Now: p.Now, Strict: p.Strict, NoHints: true, Concurrency: 1}
	r := en.Verify(p.ctx, tree, []verify.Item{{Path: e.Path, Format: e.Format}})[0]
	if r.Lost != "" {
		p.seen = append(p.seen, r.Reads)
		return nil
	}
	return &r
}

// onBase is the base with e, and what it vouches for, as they are on the head.
func (p *pass) onBase(e *Account) *verify.Tree {
	return Overlay(p.Bases[0].Tree, p.Head.Tree, ownFiles(e.Head)...)
}

// ownFiles are the evidence and what it vouches for.
func ownFiles(r *verify.Result) []string {
	names := []string{r.Path}
	for _, in := range r.Inputs {
		if in.Subject {
			names = append(names, in.Path)
		}
	}
	return names
}
