package judge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// word is one claim of one piece of evidence.
type word struct {
	verify.Claim
	by string // the path of the evidence
}

// words are the newest word on each thing.
type words map[string]word

// add lets the evidence at path speak. What is said of the future is not yet a word.
func (ws words) add(path string, claims []verify.Claim, now time.Time) {
	for _, c := range claims {
		if c.At.IsZero() || c.At.After(now) && !now.IsZero() {
			continue
		}
		for _, key := range slices.Compact([]string{c.About, c.Topic}) {
			w, ok := ws[key]
			// Of two words of one time that of the first path counts: on both sides the same.
			if key != "" && (!ok || c.At.After(w.At) || c.At.Equal(w.At) && path < w.by) {
				ws[key] = word{c, path}
			}
		}
	}
}

// over is the word that took over the claim c of the evidence at path. A backfilled claim,
// which pins a state of git and no run, gives way to any newer run of its topic.
func (ws words) over(path string, c verify.Claim) (word, bool) {
	w, ok := ws[c.About]
	if (!ok || !w.At.After(c.At)) && c.Backfilled {
		w, ok = ws[c.Topic]
	}
	return w, ok && w.by != path && w.At.After(c.At)
}

// taken lists the words that took over claims, one for each that was; all says that none
// is left.
func (ws words) taken(path string, claims []verify.Claim) (by []word, all bool) {
	for _, c := range claims {
		if w, ok := ws.over(path, c); ok {
			by = append(by, w)
		}
	}
	return by, len(by) > 0 && len(by) == len(claims)
}

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
	}
	by, whole := f.words.taken(r.Path, r.Claims)
	if whole || len(by) > 0 && !p.Strict {
		all = slices.DeleteFunc(all, func(c verify.Check) bool { return isDrift(Row{Check: c}) })
	}
	return all
}

// claims parts the evidence that describes the present from the records of the past. A
// report is the newest word on something or it is not; a record's inputs may have moved
// on, and that is no drift (DESIGN, section 1: claim, record).
func (p *pass) claims() {
	if !p.current() {
		return
	}
	newest, at, unheard := make(words), make(map[string]*Evidence), make(map[string]bool)
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		if !e.Removed {
			at[e.Path] = e
			newest.add(e.Path, p.spoken(e), p.Now)
			unheard[e.Format.Kind()] = unheard[e.Format.Kind()] || e.Head.Lost != "" || e.BaseLost != ""
		}
	}
	demoted := make(map[*Evidence][]*Evidence)
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		if e.Removed || len(e.Head.Claims) == 0 {
			continue
		}
		by, whole := newest.taken(e.Path, e.Head.Claims)
		if !whole && unheard[e.Format.Kind()] {
			e.unknown(0) // a newer word may be what could not be read
		}
		if len(by) == 0 {
			continue
		}
		for _, w := range by {
			if !slices.Contains(e.Peers, w.by) {
				e.Peers = append(e.Peers, w.by)
			}
			if older := demoted[at[w.by]]; !slices.Contains(older[max(0, len(older)-1):], e) {
				demoted[at[w.by]] = append(older, e)
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
	for by, older := range demoted {
		if p.isNew(by) {
			by.takesOver(older)
		}
	}
}

// spoken are the claims with which e takes over from older evidence. What it claimed on
// the base it keeps, whatever became of its inputs; what is new here counts only when no
// row of it fails.
func (p *pass) spoken(e *Evidence) []verify.Claim {
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
func (p *pass) isNew(e *Evidence) bool {
	return len(p.Bases) > 0 && e.Bases[0] == nil && !e.Removed
}

// drifted are the reason codes of an input that is not what was recorded.
var drifted = []string{"hash-differs", "input-missing", "not-compared"}

func isDrift(r Row) bool { return r.Status == verify.Fail && slices.Contains(drifted, r.Code) }

// demote gives every FAIL on an input that moved on a lower status.
func (e *Evidence) demote(to verify.Status, code, why string) {
	for k := range e.Rows {
		if row := &e.Rows[k]; isDrift(*row) {
			row.Status, row.Code, row.Attribution = to, code, ""
			row.Reason = verify.Shorten(why+"; "+row.Reason, verify.MaxValue)
		}
	}
}

// partly lowers the drift of a claim that was taken over in part. Strict mode fails on
// warnings, so there it stays what it is.
func (p *pass) partly(e *Evidence, over string) {
	if !p.Strict {
		e.demote(verify.Warn, CodeNotRerun, "not run again for all of its models; a part was taken over by "+over)
	}
}

// heldOnce reports whether the inputs of evidence that is new here hold on the base, or at
// the commit that it records, if not on the head.
func (p *pass) heldOnce(e *Evidence) bool {
	if !slices.ContainsFunc(e.Rows, isDrift) {
		return true
	}
	holds := func(tree *verify.Tree) bool {
		if tree == nil {
			return false
		}
		en := verify.Engine{Now: p.Now, Strict: p.Strict, NoHints: true, Concurrency: 1}
		r := en.Verify(p.ctx, tree, []verify.Item{{Path: e.Path, Format: e.Format}})[0]
		if r.Lost != "" {
			p.seen = append(p.seen, r.Reads)
			return false
		}
		return !slices.ContainsFunc(r.Checks, func(c verify.Check) bool { return isDrift(Row{Check: c}) })
	}
	if holds(Overlay(p.Bases[0].Tree, p.Head.Tree, ownFiles(e.Head)...)) {
		return true
	}
	if p.Then == nil {
		return false
	}
	then, _ := p.Then(p.Head.Tree, e.Head)
	return holds(then)
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

// takesOver says in new evidence what it makes records of, and where there is less behind
// it than behind those.
func (e *Evidence) takesOver(older []*Evidence) {
	slices.SortFunc(older, func(a, b *Evidence) int { return cmp.Compare(a.Path, b.Path) })
	names := make([]string, 0, len(older))
	for _, o := range older {
		names = append(names, o.Path)
	}
	e.Peers = append(e.Peers, names...)
	const most = 5
	list := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		list += " and more"
	}
	e.add(verify.Info, "claims", verify.Location{}, CodeTakesOver, "is the newest word on what %s said", list)
	for _, o := range older {
		if why := weaker(e.Head.Claims, o.Head.Claims); why != "" {
			e.add(verify.Warn, "claims", verify.Location{}, CodeWeaker, "takes over from %s with %s", o.Path, why)
		}
	}
}

// weaker says what new claims have less of than the old ones on the same things.
func weaker(now, before []verify.Claim) string {
	is := make(map[string]verify.Claim)
	for _, c := range now {
		is[c.About] = c
	}
	missing := 0
	for _, was := range before {
		c, ok := is[was.About]
		switch {
		case !ok && !was.Backfilled:
			missing++
		case !ok:
		case c.Samples < was.Samples:
			return "fewer samples of " + was.Name
		case len(c.Conditions) < len(was.Conditions):
			return "fewer conditions for " + was.Name
		}
	}
	if missing > 0 {
		return "fewer models"
	}
	return ""
}
