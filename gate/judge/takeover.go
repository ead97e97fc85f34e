package judge

import (
	"iter"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// takesOver says in new evidence what it makes records of, and where there is less behind
// it than behind those.
func (e *Account) takesOver(older []speaker) {
	names := make([]string, 0, len(older))
	for _, o := range older {
		names = append(names, o.path)
	}
	e.Peers = append(e.Peers, names...)
	const most = 5
	list := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		list += " and more"
	}
	e.add(verify.Info, "claims", verify.Location{}, CodeTakesOver, "is the newest word on what %s said", list)
	for o, why := range e.lessThan(older) {
		e.add(verify.Warn, "claims", verify.Location{}, CodeWeaker, "takes over from %s with %s", o.path, why)
	}
}

// lessThan gives the older evidence than which e says less, each with what is less.
func (e *Account) lessThan(older []speaker) iter.Seq2[speaker, string] {
	return func(yield func(speaker, string) bool) {
		for _, o := range older {
			if why := weaker(e.Head.Claims, o.claims); why != "" && !yield(o, why) {
				return
			}
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

// refuseWeaker fails new evidence that would take over with less behind it: strict mode
// fails on that, and what fails takes over nothing. It reports whether there was any, after
// which others have the newest word.
func (p *pass) refuseWeaker(h hearing) (some bool) {
	for by, older := range h.demoted {
		if !p.isNew(by) {
			continue
		}
		for o, why := range by.lessThan(older) {
			some = true
			by.Peers = append(by.Peers, o.path)
			by.add(verify.Fail, "claims", verify.Location{}, CodeWeaker, "would take over from %s with %s (a warning; strict mode fails on it)", o.path, why)
		}
	}
	return some
}
