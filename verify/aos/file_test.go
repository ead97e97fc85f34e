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

// "Unreadable is not absent", and evidence about which nothing was checked is unchecked:
// what is judged is evidence by its marks or by the settings (DESIGN, section 2).
func TestNotRecognised(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
	for text, want := range map[string]string{
		"": "evidence empty", "{}": "evidence not-recognised", "[]": "evidence not-recognised", "null": "evidence not-recognised",
		"not JSON": "evidence broken-json", `{"traceEvents":[]}`: "evidence not-recognised", `{"steps":[]}`: "evidence not-recognised",
		`{"status":"error","code":"E"}`: "evidence not-recognised", `{"checksum":"x","run_id":1}`: "evidence not-recognised",
		"{\"a\":\n1}": "evidence not-recognised", `[{"name":"x","ph":"B"}]`: "evidence not-recognised", "\x00\xff": "evidence broken-json",
		strings.Repeat("[", 100_000): "evidence broken-json", "{\"x\":\"" + strings.Repeat("y", 5<<20) + "\"}": "evidence not-recognised",
		pointer: "evidence lfs-pointer", "\ufeff" + claim: "evidence byte-order-mark",
		"<<<<<<< HEAD\n" + claim + "\n=======\n" + claim + "\n>>>>>>> x\n": "evidence conflict-markers",
	} {
		r := alone("a.trace.json", text)
		if got := faults(r); !strings.HasPrefix(got, "FAIL "+want) || r.Unchecked == "" {
			t.Errorf("%.40q: %s (%q), want %s", text, got, r.Unchecked, want)
		}
		wellFormed(t, "a.trace.json", r)
	}
}

// A file at a default glob with none of the kind's marks is some other tool's (issue 10,
// "The verdict is over everything").
func TestMarks(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
	for _, tc := range []struct {
		path, text string
		want       bool
	}{
		{"x.plan.json", `{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"steps":[]},"resource_changes":[],"configuration":{"plan_id":1}}`, false},
		{"x.trace.json", `{"traceEvents":[{"name":"a","ph":"X","args":{"root_hash":"x","finalized":true,"steps":1}}],"displayTimeUnit":"ms"}`, false},
		{"x.trace.json", `[{"name":"a","ph":"X","cat":"c","ts":1}]`, false},
		{"x.trace.json", `{"traceEvents":[{"name":"a"`, false},
		{"x.trace.json", ``, false},
		{"x.trace.json", pointer, false},
		{"x.plan.json", pointer, false},
		{"x.outcomes.json", "", false},
		{"x.tracerecord.json", pointer, true},
		{"x.tracerecord.json", " \n", true},
		{"x.steps.jsonl", "", true},
		{"x.steps.jsonl", pointer, true},
		{"x.outcomes.json", `[]`, false},
		{"x.trace.json", `{"correlation_id":"c"}`, false}, // whole, and nothing of ours
		{"x.trace.json", claim, true},
		{"x.trace.json", "\ufeff" + claim, true},
		{"x.trace.json", "<<<<<<< HEAD\n" + claim + "\n=======\n" + claim + "\n>>>>>>> x\n", true},
		{"x.trace.json", claim[:18], false}, // trace_id alone is in every tracing tool
		{"x.trace.json", claim[:60], true},
		{"x.outcomes.json", outcome, true},
		{"x.outcomes.json", "[" + outcome + "]", true},
		{"x.steps.jsonl", "{\"data\":{\n{\"event_type\"", true},
		{"x.steps.jsonl", `{"step":1}`, false},
	} {
		if got := (Format{}).Marks(tc.path, []byte(tc.text)); got != tc.want {
			t.Errorf("%s %.60q: %t", tc.path, tc.text, got)
		}
	}
	for _, name := range vectors().Files() {
		text := read(t, name)
		if got, want := (Format{}).Marks(name, []byte(text)), open(vectors(), name).kind != ""; got != want {
			t.Errorf("%s: %t", name, got)
		}
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
		if c := r.Checks[0]; c.Field != "kind" && c.Code != "not-recognised" && c.Code != "broken-json" {
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
