package judge

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// unproven fails rows that can't tell whether a recorded value holds, where the base could
// tell, and it held: what made it hold was changed or taken away here. Evidence that this
// change edits is held against the base as it is now, too.
func (p *pass) unproven(e *Account) {
	if len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	var now *verify.Result // what e says now, on the base
	for k := range e.Rows {
		row := &e.Rows[k]
		if !row.Unproven || row.Status == verify.Fail {
			continue
		}
		held := slices.ContainsFunc(e.Bases[0].Checks, func(c verify.Check) bool {
			return c.Status == verify.OK && (c.Field == row.Field && c.Recorded == row.Recorded || strings.HasPrefix(c.Field, row.Field+":"))
		})
		if !held && e.Own {
			if now == nil {
				if now = p.judgedIn(p.onBase(e), e); now == nil {
					return
				}
			}
			held = slices.ContainsFunc(now.Checks, func(c verify.Check) bool { return c.Status == verify.OK && c.Field == row.Field })
		}
		if held {
			row.Status, row.Attribution = verify.Fail, verify.Introduced
			row.Reason = verify.Shorten("held on the base, and can't be confirmed any more: "+row.Reason, verify.MaxValue)
		}
	}
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
