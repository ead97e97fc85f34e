package aos

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const traceName = "runs/a.trace.json"

// hashed is a trace whose root hash was computed anew after an edit, as someone
// would who can run the SDK.
func hashed(t *testing.T, text string) string {
	t.Helper()
	doc := jsondoc.Parse([]byte(text))
	hash, _ := rootHash(doc)
	return edit(t, text, doc.Root.Get("root_hash").Text(), hash)
}

// What the root hash does not cover, or what someone hashed anew, is judged by
// the values themselves.
func TestSDKTraceValues(t *testing.T) {
	two := read(t, "sdk-trace/two-steps.trace.json")
	idempotent := read(t, "sdk-trace/idempotent.trace.json")
	tests := []struct {
		name, text, want string
	}{
		{"version 1.2 is 1.x", edit(t, two, `"version":"1.1.0"`, `"version":"1.2.0"`), ""},
		{"version 1.0 hashes differently", edit(t, two, `"version":"1.1.0"`, `"version":"1.0.0"`), "warn version old-version"},
		{"no version is 1.1.0 to the SDK", edit(t, two, `,"version":"1.1.0"`, ``), "warn version missing"},
		{"version 9", edit(t, two, `"version":"1.1.0"`, `"version":"9.0.0"`), "FAIL version unknown-version"},
		{"a version that is none", edit(t, two, `"version":"1.1.0"`, `"version":"one"`), "FAIL version unknown-version"},
		{"an unknown outcome", hashed(t, strings.Replace(two, `"outcome":"success"`, `"outcome":"maybe"`, 1)), "FAIL steps[0].outcome unknown-value"},
		{"an unknown behavior", hashed(t, strings.Replace(two, `"execute"`, `"repeat"`, 1)), "FAIL steps[0].replay_behavior unknown-value"},
		{"a hash that is not the SDK's", hashed(t, edit(t, two, `"b9d7dd9bea3a2091"`, `"B9D7"`)), "warn steps[0].rng_state_before not-sdk-form"},
		{"a skip without a key", hashed(t, edit(t, idempotent, `"default:72ae3752e37c27745fee85bb0146b0a1"`, `null`)), "warn steps[0].idempotency_key missing"},
		{"a key of another tenant", hashed(t, edit(t, idempotent, `"default:72`, `"other:72`)), "warn steps[0].idempotency_key not-tenant-scoped"},
		{"an upper-case root hash", edit(t, two, `"fca4`, `"FCA4`), "FAIL root_hash malformed-hash"},
		{"a tenant that is a number", edit(t, two, `"tenant-001"`, `1`), "FAIL tenant_id wrong-type"},
		{"a seed that is a float", edit(t, two, `"seed":1337`, `"seed":1337.0`), "FAIL seed wrong-type"},
		{"no steps", `{"finalized":true,"root_hash":"` + strings.Repeat("0", 64) + `","seed":1,"tenant_id":"","timestamp":"","version":"1.1.0","plan":[]}`, "FAIL steps missing"},
		{"a plan whose params are not those of one step", edit(t, two, `"GET"`, `"PUT"`), "warn steps[0].input_hash input-not-recoverable"},
		{"text that breaks off", two[:strings.Index(two, `"tenant_id"`)], "FAIL evidence truncated"},
		{"a repeated name", edit(t, two, `"seed":1337`, `"seed":1,"seed":1337`), "FAIL seed duplicate-key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := faults(alone(traceName, tt.text)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	r := alone(traceName, tests[3].text)
	if r.Unchecked != "unknown version 9.0.0" || len(r.Checks) != 2 {
		t.Errorf("a version that can't be read is judged on: %+v", r)
	}
}

// "root_hash = recomputed chain: expected H1, recorded H2".
func TestRootHashReason(t *testing.T) {
	c := row(t, judged(vectors(), "sdk-trace/bad-seed.trace.json"), "root_hash")
	says(t, c, verify.Fail, "expected "+c.Observed, "recorded "+c.Recorded)
	if len(c.Observed) != 64 || c.Observed == c.Recorded {
		t.Errorf("%+v", c)
	}
}

// The JavaScript SDK hashes raw UTF-8: "try the Python form, then the other".
// The hash was computed with node's crypto over the JSON that it would write.
func TestRootHashOfTheJavaScriptSDK(t *testing.T) {
	text := `{"version":"1.1.0","seed":42,"timestamp":"2025-12-06T12:00:00.000Z","tenant_id":"default","plan":[],"steps":[` +
		`{"step_index":0,"skill_id":"größe","input_hash":"0000000000000000","output_hash":"1111111111111111","rng_state_before":"2222222222222222",` +
		`"outcome":"success","idempotency_key":null,"replay_behavior":"execute"}],"root_hash":"JSHASH","finalized":true,"metadata":{}}`
	c := row(t, alone(traceName, strings.Replace(text, "JSHASH", "acae857b420514aab633d7490d6add9caa1fc453cb58e14f00d11ab573c28d3a", 1)), "root_hash")
	says(t, c, verify.OK, "JavaScript")
	c = row(t, alone(traceName, strings.Replace(text, "JSHASH", strings.Repeat("0", 64), 1)), "root_hash")
	says(t, c, verify.Fail, "expected")
}

// A trace without input hashes does not match its plan.
func TestNoInputHashesNoMatch(t *testing.T) {
	text := strings.ReplaceAll(read(t, "sdk-trace/two-steps.trace.json"), `"input_hash"`, `"x"`)
	for _, c := range alone(traceName, text).Checks {
		if c.Field == "steps[].input_hash" {
			t.Errorf("%+v", c)
		}
	}
}

// A simulated run hashes {plan, budget}; "other budgets tried if declared".
func TestSimulatedBudgets(t *testing.T) {
	text := read(t, "sdk-trace/simulate.trace.json")
	says(t, row(t, alone(traceName, text), "steps[0].input_hash"), verify.OK, "1000")

	// The input hash for a budget of 250, computed with Python from the README's rule.
	other := hashed(t, edit(t, text, "7cc6b3388fa314e0", "45d13a13d9756419"))
	says(t, row(t, alone(traceName, other), "steps[0].input_hash"), verify.Warn, "not recoverable")
	says(t, row(t, alone(traceName, edit(t, other, `"metadata":{}`, `"metadata":{"budget":250}`)), "steps[0].input_hash"), verify.OK, "250")
	f := Format{Config{Budgets: []int64{7, 250}}}
	r := f.Verify(t.Context(), &verify.Evidence{Path: traceName, Tree: tree(map[string]string{traceName: other})})
	says(t, row(t, r, "steps[0].input_hash"), verify.OK, "250")
}

// "pair (golden, replay): seed, timestamp, tenant, count, per step skill, hashes,
// rng, outcome, idempotency, root: step[i].F: A ≠ B".
func TestSDKPair(t *testing.T) {
	two := read(t, "sdk-trace/two-steps.trace.json")
	replay := func(text string) verify.Result {
		return judged(tree(map[string]string{"a.golden.trace.json": two, "a.replay.trace.json": text}), "a.replay.trace.json")
	}
	audit := edit(t, edit(t, two, `"duration_ms":245`, `"duration_ms":9`), "12:00:01.000000", "12:00:09.000000")
	if got := faults(replay(audit)); got != "" {
		t.Errorf("durations and times of steps may differ: %s", got)
	}
	r := replay(hashed(t, edit(t, edit(t, two, `"seed":1337`, `"seed":7`), "215ddd5567ca2590", "0000000000000000")))
	want := "FAIL pair.seed replay-differs\nFAIL pair.steps[1].output_hash replay-differs\nFAIL pair.root_hash replay-differs"
	if got := faults(r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	says(t, row(t, r, "pair.steps[1].output_hash"), verify.Fail, "step[1].output_hash: 215ddd5567ca2590 ≠ 0000000000000000")
	r = replay(read(t, "sdk-trace/empty.trace.json"))
	says(t, row(t, r, "pair.steps.count"), verify.Fail, "2 ≠ 0")
	if len(r.Inputs) != 1 || r.Inputs[0].Path != "a.golden.trace.json" {
		t.Errorf("%+v", r.Inputs)
	}
}

// "AOS: the same seed, plan and tenant with another output hash: warn not-deterministic"
// (issue 11; "Given the same inputs → same", PIN-009). Both say so, and name each other.
func TestNotDeterministic(t *testing.T) {
	t.Parallel()
	two := read(t, "sdk-trace/two-steps.trace.json")
	later := func(text string) string {
		return hashed(t, edit(t, text, `"timestamp":"2025-12-06T12:00:00+00:00"`, `"timestamp":"2025-12-07T12:00:00+00:00"`))
	}
	other := later(edit(t, two, "215ddd5567ca2590", "215ddd5567ca2591"))
	fsys := tree(map[string]string{"x/a.trace.json": two, "y/b.trace.json": other})
	for name, partner := range map[string]string{"x/a.trace.json": "y/b.trace.json", "y/b.trace.json": "x/a.trace.json"} {
		view, reads := fsys.Noting()
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: view})
		if got := faults(r); got != "warn steps[1].output_hash not-deterministic" || row(t, r, "steps[1].output_hash").Input != partner {
			t.Errorf("%s: %s", name, got)
		}
		if !reads.Any(nil, func(r verify.Read) bool { return r.Name == partner && r.Outcome == verify.Found }) {
			t.Errorf("%s: %s was not read", name, partner)
		}
	}
	for what, b := range map[string]string{
		"the same outputs": later(two), "another seed": hashed(t, edit(t, other, `"seed":1337`, `"seed":1338`)),
		"another tenant": hashed(t, edit(t, other, `"tenant-001"`, `"tenant-002"`)), "another plan": edit(t, other, `"skill":"json_transform"`, `"skill":"transform"`),
	} {
		view, reads := tree(map[string]string{"a.trace.json": two, "b.trace.json": b}).Noting()
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: "a.trace.json", Tree: view})
		if got := faults(r); got != "" || reads.Any(nil, func(r verify.Read) bool { return r.Name == "b.trace.json" }) {
			t.Errorf("%s: %s", what, got)
		}
	}
}
