package aos

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// A version is its first two numbers; a letter is in neither language's plain text from 0x7f on.
func TestSmallParts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][3]int{"1.2": {1, 2, 1}, "1.2.3": {1, 2, 1}, "1": {1, 0, 1}, "1.": {1, 0, 1}, "1.x": {1, 0, 0}, "x.1": {0, 1, 0}, "": {0, 0, 0}} {
		major, minor, ok := cutVersion(text)
		if major != want[0] || minor != want[1] || ok != (want[2] == 1) {
			t.Errorf("%q: %d %d %t", text, major, minor, ok)
		}
	}
	for text, want := range map[string]bool{"": true, "aZ~": true, "a\x7f": false, "é": false, "aé": false} {
		if got := isASCII(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	weigh := weighing([]string{"steps[].at", "meta"})
	for path, want := range map[string]verify.Weight{
		"steps[3].at": verify.Noted, "steps[3].at.zone": verify.Noted, "meta[0]": verify.Noted, "meta": verify.Noted, "metal": verify.Claimed, "steps[3].atom": verify.Claimed, "x.meta": verify.Claimed,
	} {
		if got, ok := weigh(path); got != want || !ok {
			t.Errorf("%s: %d", path, got)
		}
	}
}

// The places of one id: in the folder first, by how much of the name they share, then all by
// path; each file once, and not without end.
func TestNearest(t *testing.T) {
	t.Parallel()
	files := map[string]string{"b/ab.outcomes.json": outcome, "b/abd.outcomes.json": outcome, "b/x.outcomes.json": outcome, "a/y.outcomes.json": outcome,
		"c/list.outcomes.json": "[" + outcome + "," + outcome + "]", "c/record.tracerecord.json": read(t, "trace-record/orig.json")}
	x := indexOf(tree(files))
	got := nearest(x.runs, "b/abc.replay.outcomes.json", "r", kindOutcomes)
	want := []string{"b/ab.outcomes.json", "b/abd.outcomes.json", "b/x.outcomes.json", "a/y.outcomes.json", "b/ab.outcomes.json", "b/abd.outcomes.json", "b/x.outcomes.json", "c/list.outcomes.json"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := nearest(x.runs, "b/xy.outcomes.json", "r", kindOutcomes)[0]; got != "b/x.outcomes.json" {
		t.Error(got)
	}
	if got := nearest(x.traces, "d/x", "t", kindOutcomes); len(got) != 5 {
		t.Errorf("%q", got)
	}
	if got := nearest(x.runs, "b/ab", "r", kindRecord); len(got) != 0 {
		t.Errorf("a record is no outcome: %q", got)
	}
	many := make(map[string]string)
	for i := range maxSame + 3 {
		many["d/"+strings.Repeat("x", i+1)+".outcomes.json"] = outcome
	}
	if got := nearest(indexOf(tree(many)).runs, "e/x", "r", kindOutcomes); len(got) != maxSame {
		t.Errorf("%d places", len(got))
	}
}

// What is malformed fails where it stands.
func TestMalformed(t *testing.T) {
	t.Parallel()
	golden := read(t, "workflow-golden/run-ok.steps.jsonl")
	record := read(t, "trace-record/orig.json")
	assertion := func(text string) string {
		return edit(t, outcome, `"run_id":"r"`, `"run_id":"r","_replay_assertion":`+text)
	}
	for _, tc := range []struct{ name, file, text, want string }{
		{"assertions as a list", outcomesName, assertion(`{"deterministic_fields":[]}`), "FAIL _replay_assertion wrong-type"},
		{"no assertions", outcomesName, assertion(`{}`), "FAIL _replay_assertion wrong-type"},
		{"too many assertions", outcomesName, assertion(`{"deterministic_fields":{` + strings.Repeat(`"retryable":true,`, maxAssertions) + `"status":"failure"}}`), "FAIL _replay_assertion too-large"},
		{"an outcome as a number", outcomesName, "[" + outcome + ",7]", "FAIL [1] schema"},
		{"a seed of a golden as a text", goldenName, edit(t, golden, `"seed":12345,`, `"seed":"12345",`), "FAIL run_start.seed wrong-type"},
		{"half a surrogate in an output", goldenName, edit(t, golden, `"status_code":200`, `"\ud800":1,"status_code":200`), "FAIL steps[0].output_hash cannot-judge"},
		{"half of the plan", recordName, summed(t, strings.Replace(record, `"plan": [`, `"plan": [{"skill": "s", "params": {}}, {"skill": "s", "params": {}}, {"skill": "s", "params": {}}, {"skill": "s", "params": {}}, {"skill": "s", "params": {}}, {"skill": "s", "params": {}},`, 1)), "warn plan plan-not-done"},
	} {
		got := strings.Split(faults(alone(tc.file, tc.text)), "\n")
		if !slices.Contains(got, tc.want) {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
	// Where a key is configured, a signature has to be there and to be read.
	keyed := Format{Config{GoldenSecret: []byte(key)}}
	for sig, want := range map[string]string{"": "FAIL .sig no-signature", goldenName + ".sig/x": "FAIL .sig unreadable"} {
		files := map[string]string{goldenName: golden}
		if sig != "" {
			files[sig] = ""
		}
		r := keyed.Verify(t.Context(), &verify.Evidence{Path: goldenName, Tree: tree(files)})
		if got := strings.Split(faults(r), "\n"); !slices.Contains(got, want) {
			t.Errorf("%q: %q", sig, got)
		}
	}
}

// Only what a run left itself is a trace of it: an empty id or time names nothing.
func TestTracesOfRuns(t *testing.T) {
	t.Parallel()
	count := func(name, text string) int { return len(recordOf(map[string]string{name: text}, name).Traces) }
	two := read(t, "sdk-trace/two-steps.trace.json")
	if n := count("a.trace.json", two); n != 3 {
		t.Errorf("%d traces of two steps and their outputs", n)
	}
	if n := count("a.trace.json", edit(t, two, `"215ddd5567ca2590"`, `""`)); n != 2 {
		t.Errorf("%d traces with one output", n)
	}
	if n := count("a.trace.json", edit(t, two, `"steps":[`, `"steps":[],"old":[`)); n != 0 {
		t.Errorf("%d traces without steps", n)
	}
	whole := count("a.outcomes.json", outcome)
	for _, cut := range []string{`"trace_id":"t"`, `"span_id":"s","b`, `"timestamp":"2025-12-01T06:30:15.234Z"`} {
		name, _, _ := strings.Cut(cut, ":")
		with := name + `:""` + strings.TrimPrefix(cut, name+cut[len(name):])
		if strings.HasSuffix(cut, `,"b`) {
			with += `,"b`
		}
		if name == `"timestamp"` {
			with = name + ":null"
		}
		if n := count("a.outcomes.json", edit(t, outcome, cut, with)); n != whole-1 {
			t.Errorf("%d traces without %s, %d with it", n, name, whole)
		}
	}
	golden := read(t, "workflow-golden/run-ok.steps.jsonl")
	if n := count(goldenName, golden); n != 2 {
		t.Errorf("%d traces of a golden", n)
	}
	if a, b := recordOf(map[string]string{goldenName: golden}, goldenName), recordOf(map[string]string{goldenName: "\n" + golden}, goldenName); a.Identity == "" || a.Identity != b.Identity || a.Subject != b.Subject {
		t.Errorf("%q, %q", a.Identity, b.Identity)
	}
}
