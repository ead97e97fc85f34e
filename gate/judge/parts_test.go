package judge

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Two judgements are the same while no value in a row is another one: words and places may be.
func TestSameCheck(t *testing.T) {
	t.Parallel()
	base := verify.Check{Field: "f", Status: verify.OK, Code: "c", Recorded: "r", Observed: "o", Reason: "why", Hint: "do"}
	for name, tc := range map[string]struct {
		change func(*verify.Check)
		same   bool
	}{
		"nothing":  {func(*verify.Check) {}, true},
		"reason":   {func(c *verify.Check) { c.Reason = "x" }, true},
		"hint":     {func(c *verify.Check) { c.Hint = "x" }, true},
		"place":    {func(c *verify.Check) { c.Location.Line = 7 }, true},
		"field":    {func(c *verify.Check) { c.Field = "x" }, false},
		"status":   {func(c *verify.Check) { c.Status = verify.Warn }, false},
		"code":     {func(c *verify.Check) { c.Code = "x" }, false},
		"recorded": {func(c *verify.Check) { c.Recorded = "x" }, false},
		"observed": {func(c *verify.Check) { c.Observed = "x" }, false},
	} {
		other := base
		tc.change(&other)
		if got := sameCheck(base, other); got != tc.same {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Nobody can live with a secret, or with a file that can't be judged; a removal of one that
// could not be judged is another matter.
func TestAcceptable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		e       Account
		status  verify.Status
		code    string
		accepts bool
	}{
		{"a FAIL", Account{Head: &verify.Result{}}, verify.Fail, "hash-differs", true},
		{"a warning", Account{Head: &verify.Result{}}, verify.Warn, "hash-differs", false},
		{"what holds", Account{Head: &verify.Result{}}, verify.OK, "", false},
		{"a secret", Account{Head: &verify.Result{}}, verify.Fail, "secret", false},
		{"a possible secret", Account{Head: &verify.Result{}}, verify.Fail, "possible-secret", false},
		{"an unread base", Account{Head: &verify.Result{}}, verify.Fail, CodeBaseUnreadable, false},
		{"a broken file", Account{Head: &verify.Result{Unchecked: "x"}}, verify.Fail, "hash-differs", false},
		{"a broken file, removed", Account{Head: &verify.Result{Unchecked: "x"}, Removed: true}, verify.Fail, CodeRemoved, true},
	} {
		if got := tc.e.Acceptable(Row{Check: verify.Check{Status: tc.status, Code: tc.code}}); got != tc.accepts {
			t.Errorf("%s: %t", tc.name, got)
		}
	}
}

// What failed on the base is fixed where its field holds now, also where the field is gone;
// one that fails for another reason is not.
func TestFixed(t *testing.T) {
	t.Parallel()
	was := func(field string) verify.Check {
		return verify.Check{Field: field, Status: verify.Fail, Code: "c", Reason: "why"}
	}
	row := func(field string, status verify.Status, by verify.Attribution) Row {
		return Row{Check: verify.Check{Field: field, Status: status}, Attribution: by}
	}
	for _, tc := range []struct {
		name   string
		rows   []Row
		before failures
		want   []Row
	}{
		{"holds now", []Row{row("a", verify.OK, "")}, failures{was("a")}, []Row{row("a", verify.OK, verify.Fixed)}},
		{"warns now", []Row{row("a", verify.Warn, "")}, failures{was("a")}, []Row{row("a", verify.Warn, verify.Fixed)}},
		{"still fails", []Row{row("a", verify.Fail, verify.Introduced)}, failures{was("a")}, []Row{row("a", verify.Fail, verify.Introduced)}},
		{"is gone", nil, failures{was("a")}, []Row{row("a", verify.OK, verify.Fixed)}},
		{"two failed, one row holds", []Row{row("a", verify.OK, "")}, failures{was("a"), was("a")}, []Row{row("a", verify.OK, verify.Fixed), row("a", verify.OK, verify.Fixed)}},
		{"another field", []Row{row("b", verify.OK, "")}, failures{was("a")}, []Row{row("b", verify.OK, ""), row("a", verify.OK, verify.Fixed)}},
		{"nothing failed", []Row{row("a", verify.OK, "")}, nil, []Row{row("a", verify.OK, "")}},
	} {
		e := Account{Path: "p", Rows: tc.rows}
		e.fixed(tc.before)
		if len(e.Rows) != len(tc.want) {
			t.Errorf("%s: %+v", tc.name, e.Rows)
			continue
		}
		for i, r := range e.Rows {
			if r.Field != tc.want[i].Field || r.Status != tc.want[i].Status || r.Attribution != tc.want[i].Attribution {
				t.Errorf("%s: %+v", tc.name, r)
			}
		}
	}
}

// A FAIL is that of the base while its field and code are; one that the base had otherwise
// was changed again, and one that any base lacks was brought here.
func TestTakeFromAll(t *testing.T) {
	t.Parallel()
	c := verify.Check{Field: "f", Status: verify.Fail, Code: "c", Recorded: "r", Observed: "o"}
	other, changed := c, c
	other.Field, changed.Observed = "g", "p"
	for _, tc := range []struct {
		name                string
		before              []failures
		everywhere, changed bool
	}{
		{"no base", nil, true, false},
		{"the same", []failures{{c}}, true, false},
		{"observed otherwise", []failures{{changed}}, true, true},
		{"both", []failures{{changed, c}}, true, false},
		{"another field", []failures{{other}}, false, false},
		{"on one of two", []failures{{c}, {other}}, false, false},
		{"on both", []failures{{c}, {changed}}, true, true},
	} {
		if everywhere, changed := takeFromAll(tc.before, c); everywhere != tc.everywhere || changed != tc.changed {
			t.Errorf("%s: %t, %t", tc.name, everywhere, changed)
		}
	}
}
