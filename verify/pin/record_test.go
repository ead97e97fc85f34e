package pin

import (
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

func record(t *testing.T, text []byte) verify.Record {
	t.Helper()
	fsys := tree(map[string]string{pinPath: string(text)})
	return Format{}.Record(&verify.Evidence{Path: pinPath, Tree: verify.NewTree(fsys)})
}

// Run identity: command and start time; without them there is none (issue 16, Checking).
func TestRecord(t *testing.T) {
	t.Parallel()
	whole := pinned(t, repo(), request())
	r := record(t, whole[pinPath].Data)
	if r.Identity != "2026-11-01T11:00:00Z make\x00eval" || len(r.Values) < 20 {
		t.Errorf("%+v", r)
	}
	weights := make(map[string]verify.Weight)
	for _, v := range r.Values {
		weights[v.Path] = v.Weight
		if v.Line == 0 {
			t.Errorf("%+v has no place", v)
		}
	}
	for path, want := range map[string]verify.Weight{
		"subject[0].digest.sha256":                               verify.Claimed,
		"subject[0].name":                                        verify.Placed,
		"predicate.materials[0].name":                            verify.Placed,
		"predicate.materials[0].digest.sha256":                   verify.Claimed,
		"predicate.command[0]":                                   verify.Claimed,
		"predicate.byproducts.replayGate.inputs":                 verify.Noted,
		"predicate.byproducts.replayGate.notes[1].digest.sha256": verify.Noted,
	} {
		if got, ok := weights[path]; !ok || got != want {
			t.Errorf("%s: %v %v, want %v", path, got, ok, want)
		}
	}
	if signed := record(t, envelope(t, whole[pinPath].Data).Data); signed.Identity != r.Identity || signed.Values[0].Line != 0 {
		t.Errorf("%+v", signed)
	}
	for _, old := range []string{`"command"`, `"startedOn"`, `"2026-11-01T11:00:00.000000000Z"`, `attestation/link`} {
		if r := record(t, edit(t, whole, old, `"x"`[:2]+old[1:len(old)-1]+`"`)[pinPath].Data); r.Identity != "" || r.Values != nil {
			t.Errorf("without %s: %+v", old, r)
		}
	}
}

// Claims: the newest pin of a subject whose name differs only in a date.
func TestClaims(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 5, d, 0, 0, 0, 0, time.UTC) }
	for _, tc := range []struct {
		name, plain string
		day         time.Time
	}{
		{"evals/2026-05-01-report.md", "evals/<date>-report.md", day(1)},
		{"evals/2026-05-01/report.md", "evals/<date>/report.md", day(1)},
		{"evals/results_2026-05-02T12-30-45.123456.json", "evals/results_<date>.json", day(2)},
		{"evals/20260503.md", "evals/<date>.md", day(3)},
		{"evals/r-2026_05_04.md", "evals/r-<date>.md", day(4)},
		{"evals/report.md", "evals/report.md", time.Time{}},
		{"evals/120260503.md", "evals/120260503.md", time.Time{}},
		{"evals/2026-02-30.md", "evals/2026-02-30.md", time.Time{}},
		{"evals/2026-05.md", "evals/2026-05.md", time.Time{}},
	} {
		plain, got, ok := undated(tc.name)
		if plain != tc.plain || !got.Equal(tc.day) || ok == tc.day.IsZero() {
			t.Errorf("%s: %q %v %v", tc.name, plain, got, ok)
		}
	}

	const dated = "evals/2026-05-01.md"
	files := write(repo(), map[string]string{dated: "# 1\n", "evals/2099-01-01.md": "# 2\n"})
	claimsOf := func(req Request) []verify.Claim { return check(t, pinned(t, files, req)).Claims }
	run := request()
	run.Subjects = []string{dated}
	if c := claimsOf(run); len(c) != 1 || c[0].About != "pin evals/<date>.md" || !c[0].At.Equal(run.StartedOn) {
		t.Errorf("%+v", c)
	}
	if c := claimsOf(Request{Subjects: []string{dated}}); len(c) != 1 || !c[0].At.Equal(day(1)) {
		t.Errorf("without a run: %+v", c)
	}
	if c := claimsOf(Request{Subjects: []string{"evals/2099-01-01.md"}}); len(c) != 1 || !c[0].At.IsZero() {
		t.Errorf("a date to come is no claim to be the newest: %+v", c)
	}
	if c := claimsOf(request()); c != nil {
		t.Errorf("a result without a date is always about the present: %+v", c)
	}
	both := claimsOf(Request{Subjects: []string{dated, reportPath}})
	if len(both) != 2 || both[1].About != "pin "+reportPath+" in "+pinPath {
		t.Errorf("%+v", both)
	}
}
