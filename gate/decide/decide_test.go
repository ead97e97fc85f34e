package decide

import (
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

var now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// found makes a judgement of one piece of evidence for each list of rows.
func found(evidence ...judge.Account) *judge.Judgement {
	return &judge.Judgement{Evidence: evidence, BaseKnown: true}
}

func evidence(path string, rows ...judge.Row) judge.Account {
	return judge.Account{Path: path, Format: ahd.Format{}, Head: &verify.Result{Path: path}, Rows: rows}
}

func fails(code string, by verify.Attribution) judge.Row {
	return judge.Row{Check: verify.Check{Field: "token.hash", Status: verify.Fail, Code: code, Observed: "o"}, Attribution: by}
}

func broken(e judge.Account) judge.Account {
	e.Head.Unchecked = "could not be judged"
	return e
}

func notHad(e judge.Account) judge.Account {
	e.Head.Lost, e.Head.Unchecked = "gone", "gone"
	return e
}

// DESIGN, section 4: 1 is drift that the policy fails on, 2 what could not be judged, 3 what
// could not be had. A finding is certain, so drift comes first.
func TestExit(t *testing.T) {
	t.Parallel()
	introduced, before := fails("hash-differs", verify.Introduced), fails("hash-differs", verify.PreExisting)
	unknown, removed := fails("hash-differs", verify.Unknown), fails(judge.CodeRemoved, verify.Introduced)
	for _, tc := range []struct {
		name    string
		j       *judge.Judgement
		policy  Policy
		exit    int
		verdict verify.Verdict
		reason  string
	}{
		{name: "nothing", j: found(), verdict: verify.Intact},
		{name: "all holds", j: found(evidence("a", judge.Row{Check: verify.Check{Status: verify.OK}})), verdict: verify.Intact},
		{name: "introduced", j: found(evidence("a", introduced)), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "of unknown attribution", j: found(evidence("a", unknown)), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "pre-existing", j: found(evidence("a", before)), verdict: verify.Drift},
		{name: "pre-existing, policy any", j: found(evidence("a", before)), policy: Policy{FailOn: "any"}, exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "introduced, policy never", j: found(evidence("a", introduced)), policy: Policy{FailOn: "never"}, verdict: verify.Drift},
		{name: "introduced, never for its kind", j: found(evidence("a", introduced)), policy: Policy{Kinds: map[string]string{"ahd": "never"}}, verdict: verify.Drift},
		{name: "pre-existing, any for its kind", j: found(evidence("a", before)), policy: Policy{Kinds: map[string]string{"ahd": "any"}}, exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "stale before", j: found(evidence("a", fails("stale", verify.PreExisting))), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "unchecked", j: found(broken(evidence("a", fails("truncated", verify.Introduced)))), exit: 2, verdict: verify.Unchecked, reason: reason.Unchecked},
		{name: "unchecked before", j: found(broken(evidence("a", fails("truncated", verify.PreExisting)))), verdict: verify.Unchecked},
		{name: "lost", j: found(notHad(evidence("a", fails("unreadable", verify.Unknown)))), exit: 3, verdict: verify.Unchecked, reason: reason.Lost},
		{name: "the base lost", j: found(evidence("a", fails(judge.CodeBaseUnreadable, verify.Unknown))), exit: 3, verdict: verify.Unchecked, reason: reason.Lost},
		{name: "lost and unchecked", j: found(notHad(evidence("a", fails("unreadable", verify.Unknown))), broken(evidence("b", fails("empty", verify.Introduced)))), exit: 3, verdict: verify.Unchecked, reason: reason.Lost},
		{name: "lost and drifted", j: found(notHad(evidence("a", fails("unreadable", verify.Unknown))), evidence("b", introduced)), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "removed what was unchecked", j: found(removedOne(broken(evidence("a", removed)))), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "rewritten what is unchecked", j: found(broken(evidence("a", fails(judge.CodeRewritten, verify.Introduced)))), exit: 1, verdict: verify.Drift, reason: reason.Drift},
		{name: "no list of files", j: &judge.Judgement{Lost: "x"}, exit: 3, verdict: verify.Unchecked, reason: reason.Lost},
		{name: "a base that was meant and is not there", j: found(evidence("a")), policy: Policy{NoBase: true}, exit: 3, verdict: verify.Unchecked, reason: reason.NoBase},
		{name: "no base, and drift", j: found(evidence("a", unknown)), policy: Policy{NoBase: true}, exit: 1, verdict: verify.Drift, reason: reason.Drift},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := Decide(tc.j, tc.policy, Acceptances{})
			if d.Exit != tc.exit || d.Verdict != tc.verdict || d.Reason != tc.reason {
				t.Errorf("exit %d, %s, %s (%s)", d.Exit, d.Verdict, d.Reason, d.Message)
			}
			if (d.Exit != 0) != (d.Message != "") {
				t.Errorf("exits %d and says %q", d.Exit, d.Message)
			}
		})
	}
}

func removedOne(e judge.Account) judge.Account {
	e.Removed = true
	return e
}

