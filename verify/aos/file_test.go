package aos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// "Kinds are told apart by content".
func TestKinds(t *testing.T) {
	for name, want := range map[string]kind{
		"sdk-trace/empty.trace.json":               kindSDKTrace,
		"sdk-trace/bad-no-root-hash.trace.json":    kindSDKTrace,
		"trace-record/orig.json":                   kindRecord,
		"workflow-golden/run-ok.steps.jsonl":       kindGolden,
		"doc-derived/original.outcomes.json":       kindOutcomes,
		"doc-derived/bad-schema.outcomes.json":     kindOutcomes,
		"doc-derived/plan.json":                    kindPlan,
		"doc-derived/replay-ok.trace.json":         kindReplay,
		"trace-record/verdicts.json":               "",
		"hash-data.json":                           "",
		"workflow-golden/run-ok.steps.jsonl.sig":   "",
		"workflow-golden/run-none.steps.jsonl.sig": "",
	} {
		if f := open(vectors(), name); f.kind != want {
			t.Errorf("%s is taken for %q, want %q", name, f.kind, want)
		}
	}
	// What is missing may be what is wrong.
	trace := read(t, "sdk-trace/two-steps.trace.json")
	for _, tc := range []struct{ name, text, want string }{
		{"a.trace.json", edit(t, trace, `"finalized":true,`, ``), "FAIL finalized not-finalized"},
		{"a.trace.json", edit(t, trace, `"root_hash":"fca43873c8e7c607dadd705ef1750a5a3bcdeafb16320f789f55b1799f0fad8d",`, ``), "FAIL root_hash missing"},
		{"a.trace.json", edit(t, claim, `"original_run_id":"run-a",`, ``), "FAIL original_run_id missing"},
		{"a.outcomes.json", edit(t, outcome, `"cost_cents":0,`, ``), "FAIL cost_cents missing"},
	} {
		if got := faults(alone(tc.name, tc.text)); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// "A file at such a place whose content is of no known kind: one info row, never
// dropped in silence, never FAIL".
func TestNotRecognised(t *testing.T) {
	for _, text := range []string{
		"", "{}", "[]", "null", "not JSON", `{"traceEvents":[]}`, `{"steps":[]}`, `{"status":"error","code":"E"}`, `{"checksum":"x","run_id":1}`,
		"{\"a\":\n1}", `[{"name":"x","ph":"B"}]`, "\x00\xff", strings.Repeat("[", 100_000), "{\"x\":\"" + strings.Repeat("y", 5<<20) + "\"}",
	} {
		r := alone("a.trace.json", text)
		if len(r.Checks) != 1 || r.Checks[0].Status != verify.Info || r.Checks[0].Code != "not-recognised" || r.Unchecked != "" {
			t.Errorf("%.40q: %+v", text, r)
		}
	}
	// Where there was evidence, breaking it is no way past the gate.
	r := since("a.trace.json", read(t, "sdk-trace/empty.trace.json"), "{}")
	says(t, row(t, r, "kind"), verify.Fail, "no longer recognised", "SDK trace")
	if r.Unchecked == "" {
		t.Error("nothing was checked, and it is not said")
	}
}

// What can't be read is said; what is too much is judged as far as it was read.
func TestUnreadable(t *testing.T) {
	for text, why := range map[string]string{"": "does not exist", strings.Repeat("x", verify.MaxEvidence+1): "larger than 16 MiB"} {
		files := map[string]string{"a.trace.json": text}
		if text == "" {
			files = nil
		}
		r := judged(tree(files), "a.trace.json")
		c := row(t, r, "evidence")
		says(t, c, verify.Fail, why)
		if c.Code != "unreadable" || r.Unchecked != c.Reason {
			t.Errorf("%+v", r)
		}
	}
	r := alone("a.steps.jsonl", `{"event_type":"run_start","run_id":"r","data":{"seed":1}}`+strings.Repeat("\n{}", maxEvents))
	if r.Unchecked == "" || !strings.Contains(bad(r), "too-large") {
		t.Errorf("%q: %s", r.Unchecked, bad(r))
	}
}

// Findings of one rule are listed up to a bound, and the rest is counted.
func TestManyFindingsAreCounted(t *testing.T) {
	var steps []string
	for i := range 1000 {
		steps = append(steps, fmt.Sprintf(`{"step_index":%d,"skill_id":"s","input_hash":"0000000000000000","output_hash":"0000000000000000",`+
			`"rng_state_before":"0000000000000000","outcome":"x","replay_behavior":"y"}`, i+1))
	}
	r := alone("a.trace.json", `{"version":"1.1.0","finalized":true,"root_hash":null,"seed":1,"timestamp":"","tenant_id":"","plan":[],"steps":[`+strings.Join(steps, ",")+"]}")
	if n := len(r.Checks); n > 100 {
		t.Errorf("%d rows", n)
	}
	for _, field := range []string{"steps[].step_index", "steps[].outcome", "steps[].replay_behavior"} {
		says(t, row(t, r, field), verify.Fail, "and 980 more")
	}
}

// What is left out of a list of warnings may be worse than they are.
func TestTheWorstIsNotLeftOut(t *testing.T) {
	inputs := strings.Repeat(`{"api_key":"k"},`, 3*maxRows) + `{"x":"AKIA` + strings.Repeat("Q", 16) + `"},` + `{"api_key":"k"}`
	r := alone("a.steps.jsonl", `{"event_type":"step","run_id":"r","data":{"inputs":[`+inputs+`]}}`)
	c := row(t, r, "steps[].secrets")
	says(t, c, verify.Fail, "and 42 more")
	if c.Code != "possible-secret" {
		t.Errorf("%+v", c)
	}
}

// Each piece of evidence says what it is, and every row is fit to be shown.
func TestRowsAreFit(t *testing.T) {
	for _, name := range vectors().Files() {
		r := judged(vectors(), name)
		wellFormed(t, name, r)
		if c := r.Checks[0]; c.Field != "kind" {
			t.Errorf("%s begins with %+v", name, c)
		}
	}
}

// wellFormed fails the test for a row that breaks the contract of verify.Check.
func wellFormed(t *testing.T, name string, r verify.Result) {
	t.Helper()
	if len(r.Checks) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	for _, c := range r.Checks {
		switch {
		case c.Field == "" || c.Location.Path != name || (c.Location.Line == 0) != (c.Location.Column == 0) && c.Location.Column != 0,
			(c.Status == verify.OK) != (c.Code == ""),
			c.Status != verify.OK && c.Reason == "",
			len(c.Recorded) > verify.MaxValue || len(c.Observed) > verify.MaxValue || len(c.Reason) > verify.MaxValue || len(c.Field) > verify.MaxValue,
			strings.HasSuffix(c.Reason, "."):
			t.Errorf("%s: %+v", name, c)
		}
		switch c.Status {
		case verify.OK, verify.Fail, verify.Warn, verify.Info:
		default:
			t.Errorf("%s: status %q", name, c.Status)
		}
	}
	if len(r.Checks) > 2000 {
		t.Errorf("%s has %d rows", name, len(r.Checks))
	}
	if r.Unchecked != "" {
		for _, c := range r.Checks {
			if c.Status == verify.Fail && c.Reason == r.Unchecked {
				return
			}
		}
		t.Errorf("%s: %q is in no FAIL", name, r.Unchecked)
	}
}
