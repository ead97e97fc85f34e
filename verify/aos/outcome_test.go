package aos

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

const outcomesName = "runs/a.outcomes.json"

// outcome is one that is valid, in the shape of the repository's sample.
const outcome = `{"run_id":"r","step_id":"s","status":"failure","code":"ERR_HTTP_503","message":"m","details":null,` +
	`"cost_cents":0,"latency_ms":1,"retryable":true,"side_effects":[{"type":"http","target":"a"},{"type":"http","target":"a"}],` +
	`"metadata":{"skill_id":"http_call","skill_version":"1.0.0"},"observability":{"trace_id":"t","span_id":"s","backend_retries":3},` +
	`"timestamp":"2025-12-01T06:30:15.234Z"}`

// StructuredOutcome, field by field, as its JSON schema (draft-07) has it.
func TestOutcomeFields(t *testing.T) {
	tests := []struct {
		name, old, with, want string
	}{
		{"valid", "", "", ""},
		{"run_id", `"run_id":"r"`, `"run_id":1`, "FAIL run_id schema"},
		{"status", `"failure"`, `"failed"`, "FAIL status schema"},
		{"code of the wrong type", `"ERR_HTTP_503"`, `503`, "FAIL code schema"},
		{"code in small letters", `"ERR_HTTP_503"`, `"err_http_503"`, "FAIL code malformed"},
		{"code of no list", `"ERR_HTTP_503"`, `"ERR_SOMETHING"`, "warn code unknown-code"},
		// "Rate limit error code (ERR_RATE_LIMITED)" (PIN-009, Allowed Nondeterminism Zones).
		{"the document's own code", `"ERR_HTTP_503"`, `"ERR_RATE_LIMITED"`, ""},
		// "HTTP 503 → always ERR_HTTP_503" (PIN-009, Error Code Mapping).
		{"the status of its code", `"details":null`, `"details":{"http_status":503}`, ""},
		{"the status of another code", `"details":null`, `"details":{"http_status":500}`, "FAIL details.http_status code-differs"},
		{"a status that is none of its class", `"code":"ERR_HTTP_503","message":"m","details":null`, `"code":"ERR_HTTP_5XX","message":"m","details":{"status_code":404}`, "FAIL details.status_code code-differs"},
		{"a status of its class", `"code":"ERR_HTTP_503","message":"m","details":null`, `"code":"ERR_HTTP_5XX","message":"m","details":{"http_status":599}`, ""},
		{"a status under a code of another layer", `"code":"ERR_HTTP_503","message":"m","details":null`, `"code":"ERR_LLM_RATE_LIMIT","message":"m","details":{"http_status":429}`, ""},
		{"an error status under a success", `"status":"failure","code":"ERR_HTTP_503","message":"m","details":null,"cost_cents":0,"latency_ms":1,"retryable":true`, `"status":"success","code":"OK_HTTP_CALL","message":"m","details":{"http_status":503},"cost_cents":0,"latency_ms":1`, "FAIL details.http_status code-differs"},
		{"code of the error contract", `"ERR_HTTP_503"`, `"ERR_HTTP_503_UNAVAILABLE"`, ""},
		{"code of the workflow engine", `"ERR_HTTP_503"`, `"SERVICE_UNAVAILABLE"`, ""},
		{"code of the generic form", `"ERR_HTTP_503"`, `"ERR_HTTP_599"`, ""},
		{"generic and not retryable", `"ERR_HTTP_503"`, `"ERR_HTTP_418"`, "FAIL retryable retryable-differs"},
		{"known and not retryable", `"ERR_HTTP_503"`, `"ERR_HTTP_404"`, "FAIL retryable retryable-differs"},
		{"retryable", `"retryable":true`, `"retryable":false`, "FAIL retryable retryable-differs"},
		{"retryable of the wrong type", `"retryable":true`, `"retryable":1`, "FAIL retryable schema"},
		{"no retryable", `"retryable":true,`, ``, ""},
		{"success with an error code", `"failure"`, `"success"`, "FAIL status status-contradicts-code"},
		{"failure with a success code", `"ERR_HTTP_503"`, `"OK_HTTP_CALL"`, "FAIL status status-contradicts-code"},
		{"message", `"m"`, `null`, "FAIL message schema"},
		{"no message", `"message":"m",`, ``, "FAIL message missing"},
		{"details", `"details":null`, `"details":[]`, "FAIL details schema"},
		{"a cost below 0", `"cost_cents":0`, `"cost_cents":-1`, "FAIL cost_cents schema"},
		{"a cost that is whole", `"cost_cents":0`, `"cost_cents":1.0`, ""},
		{"a cost beyond 64 bits", `"cost_cents":0`, `"cost_cents":1e300`, ""},
		{"a latency that is not", `"latency_ms":1`, `"latency_ms":1.5`, "FAIL latency_ms schema"},
		{"side effects", `"side_effects":[{"type":"http","target":"a"},`, `"side_effects":[1,`, "FAIL side_effects schema"},
		{"metadata", `"metadata":{"skill_id":"http_call","skill_version":"1.0.0"}`, `"metadata":[]`,
			"FAIL metadata schema\nwarn metadata.skill_id cannot-pin\nwarn metadata.skill_version cannot-pin"},
		{"no version", `,"skill_version":"1.0.0"`, ``, "warn metadata.skill_version cannot-pin"},
		{"retries", `"backend_retries":3`, `"backend_retries":-3`, "FAIL observability schema"},
		{"trace_id", `"trace_id":"t"`, `"trace_id":1`, "FAIL observability schema"},
		{"timestamp", `06:30:15.234Z`, `06:30`, "FAIL timestamp schema"},
		{"a timestamp with an offset", `06:30:15.234Z`, `06:30:15+01:00`, ""},
		{"an extra member", `"run_id":"r"`, `"run_id":"r","extra":1`, "FAIL extra unknown-field"},
		{"a comment", `"run_id":"r"`, `"run_id":"r","$comment":"c"`, ""},
	}
	for _, tt := range tests {
		text := outcome
		if tt.old != "" {
			text = edit(t, outcome, tt.old, tt.with)
		}
		if got := faults(alone(outcomesName, text)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if got, want := faults(alone(outcomesName, "["+outcome+","+text+"]")), tt.want; (got == "") != (want == "") {
			t.Errorf("%s in a list: %s", tt.name, got)
		}
	}
}

// "Codes found in more than one list agree on retryable", and the lists are
// those that the notes count.
func TestTaxonomyData(t *testing.T) {
	data, err := os.ReadFile("taxonomy.json")
	if err != nil {
		t.Fatal(err)
	}
	var lists struct {
		Lists []struct {
			Name, Source string
			Success      []string
			Retryable    []string
			NotRetryable []string `json:"not_retryable"`
		}
	}
	if err := json.Unmarshal(data, &lists); err != nil {
		t.Fatal(err)
	}
	says := make(map[string]string)
	for _, l := range lists.Lists {
		if !strings.Contains(l.Source, "commit 5efb1dc2, backend/app/") {
			t.Errorf("%s has no source", l.Name)
		}
		for what, codes := range map[string][]string{"success": l.Success, "yes": l.Retryable, "no": l.NotRetryable} {
			for _, c := range codes {
				if !codePattern.MatchString(c) || says[c] != "" && says[c] != what {
					t.Errorf("%s: %s is %s in one list and %s in another", l.Name, c, says[c], what)
				}
				says[c] = what
			}
		}
	}
	v1 := lists.Lists[0]
	slices.Sort(v1.Success)
	slices.Sort(v1.Retryable)
	slices.Sort(v1.NotRetryable)
	for what, list := range map[string][2][]string{
		"success": {v1.Success, strings.Fields("OK OK_HTTP_CALL OK_JSON_TRANSFORM OK_LLM_INVOKE")},
		// By category: transient, third_party, infra, policy.
		"retryable": {v1.Retryable, strings.Fields(`ERR_HTTP_TIMEOUT ERR_TIMEOUT
			ERR_HTTP_429 ERR_HTTP_5XX ERR_HTTP_500 ERR_HTTP_502 ERR_HTTP_503 ERR_HTTP_504 ERR_LLM_RATE_LIMIT ERR_LLM_API_ERROR
			ERR_DNS_FAILURE ERR_CONNECTION_REFUSED ERR_INTERNAL ERR_RATE_LIMIT_INTERNAL ERR_RATE_LIMIT_CONCURRENT`)},
		// client, third_party, infra, policy, safety.
		"not retryable": {v1.NotRetryable, strings.Fields(`ERR_HTTP_4XX ERR_HTTP_400 ERR_HTTP_401 ERR_HTTP_403 ERR_HTTP_404
			ERR_LLM_CONTEXT_LENGTH ERR_VALIDATION_FAILED ERR_SCHEMA_MISMATCH ERR_SKILL_NOT_FOUND ERR_SERIALIZATION_FAILED ERR_DESERIALIZATION_FAILED
			ERR_LLM_INVALID_RESPONSE ERR_SSL_ERROR ERR_STORAGE_QUOTA_EXCEEDED ERR_UNKNOWN
			ERR_POLICY_VIOLATION ERR_BUDGET_EXCEEDED ERR_QUOTA_EXCEEDED ERR_PERMISSION_DENIED ERR_SKILL_DISABLED
			ERR_LLM_CONTENT_FILTER ERR_SAFETY_REJECTED ERR_PROMPT_INJECTION`)},
	} {
		if slices.Sort(list[1]); !slices.Equal(list[0], list[1]) {
			t.Errorf("%s in taxonomy v1: %q, the document has %q", what, list[0], list[1])
		}
	}
	if len(v1.Success) != 4 || len(v1.Retryable)+len(v1.NotRetryable) != 38 {
		t.Errorf("taxonomy v1 has %d success codes and %d errors", len(v1.Success), len(v1.Retryable)+len(v1.NotRetryable))
	}
	if len(taxonomy()) != len(says) {
		t.Errorf("%d codes are looked up, %d are in the data", len(taxonomy()), len(says))
	}
}

// "_replay_assertion: each path holds: PATH: expected A, found B". The paths are
// those of the repository's replayable sample.
func TestReplayAssertion(t *testing.T) {
	for _, tc := range []struct{ path, value, found string }{
		{"status", `"failure"`, ""},
		{"cost_cents", `0`, ""},
		{"cost_cents", `0.0`, ""},
		{"cost_cents", `1`, "cost_cents: expected 1, found 0"},
		{"metadata.skill_id", `"http_call"`, ""},
		{"metadata.skill_id", `"other"`, "metadata.skill_id: expected other, found http_call"},
		{"metadata.absent", `"other"`, "metadata.absent: expected other, found nothing"},
		{"observability.backend_retries", `3`, ""},
		{"side_effects.length", `2`, ""},
		{"side_effects.length", `3`, "side_effects.length: expected 3, found 2"},
		{"side_effects[*].type", `"http"`, ""},
		{"side_effects[*].type", `"mail"`, "side_effects[*].type: expected mail, found http"},
		{"metadata[*].type", `"mail"`, "found an object"},
		{"retryable", `true`, ""},
		{"details", `null`, ""},
	} {
		text := edit(t, outcome, `"run_id":"r"`, `"run_id":"r","_replay_assertion":{"deterministic_fields":{"`+tc.path+`":`+tc.value+`},"ignored_fields":["message"]}`)
		c := row(t, alone(outcomesName, text), "_replay_assertion")
		if tc.found == "" {
			says(t, c, verify.OK)
		} else {
			says(t, c, verify.Fail, tc.found)
		}
	}
}

// "The following fields MUST NEVER influence runtime behavior or replay assertions" and
// "Any code path that uses these fields to make decisions MUST be flagged as a determinism
// violation" (PIN-009, Forbidden Fields).
func TestAssertionsOnForbiddenFields(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"timestamp": true, "latency_ms": true, "observability.trace_id": true, "observability.span_id": true, "message": true,
		"details.response_body": true, "details.response_body.id": true, "details.llm_output": true, "side_effects[*].timestamp": true,
		"code": false, "observability.backend_retries": false, "side_effects[*].type": false, "details": false,
	} {
		value := map[string]string{"timestamp": `"2025-12-01T06:30:15.234Z"`, "latency_ms": "1", "message": `"m"`, "code": `"ERR_HTTP_503"`,
			"observability.backend_retries": "3", "side_effects[*].type": `"http"`, "details": "null"}[path]
		if value == "" {
			value = `"t"`
		}
		text := edit(t, outcome, `"run_id":"r"`, `"run_id":"r","_replay_assertion":{"deterministic_fields":{"`+path+`":`+value+`}}`)
		c := row(t, alone(outcomesName, text), "_replay_assertion")
		if got := c.Status == verify.Fail && c.Code == "determinism-violation"; got != want || !want && c.Status != verify.OK {
			t.Errorf("%s: %+v", path, c)
		}
	}
}

