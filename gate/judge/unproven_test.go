package judge

import (
	"context"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// A row that can't tell fails where the base held it, or a commit of the history did; whose
// it is, is said by what each base has.
func TestUndecidedRows(t *testing.T) {
	t.Parallel()
	dim := noteText{Run: "1", Pins: map[string]string{"dim:a": sum("then")}}
	other := noteText{Run: "2", Pins: map[string]string{"dim:a": sum("never")}}
	state := func(text string, n noteText) files { return files{"a": text, "x.note": n.text()} }
	now, held := state("now", dim), state("then", dim)
	for _, tc := range []struct {
		name    string
		head    files
		bases   []files
		history string // the commit that held it
		want    verify.Attribution
	}{
		{"nobody held it", now, []files{state("before", dim)}, "", ""},
		{"the base held it", now, []files{held}, "", verify.Introduced},
		{"the history held it, and the base has the row too", now, []files{state("before", dim)}, "c0ffee", verify.PreExisting},
		{"the same where nothing changed at all", now, []files{now}, "c0ffee", verify.PreExisting},
		{"each base has the row", now, []files{now, state("before", dim)}, "c0ffee", verify.PreExisting},
		{"one base has it, another one recorded", now, []files{now, state("before", other)}, "c0ffee", verify.Introduced},
		{"the change records what once held", now, []files{state("now", other)}, "c0ffee", verify.Introduced},
		{"new evidence", now, []files{{"a": "now"}}, "c0ffee", verify.Introduced},
		{"no base", now, nil, "c0ffee", verify.Unknown},
	} {
		for _, brief := range []bool{false, true} {
			q := ask(tc.head, tc.bases...)
			q.Brief = brief
			q.Held = func(_ context.Context, e *Account, row *Row) string {
				if e.Path != "x.note" || row.Field != "dim:a.hash" {
					t.Errorf("%s: asked about %s of %s", tc.name, row.Field, e.Path)
				}
				return tc.history
			}
			j := Judge(t.Context(), q)
			var row *Row
			for k, r := range j.Evidence[0].Rows {
				if r.Field == "dim:a.hash" {
					row = &j.Evidence[0].Rows[k]
				}
			}
			switch {
			case row == nil:
				t.Errorf("%s: brief %t: no such row: %+v", tc.name, brief, j.Evidence[0].Rows)
			case row.Attribution != tc.want || (row.Status == verify.Fail) != (tc.want != "") || row.Status == verify.Fail && row.HeldAt != tc.history:
				t.Errorf("%s: brief %t: %s %q, held at %q: %s", tc.name, brief, row.Status, row.Attribution, row.HeldAt, row.Reason)
			}
		}
	}
}
