package decide

import (
	"fmt"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// Acceptances are the drift that people have looked at and live with. The head's file
// counts: what it accepts is reviewed with the change, and an entry that the change itself
// adds is said before anything else.
type Acceptances struct {
	// List is the head's file, nil for none; Before is the base's.
	List, Before *accepted.List
	// Touched attributes what is wrong with the file.
	Touched verify.Attribution
}

// against refuses entries that cover all there is. Evidence that was named is not all.
func (a Acceptances) against(j *judge.Judgement) {
	if j.Narrowed || a.List == nil {
		return
	}
	kinds := make(map[string][]string)
	for i := range j.Evidence {
		e := &j.Evidence[i]
		kinds[e.Format.Kind()] = append(kinds[e.Format.Kind()], e.Path)
	}
	for _, h := range j.Held {
		kinds[h.Format.Kind()] = append(kinds[h.Format.Kind()], h.Path)
	}
	a.List.Against(kinds)
}

// apply gives the rows of e with what is accepted as warnings: those of e themselves where
// nothing is.
func (a Acceptances) apply(e *judge.Account, d *Decision) []judge.Row {
	rows, own := e.Rows, false
	for k := range rows {
		if !e.Acceptable(rows[k]) {
			continue
		}
		if entry, ok := a.List.Match(e.Path, rows[k].Field, rows[k].Observed); ok {
			if !own {
				rows, own = slices.Clone(rows), true
			}
			row := &rows[k]
			row.Status, row.Attribution, row.Accepted = verify.Warn, "", true
			row.Acceptance = verify.Shorten("accepted"+untilWords(entry)+": "+entry.Reason, verify.MaxValue)
			row.Reason = verify.Shorten(row.Acceptance+"; "+row.Reason, verify.MaxValue)
			d.Accepted++
		}
	}
	return rows
}

func untilWords(e accepted.Entry) string {
	s := " by " + e.By // each entry says by whom
	if !e.Until.IsZero() {
		s += " until " + e.Until.Format(time.DateOnly)
	}
	return s
}

// file says what is wrong with the file itself, and what the change adds to it.
func (a Acceptances) file() (rows []judge.Row, added []string) {
	for _, check := range a.List.Checks(nil, true) {
		row := judge.Row{Check: check}
		if check.Status == verify.Fail {
			row.Attribution = a.Touched
		}
		rows = append(rows, row)
	}
	for _, e := range a.List.Since(a.Before) {
		added = append(added, verify.Shorten(fmt.Sprintf("%s of %s (%s)", e.Field, e.Evidence, e.Reason), verify.MaxValue))
	}
	return rows, added
}