// "dry_run: Simulate execution without side effects" (PIN-009, Replay Modes).
func TestDryRun(t *testing.T) {
	t.Parallel()
	const effects = `"side_effects":[{"type":"http","target":"a"},{"type":"http","target":"a"}],`
	none := edit(t, outcome, effects, `"side_effects":[],`)
	mode := func(m string) string {
		return `{"trace_id":"t","replay_mode":"` + m + `","original_run_id":"r","behavior_match":{"retry_count":true,"error_codes":true,"cost_cents":true,"side_effects":true}}`
	}
	for _, tc := range []struct{ name, replay, trace, pair, claims string }{
		{"an honest dry run", none, mode("dry_run"), "", ""},
		{"a dry run with side effects", outcome, mode("dry_run"), "FAIL pair.side_effects dry-run-side-effect", "FAIL replay_mode.side_effects dry-run-side-effect"},
		{"a full replay without them", none, mode("full_replay"), "FAIL pair.side_effects side-effect-differs", "FAIL behavior_match.side_effects false-claim"},
		{"no mode", none, "", "FAIL pair.side_effects side-effect-differs", ""},
	} {
		files := map[string]string{"a.outcomes.json": outcome, "a-replay.outcomes.json": tc.replay}
		if tc.trace != "" {
			files["a-replay.trace.json"] = tc.trace
			if got := faults(judged(tree(files), "a-replay.trace.json")); got != tc.claims {
				t.Errorf("%s: %s", tc.name, got)
			}
		}
		if got := faults(judged(tree(files), "a-replay.outcomes.json")); got != tc.pair {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
}

// "If original logged [webhook_sent, email_queued], replay logs same descriptors" (PIN-009,
// Replay Invariants): names are not the schema's objects. That is one row, and no other one
// says that they are fine.
func TestSideEffectsAsNames(t *testing.T) {
	t.Parallel()
	named := func(names string) string {
		return edit(t, outcome, `[{"type":"http","target":"a"},{"type":"http","target":"a"}]`, names)
	}
	for _, tc := range []struct{ a, b, want string }{
		{`["webhook_sent","email_queued"]`, `["webhook_sent","email_queued"]`, "FAIL side_effects schema"},
		{`["webhook_sent","email_queued"]`, `["email_queued","webhook_sent"]`, "FAIL side_effects schema\nFAIL pair.side_effects side-effect-differs"},
		{`[{"type":"http","target":"a"}]`, `["webhook_sent"]`, "FAIL side_effects schema\nFAIL pair.side_effects side-effect-differs"},
	} {
		r := judged(tree(map[string]string{"a.outcomes.json": named(tc.a), "a-replay.outcomes.json": named(tc.b)}), "a-replay.outcomes.json")
		if got := faults(r); got != tc.want {
			t.Errorf("%s: %s", tc.b, got)
		}
		for _, c := range r.Checks {
			if c.Field == "pair.side_effects" && c.Status == verify.OK {
				t.Errorf("%s: %+v", tc.b, c)
			}
		}
	}
}

// An emptied list records nothing, and is never fine.
func TestNoOutcomes(t *testing.T) {
	t.Parallel()
	if r := alone(outcomesName, "[]"); faults(r) != "FAIL evidence empty" || r.Unchecked == "" {
		t.Errorf("%s", faults(r))
	}
}

// "pair: step_id, status, code, cost_cents, retryable, skill_id, skill_version,
// backend_retries equal, in order; side_effects; the rest is allowed to differ".
func TestOutcomePairs(t *testing.T) {
	tests := []struct {
		name, old, with, want string
	}{
		{"the same", "", "", ""},
		{"step_id", `"step_id":"s"`, `"step_id":"z"`, "FAIL pair[0].step_id replay-differs"},
		{"status", `"failure"`, `"partial"`, "FAIL pair[0].status replay-differs"},
		{"code", `"ERR_HTTP_503"`, `"ERR_HTTP_502"`, "FAIL pair[0].code replay-differs"},
		{"cost_cents", `"cost_cents":0`, `"cost_cents":5`, "FAIL pair[0].cost_cents replay-differs"},
		{"a whole cost as float", `"cost_cents":0`, `"cost_cents":0.0`, ""},
		{"a cost that a float64 can't tell apart", `"cost_cents":0`, `"cost_cents":9007199254740993`, "FAIL pair[0].cost_cents replay-differs"},
		{"no retryable", `"retryable":true,`, ``, "FAIL pair[0].retryable replay-differs"},
		{"skill_id", `"http_call"`, `"other"`, "FAIL pair[0].metadata.skill_id replay-differs"},
		{"skill_version", `"1.0.0"`, `"1.0.1"`, "FAIL pair[0].metadata.skill_version replay-differs"},
		{"backend_retries", `"backend_retries":3`, `"backend_retries":2`, "FAIL pair[0].observability.backend_retries replay-differs"},
		{"a side effect more", `"side_effects":[`, `"side_effects":[{"type":"http","target":"a"},`, "FAIL pair[0].side_effects side-effect-differs"},
		{"a side effect's target", `[{"type":"http","target":"a"}`, `[{"type":"http","target":"b"}`, "FAIL pair[0].side_effects side-effect-differs"},
		{"a side effect's time", `[{"type":"http","target":"a"`, `[{"type":"http","timestamp":"later","target":"a"`, ""},
		{"what must not matter", `"message":"m","details":null,`, `"message":"n","details":{"llm_output":"x"},`, ""},
		{"ids and times", `{"trace_id":"t","span_id":"s",`, `{"trace_id":"u","span_id":"v",`, ""},
	}
	for _, tt := range tests {
		replay := outcome
		if tt.old != "" {
			replay = edit(t, outcome, tt.old, tt.with)
		}
		original := outcome
		if strings.Contains(tt.with, "9007199254740993") {
			original = edit(t, outcome, tt.old, `"cost_cents":9007199254740992`)
		}
		fsys := tree(map[string]string{"a-original.outcomes.json": "[" + original + "]", "a-replay.outcomes.json": "[" + replay + "]"})
		if got := faults(judged(fsys, "a-replay.outcomes.json")); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	fsys := tree(map[string]string{"original.outcomes.json": "[" + outcome + "]", "replay.outcomes.json": "[]"})
	says(t, row(t, judged(fsys, "replay.outcomes.json"), "pair.count"), verify.Fail, "1 ≠ 0")

	c := row(t, judged(vectors(), "doc-derived/bad-replay-diverged.outcomes.json"), "pair[0].code")
	says(t, c, verify.Fail, "step step-001: code ERR_HTTP_503 ≠ ERR_HTTP_TIMEOUT")
	c = row(t, judged(vectors(), "doc-derived/replay-ok.outcomes.json"), "pair.not-compared")
	says(t, c, verify.Info, "allowed to differ: run_id, message, latency_ms, observability.trace_id, observability.span_id, timestamp")
}

// "metadata.skill_version = plan's step: step ran another version", and "sum of
// cost_cents ≤ budget_cents: cost exceeds the plan's budget".
func TestOutcomesAgainstThePlan(t *testing.T) {
	original := read(t, "doc-derived/original.outcomes.json")
	plan := read(t, "doc-derived/plan.json")
	for _, tc := range []struct{ name, plan, field, reason string }{
		{"version", edit(t, plan, `"1.2.0"`, `"1.3.0"`), "[0].metadata.skill_version", "step ran another version: 1.2.0, the plan has 1.3.0"},
		{"skill", strings.Replace(plan, `"http_call"`, `"other"`, 1), "[0].metadata.skill_id", "step ran another skill"},
		{"budget", edit(t, plan, `"budget_cents": 1000`, `"budget_cents": 4`), "cost_cents", "cost exceeds the plan's budget"},
	} {
		r := judged(tree(map[string]string{"x/run.outcomes.json": original, "x/run.plan.json": tc.plan}), "x/run.outcomes.json")
		says(t, row(t, r, tc.field), verify.Fail, tc.reason)
		if r.Count(verify.Fail) != 1 {
			t.Errorf("%s: %s", tc.name, bad(r))
		}
	}
	reordered := "[" + original[strings.Index(original, " {\n  \"run_id\": \"run-a\",\n  \"step_id\": \"step-002\""):strings.LastIndex(original, "]")] + "," + original[strings.Index(original, "{"):strings.Index(original, " },\n {")] + "}]"
	if got := faults(judged(tree(map[string]string{"run.outcomes.json": reordered, "plan.json": plan}), "run.outcomes.json")); got != "FAIL [1].step_id plan-order" {
		t.Errorf("steps in another order: %s", got)
	}
	foreign := edit(t, original, "step-002", "step-003")
	if got := faults(judged(tree(map[string]string{"run.outcomes.json": foreign, "plan.json": plan}), "run.outcomes.json")); got != "FAIL [1].step_id not-the-plans" {
		t.Errorf("a step that is not planned: %s", got)
	}
	// "Plan steps execute in declared order": a step in the middle was skipped.
	first, _, _ := strings.Cut(original, " },\n {")
	skipped := edit(t, plan, `"step_id": "step-002"`, `"step_id": "step-1b", "skill_id": "x", "skill_version": "1", "parameters": {}}, {"step_id": "step-002"`)
	if got := faults(judged(tree(map[string]string{"run.outcomes.json": original, "plan.json": skipped}), "run.outcomes.json")); got != "warn step_id step-skipped" {
		t.Errorf("a step that was skipped: %s", got)
	}
	if got := faults(judged(tree(map[string]string{"run.outcomes.json": first + "}]", "plan.json": skipped}), "run.outcomes.json")); got != "" {
		t.Errorf("a run that stopped early: %s", got)
	}
	// "Same attempt_number and max_retries → same retry decision", "Store policy in plan".
	limited := func(policy string) string {
		p := edit(t, plan, `"goal":`, policy+`"goal":`)
		return faults(judged(tree(map[string]string{"run.outcomes.json": original, "plan.json": p}), "run.outcomes.json"))
	}
	if got := limited(`"retry_policy":{"max_retries":2},`); got != "FAIL [0].observability.backend_retries too-many-retries" {
		t.Errorf("more retries than the plan allows: %s", got)
	}
	if got := limited(`"retry_policy":{"max_retries":3},`); got != "" {
		t.Errorf("as many as the plan allows: %s", got)
	}
	exact := edit(t, plan, `"budget_cents": 1000`, `"budget_cents": 5`)
	if got := bad(judged(tree(map[string]string{"run.outcomes.json": original, "plan.json": exact}), "run.outcomes.json")); got != "" {
		t.Errorf("a budget that is used up: %s", got)
	}
	// A plan that has none of the steps is another run's.
	other := strings.NewReplacer("step-001", "x", "step-002", "y", "1000", "1").Replace(plan)
	if r := judged(tree(map[string]string{"run.outcomes.json": original, "plan.json": other}), "run.outcomes.json"); bad(r) != "" || len(r.Inputs) != 0 {
		t.Errorf("%s", bad(r))
	}
}

// "if attempt >= policy.max_retries: return False; if error_code not in
// policy.retryable_codes: return False; return True" (PIN-009, Retry Decision Formula).
func TestRetryDecision(t *testing.T) {
	t.Parallel()
	plan := func(policy string) string {
		return `{"plan_id":"p","created_at":"c","agent_id":"a","goal":"g","context":{"budget_cents":9,"allowed_skills":["http_call"]},` +
			`"steps":[{"step_id":"s","skill_id":"http_call","skill_version":"1.0.0","parameters":{}` + policy + `}]}`
	}
	for _, tc := range []struct{ name, policy, want string }{
		{"no policy", ``, ""},
		{"as often as it may", `,"retry_policy":{"max_retries":3,"retryable_codes":["ERR_HTTP_503"]}`, ""},
		{"more often", `,"retry_policy":{"max_retries":2,"retryable_codes":["ERR_HTTP_503"]}`, "FAIL observability.backend_retries too-many-retries"},
		{"gave up early", `,"retry_policy":{"max_retries":5,"retryable_codes":["ERR_HTTP_503"]}`, "warn observability.backend_retries retries-left"},
		{"ended with a code that is not tried again", `,"retry_policy":{"max_retries":5,"retryable_codes":["ERR_HTTP_429"]}`, ""},
		{"nothing is tried again", `,"retry_policy":{"max_retries":3,"retryable_codes":[]}`, "FAIL observability.backend_retries retry-not-allowed"},
		{"no list", `,"retry_policy":{"max_retries":5}`, ""},
		{"no bound", `,"retry_policy":{"retryable_codes":["ERR_HTTP_503"]}`, ""},
	} {
		files := map[string]string{"run.outcomes.json": outcome, "run.plan.json": plan(tc.policy)}
		if got := faults(judged(tree(files), "run.outcomes.json")); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}
