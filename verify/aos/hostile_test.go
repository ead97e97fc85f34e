package aos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Evidence that is as wrong as it can be, thousands of times over, is judged in a
// bounded number of rows.
func TestHostileEvidence(t *testing.T) {
	head := `{"version":"1.1.0","finalized":true,"root_hash":"` + strings.Repeat("0", 64) + `","seed":1,"timestamp":"","tenant_id":"","plan":[`
	fill := func(unit string, n int) string { return strings.Repeat(unit, n/len(unit)) }
	const n = 400_000
	step := `{"step_index":7,"skill_id":"é","input_hash":"x","output_hash":"x","rng_state_before":"","outcome":"","idempotency_key":"k","replay_behavior":"q"},`
	deep := strings.Repeat(`{"a":`, 490) + "1" + strings.Repeat("}", 490)
	for _, tc := range []struct{ name, file, text string }{
		{"steps {}", "a.trace.json", head + `],"steps":[` + fill("{},", n) + "{}]}"},
		{"steps bad", "a.trace.json", head + `],"steps":[` + fill(step, n) + "{}]}"},
		{"plan ints", "a.trace.json", head + fill("1,", n) + `1],"steps":[{"skill_id":"simulate","input_hash":"x"}]}`},
		{"plan floats", "a.trace.json", head + fill("1.5,", n) + `1],"steps":[{"skill_id":"simulate","input_hash":"x"}]}`},
		{"plan params deep", "a.trace.json", head + fill(`{"params":`+deep+`},`, n/2) + `1],"steps":[` + fill(step, n/2) + "{}]}"},
		{"outcomes {}", "a.outcomes.json", "[" + outcome + "," + fill("{},", n) + "{}]"},
		{"outcomes codes", "a.outcomes.json", "[" + outcome + "," + fill(`{"code":"X","status":1},`, n) + "{}]"},
		{"outcome members", "a.outcomes.json", `{"status":1,"code":1,"cost_cents":1,"latency_ms":1,` + func() string {
			var b strings.Builder
			for i := 0; b.Len() < n-100; i++ {
				fmt.Fprintf(&b, `"k%d":1,`, i)
			}
			return b.String()
		}() + `"z":1}`},
		{"record", "a.tracerecord.json", `{"correlation_id":"c","checksum":"x","run_id":"r","plan":[],"steps":[` + fill(`{"status":"x"},`, n) + "{}]}"},
		{"record strings", "a.tracerecord.json", `{"correlation_id":"c","checksum":"x","run_id":"r","plan":[],"steps":[{"step_index":0,"skill_name":"","status":"success","outcome_category":"","retry_count":0,"params":{"x":"` + fill(`\u0001`, n) + `"}}]}`},
		{"golden lines", "a.steps.jsonl", `{"event_type":"run_start","data":{"seed":1}}` + "\n" + fill("{}\n", 4*n-100)},
		{"golden steps", "a.steps.jsonl", `{"event_type":"run_start","data":{"seed":1}}` + "\n" + fill(`{"event_type":"step","data":{"index":0,"output":{"A":1.5,"a":null}}}`+"\n", 4*n-1000)},
		{"golden secrets", "a.steps.jsonl", `{"event_type":"step","data":{"inputs":{"x":"` + fill("bearer ", n) + `"}}}`},
		{"plan steps", "a.plan.json", `{"plan_id":"p","context":{},"steps":[` + fill("{},", n) + "{}]}"},
		{"behavior", "a.trace.json", `{"original_run_id":"p","behavior_match":{` + fill(`"x":1,`, n-100) + `"z":1}}`},
		{"surrogates", "a.trace.json", head + `],"steps":[` + fill(`{"\ud800":1},`, n) + "{}]}"},
	} {
		r := alone(tc.file, tc.text)
		wellFormed(t, tc.file, r)
		if len(r.Checks) < 2 || len(r.Checks) > 200 || r.Count(verify.Fail)+r.Count(verify.Warn) == 0 {
			t.Errorf("%s: %d rows: %.500s", tc.name, len(r.Checks), bad(r))
		}
	}
}