// Issue 11, Accept: every row that fails, but never a secret or a broken file; and no entry
// that covers all there is.
func TestAccept(t *testing.T) {
	t.Parallel()
	entry := func(path, field, observed string) string {
		return "- evidence: \"" + path + "\"\n  field: " + field + "\n  observed: \"" + observed + "\"\n  reason: we know\n  until: 2026-08-01\n  by: Ada\n"
	}
	in := fails("hash-differs", verify.Introduced)
	for _, tc := range []struct {
		name     string
		list     string
		j        *judge.Judgement
		accepted int
		exit     int
	}{
		{"the value", entry("a", "token.hash", "o"), found(evidence("a", in)), 1, 0},
		{"any value", entry("a", "token.hash", "*"), found(evidence("a", in)), 1, 0},
		{"another value", entry("a", "token.hash", "p"), found(evidence("a", in)), 0, 1},
		{"another field", entry("a", "brief.hash", "*"), found(evidence("a", in)), 0, 1},
		{"other evidence", entry("b", "token.hash", "*"), found(evidence("a", in)), 0, 1},
		{"a relation", entry("a", "token.hash", "*"), found(evidence("a", fails(judge.CodeRewritten, verify.Introduced))), 1, 0},
		{"a removal of what was broken", entry("a", "token.hash", "*"), found(removedOne(broken(evidence("a", fails(judge.CodeRemoved, verify.Introduced))))), 1, 0},
		{"a secret", entry("a", "token.hash", "*"), found(evidence("a", fails("secret", verify.Introduced))), 0, 1},
		{"a broken file", entry("a", "token.hash", "*"), found(broken(evidence("a", in))), 0, 2},
		{"a lost base", entry("a", "token.hash", "*"), found(evidence("a", fails(judge.CodeBaseUnreadable, verify.Unknown))), 0, 3},
		{"some of it", entry("d/a*", "token.hash", "*"), found(evidence("d/a1", in), evidence("d/a2", in), evidence("d/b")), 2, 0},
		{"all of it", entry("d/[a-b]*", "token.hash", "*"), found(evidence("d/a1", in), evidence("d/a2"), evidence("d/b")), 0, 1},
		{"all of it, by the value", entry("d/[a-b]*", "token.hash", "o"), found(evidence("d/a1", in), evidence("d/a2"), evidence("d/b")), 1, 0},
		{"all that was named", entry("d/a*", "token.hash", "*"), narrowed(found(evidence("d/a1", in), evidence("d/a2"))), 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := Decide(tc.j, Policy{}, Acceptances{List: accepted.Parse([]byte(tc.list), now), Touched: verify.Introduced})
			if d.Accepted != tc.accepted || d.Exit != tc.exit {
				t.Errorf("%d accepted, exit %d (%s); %+v", d.Accepted, d.Exit, d.Message, d.Accepting)
			}
			for i, o := range d.Evidence {
				for k, row := range o.Rows {
					if row.Accepted && (row.Status != verify.Warn || row.Attribution != "" || tc.j.Evidence[i].Rows[k].Status != verify.Fail) {
						t.Errorf("%+v", row)
					}
				}
			}
		})
	}
}

func narrowed(j *judge.Judgement) *judge.Judgement {
	j.Narrowed = true
	return j
}

// What is wrong with the file of acceptances fails like drift, under the policy and by whom
// it was touched; what only has expired does not. An accepted row says who, why and until when.
func TestAcceptingFile(t *testing.T) {
	t.Parallel()
	const entry = "- evidence: a\n  field: token.hash\n  observed: o\n  reason: we know\n"
	for _, tc := range []struct {
		name, list string
		touched    verify.Attribution
		policy     Policy
		exit       int
		verdict    verify.Verdict
		message    string
		row        string // the reason of the row that is accepted, or of the file's
	}{
		{"by somebody", entry + "  until: 2026-06-01\n  by: Ada\n", verify.Introduced, Policy{}, 0, verify.Intact, "", "accepted by Ada until 2026-06-01: we know; "},
		{"for good", entry + "  permanent: true\n  by: Ada\n", verify.Introduced, Policy{}, 0, verify.Intact, "", "accepted by Ada: we know; "},
		{"expired", entry + "  until: 2026-05-31\n  by: Ada\n", verify.Introduced, Policy{FailOn: "never"}, 0, verify.Drift, "", "expired on 2026-05-31"},
		{"no list, touched", "{", verify.Introduced, Policy{Kinds: map[string]string{"ahd": "never"}}, 1, verify.Drift, "1 field fails under", ""},
		{"no list, as before", "{", verify.PreExisting, Policy{Kinds: map[string]string{"ahd": "never"}}, 0, verify.Drift, "", ""},
		{"no list, and drift", "{", verify.Introduced, Policy{}, 1, verify.Drift, "2 fields fail under", ""},
		{"no list, and never", "{", verify.Introduced, Policy{FailOn: "never"}, 0, verify.Drift, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j := found(evidence("a", fails("hash-differs", verify.Introduced)))
			d := Decide(j, tc.policy, Acceptances{List: accepted.Parse([]byte(tc.list), now), Touched: tc.touched})
			if d.Exit != tc.exit || d.Verdict != tc.verdict || !strings.HasPrefix(d.Message, tc.message) {
				t.Errorf("exit %d, %s, %q", d.Exit, d.Verdict, d.Message)
			}
			said := d.Evidence[0].Rows[0].Reason
			for _, row := range d.Accepting {
				said += row.Reason
				if row.Status == verify.Fail && row.Attribution != tc.touched || row.Status != verify.Fail && row.Attribution != "" {
					t.Errorf("%+v", row)
				}
			}
			if !strings.Contains(said, tc.row) {
				t.Errorf("says %q", said)
			}
		})
	}
	// The file's own FAIL alone is drift.
	d := Decide(found(), Policy{}, Acceptances{List: accepted.Parse([]byte("{"), now), Touched: verify.Introduced})
	if d.Exit != reason.ExitDrift || d.Verdict != verify.Drift || d.Message != "1 field fails under the policy fail-on=" {
		t.Errorf("exit %d, %s, %q", d.Exit, d.Verdict, d.Message)
	}
}
