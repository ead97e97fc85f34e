package judge

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// unproven fails rows that can't tell whether a recorded value holds, where the base could
// tell, and it held: what made it hold was changed or taken away here. Evidence that this
// change edits is held against the base as it is now, too. Where the base can't tell
// either, a commit of the history may.
func (p *pass) unproven(e *Account) {
	var now *verify.Result // what e says now, on the base
	for k := range e.Rows {
		row := &e.Rows[k]
		if !undecided(row.Check) {
			continue
		}
		held, known := p.heldOnBase(e, row, &now)
		switch {
		case !known:
			return
		case held:
			row.Status, row.Attribution = verify.Fail, verify.Introduced
			row.Reason = heldAt("on the base", row.Reason)
		case p.Held != nil:
			p.heldBefore(e, row)
		}
	}
}

// undecided reports whether c is a row that does not tell whether its value holds.
func undecided(c verify.Check) bool { return c.Unproven && c.Status != verify.Fail }

func heldAt(where, reason string) string {
	return verify.Shorten("held "+where+", and can't be confirmed any more: "+reason, verify.MaxValue)
}

// heldOnBase reports whether the value of a row held on the base. It is not known where
// something of the base can't be read, which is said then.
func (p *pass) heldOnBase(e *Account, row *Row, now **verify.Result) (held, known bool) {
	if len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return false, true
	}
	held = slices.ContainsFunc(e.Bases[0].Checks, func(c verify.Check) bool {
		return c.Status == verify.OK && (c.Field == row.Field && c.Recorded == row.Recorded || strings.HasPrefix(c.Field, row.Field+":"))
	})
	if held || !e.Own {
		return held, true
	}
	if *now == nil {
		if *now = p.judgedIn(p.onBase(e), e); *now == nil {
			return false, false
		}
	}
	return slices.ContainsFunc((*now).Checks, func(c verify.Check) bool { return c.Status == verify.OK && c.Field == row.Field }), true
}

// heldBefore fails a row that held in a commit of the history. Where each base has the row
// too, it failed there for that reason.
func (p *pass) heldBefore(e *Account, row *Row) {
	if row.HeldAt = p.Held(p.ctx, e, row); row.HeldAt == "" {
		return
	}
	before := make([]failures, len(e.Bases))
	for i, b := range e.Bases {
		if b == nil {
			continue
		}
		for _, c := range b.Checks {
			if undecided(c) && c.Recorded == row.Recorded {
				before[i] = append(before[i], c)
			}
		}
	}
	row.Status = verify.Fail
	row.Reason = heldAt("at "+row.HeldAt[:min(len(row.HeldAt), 12)], row.Reason)
	row.attribute(before, len(e.Bases) == 0 || e.BaseLost != "")
}

// vanished looks for what evidence vouched for on the base and speaks of no more, while the
// file is still there. Evidence that names its run answers for that by the run's values.
func (p *pass) vanished(e *Account) {
	if _, named := e.Format.(verify.Recorder); named || len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	listed := make(map[string]bool)
	for _, in := range e.Head.Inputs {
		if !p.noLongerListed(e, in.Field) {
			listed[in.Path] = true
		}
	}
	for _, in := range e.Bases[0].Inputs {
		if !in.Subject || in.Missing || in.Path == "" || listed[in.Path] || !p.noted(p.Head.Tree).Exists(in.Path) {
			continue
		}
		listed[in.Path] = true
		row := e.add(verify.Fail, in.Field, verify.Location{}, CodeRemoved, "is no longer recorded: the base vouched for %s, which is still there", in.Path)
		row.Input = in.Path
	}
}

// noLongerListed reports whether the row of a field only says that nobody asks for it.
func (p *pass) noLongerListed(e *Account, field string) bool {
	return slices.ContainsFunc(e.Head.Checks, func(c verify.Check) bool {
		return c.Field == field && c.Status == verify.Info && c.Code == "no-longer-listed"
	}) && slices.ContainsFunc(e.Bases[0].Checks, func(c verify.Check) bool {
		return c.Field == field && c.Code != "no-longer-listed"
	})
}
