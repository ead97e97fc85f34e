package aos

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const recordName = "runs/a.tracerecord.json"

// summed is a record whose checksum was computed anew after an edit.
func summed(t *testing.T, text string) string {
	t.Helper()
	doc := jsondoc.Parse([]byte(text))
	return edit(t, text, doc.Root.Get("checksum").Text(), checksumOf(doc))
}

func TestTraceRecordValues(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	first := func(old, with string) string { return strings.Replace(orig, old, with, 1) }
	tests := []struct {
		name, text, want string
	}{
		{"as recorded", orig, ""},
		{"another schema version", edit(t, orig, `"schema_version": "1.0.0"`, `"schema_version": "2.0.0"`), "FAIL schema_version unknown-version"},
		{"no schema version", edit(t, orig, `"schema_version": "1.0.0",`, ``), "warn schema_version missing"},
		{"no checksum", edit(t, orig, `"checksum": "b824615a2503313eab9726a9b13e1842"`, `"checksum": null`), ""},
		{"another checksum", edit(t, orig, "b824615a", "b824615b"), "FAIL checksum checksum-differs"},
		{"a retry count under the old checksum", first(`"retry_count": 2`, `"retry_count": 3`), "FAIL checksum checksum-differs"},
		// round(2.0000004, 6) is 2.0, which Python writes otherwise than 2.
		{"a retry count that is a float", first(`"retry_count": 2`, `"retry_count": 2.0000004`), "FAIL checksum checksum-differs"},
		{"an unknown status of the run", edit(t, orig, `"completed"`, `"done"`), "FAIL status unknown-value"},
		{"an unknown status of a step", summed(t, first(`"status": "success"`, `"status": "won"`)), "warn status completed-with-failures\nFAIL steps[0].status unknown-value"},
		{"completed with a failed step", summed(t, first(`"status": "success"`, `"status": "failure"`)), "warn status completed-with-failures"},
		{"failed with a failed step", summed(t, edit(t, first(`"status": "success"`, `"status": "failure"`), `"completed"`, `"failed"`)), ""},
		{"a plan of another skill", first(`"skill": "http_call"`, `"skill": "other"`), "warn steps[0].skill_name not-the-plans"},
		{"a plan of other params", first(`"timeout": 5.0`, `"timeout": 6.0`), "warn steps[0].params not-the-plans"},
		{"a plan whose params differ in the seventh place", first(`3.14159265`, `3.14159266`), ""},
		{"params that are a list", first(`"params": {
    "query": "$.items"
   },
   "status"`, `"params": [], "status"`), "FAIL steps[1].params wrong-type\nwarn steps[1].params not-the-plans"},
		{"an outcome code that is a number", first(`"outcome_code": null`, `"outcome_code": 5`), "FAIL steps[0].outcome_code wrong-type"},
	}
	for _, tt := range tests {
		if got := faults(alone(recordName, tt.text)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	says(t, row(t, alone(recordName, tests[3].text), "checksum"), verify.Info, "no checksum")
	says(t, row(t, alone(recordName, tests[4].text), "checksum"), verify.Fail, "expected b824615a2503313eab9726a9b13e1842, recorded b824615b")
	says(t, row(t, alone(recordName, tests[9].text), "status"), verify.Warn, "completed with failed steps: 0")
}

// A retry is a step that the plan has once.
func TestARetryIsNotAnotherStepOfThePlan(t *testing.T) {
	step := func(i, status string) string {
		return `{"step_index":` + i + `,"skill_name":"s","params":{},"status":"` + status + `","outcome_category":"C","retry_count":0}`
	}
	record := func(steps ...string) string {
		return `{"schema_version":"1.0.0","run_id":"r","correlation_id":"c","plan":[{"skill":"s","params":{}}],"status":"failed","steps":[` + strings.Join(steps, ",") + `]}`
	}
	if got := faults(alone(recordName, record(step("0", "retry"), step("1", "success")))); got != "" {
		t.Error(got)
	}
	if got := faults(alone(recordName, record(step("0", "success"), step("1", "success")))); got != "warn steps[1] not-the-plans" {
		t.Error(got)
	}
}

// "attempt < max_retries": the plan of a record may bound the retries of its steps.
func TestRecordRetries(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	for limit, want := range map[string]string{"1": "FAIL steps[0].retry_count too-many-retries", "2": ""} {
		text := strings.Replace(orig, `"skill": "http_call"`, `"skill": "http_call", "retry_policy": {"max_retries": `+limit+`}`, 1)
		if got := faults(alone(recordName, text)); got != want {
			t.Errorf("%s: %s", limit, got)
		}
	}
}

// "pair parity: checksums equal; else first differing field named, code and
// category too".
func TestParityNamesTheFirstDifference(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	for _, tc := range []struct{ old, with, reason string }{
		{`"skill_name": "http_call"`, `"skill_name": "other"`, "step 0: skill http_call ≠ other"},
		{`"status": "success"`, `"status": "failure"`, "step 0: status success ≠ failure"},
		{`"retry_count": 2`, `"retry_count": 1`, "step 0: retries 2 ≠ 1"},
		{`"outcome_code": null`, `"outcome_code": "ERR_X"`, "step 0: outcome_code null ≠ ERR_X"},
		{`"outcome_category": "SUCCESS"`, `"outcome_category": "PERMANENT"`, "step 0: outcome_category SUCCESS ≠ PERMANENT"},
		{`"step_index": 1`, `"step_index": 2`, "step 1: step_index 1 ≠ 2"},
		{"\"params\": {\n    \"query\": \"$.items\"", "\"params\": {\n    \"query\": \"$.all\"", "step 1: params differ"},
	} {
		at := strings.LastIndex(orig[:strings.Index(orig, `"started_at"`)], tc.old)
		if i := strings.Index(orig, tc.old); !strings.Contains(tc.old, "query") {
			at = i
		}
		replay := summed(t, orig[:at]+tc.with+orig[at+len(tc.old):])
		r := judged(tree(map[string]string{"orig.json": orig, "replay.json": replay}), "replay.json")
		says(t, row(t, r, "pair.parity"), verify.Fail, tc.reason)
	}
	two, one := strings.Index(orig, "  {\n   \"step_index\": 1"), strings.Index(orig, ` "started_at"`)
	short := orig[:strings.LastIndex(orig[:two], ",")] + "],\n" + orig[one:]
	r := judged(tree(map[string]string{"orig.json": orig, "replay.json": summed(t, short)}), "replay.json")
	says(t, row(t, r, "pair.parity"), verify.Fail, "step count: 2 ≠ 1")
}
