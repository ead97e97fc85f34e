package aos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

var _ interface {
	verify.Recorder
	verify.Configurable
} = Format{}

func recordOf(files map[string]string, name string) verify.Record {
	return Format{}.Record(&verify.Evidence{Path: name, Tree: tree(files)})
}

// compared says what gate/judge makes of two versions of a file: the values that another
// run would have to explain ("rewritten"), those that need none, or that it is another run.
func compared(a, b verify.Record) string {
	var out []string
	if a.Identity != b.Identity {
		out = append(out, "another run")
		if slices.ContainsFunc(a.Traces, func(t string) bool { return slices.Contains(b.Traces, t) }) {
			out = append(out, "with the old one's traces")
		}
	}
	old := make(map[string]verify.Value)
	for _, v := range a.Values {
		old[v.Path] = v
	}
	for _, v := range b.Values {
		if o, ok := old[v.Path]; !ok {
			out = append(out, "added "+v.Path)
		} else if o.Text != v.Text {
			out = append(out, map[verify.Weight]string{verify.Claimed: "claimed ", verify.Noted: "noted "}[v.Weight]+v.Path)
		}
		delete(old, v.Path)
	}
	for _, v := range a.Values {
		if _, gone := old[v.Path]; gone {
			out = append(out, "gone "+v.Path)
		}
	}
	return strings.Join(out, ", ")
}

// Which values name a run, which it claims and which may differ (PIN-009, Field Stability
// Tables and Forbidden Fields; issue 11, "What was recorded stays as it was recorded").
func TestWhatWasRecorded(t *testing.T) {
	t.Parallel()
	two := read(t, "sdk-trace/two-steps.trace.json")
	errorCode := read(t, "sdk-trace/bad-error-code-edited.trace.json")
	orig := read(t, "trace-record/orig.json")
	plan := read(t, "doc-derived/plan.json")
	golden := read(t, "workflow-golden/run-ok.steps.jsonl")
	for _, tc := range []struct{ name, file, before, after, want string }{
		// "plan vs base: changed while root_hash is the same: plan edited".
		{"layout", "a.trace.json", two, strings.ReplaceAll(two, ",", " ,\n"), ""},
		{"a plan that the root hash does not cover", "a.trace.json", two, edit(t, two, `$.items`, `$.all`), "claimed plan[1].params.query"},
		{"an output, hashed anew", "a.trace.json", two, hashed(t, edit(t, two, "215ddd5567ca2590", "215ddd5567ca2591")), "noted root_hash, claimed steps[1].output_hash"},
		{"a tenant, hashed anew", "a.trace.json", two, hashed(t, edit(t, two, `"tenant-001"`, `"tenant-002"`)), "noted root_hash, claimed tenant_id"},
		{"a seed, hashed anew", "a.trace.json", two, hashed(t, edit(t, two, `"seed":1337`, `"seed":1338`)), "another run, with the old one's traces, noted root_hash, claimed seed"},
		{"moved by a second, hashed anew", "a.trace.json", two, hashed(t, edit(t, edit(t, two, `"2025-12-06T12:00:00+00:00"`, `"2025-12-06T12:00:01+00:00"`), `$.items`, `$.all`)),
			"another run, with the old one's traces, claimed plan[1].params.query, noted root_hash, noted timestamp"},
		{"all times moved", "a.trace.json", two, hashed(t, strings.ReplaceAll(edit(t, two, `$.items`, `$.all`), "2025-12-06T", "2025-12-07T")),
			"another run, with the old one's traces, claimed plan[1].params.query, noted root_hash, noted steps[0].timestamp, noted steps[1].timestamp, noted timestamp"},
		{"audit fields", "a.trace.json", two, read(t, "sdk-trace/bad-duration-edited.trace.json"), "another run, with the old one's traces, noted steps[0].duration_ms, noted steps[0].timestamp"},
		{"an error code", "a.trace.json", edit(t, errorCode, "ERR_HTTP_404", "ERR_HTTP_503"), errorCode, "claimed steps[0].error_code"},
		{"metadata", "a.trace.json", two, edit(t, two, "not hashed", "other"), "noted metadata.note"},

		{"a cost", "a.tracerecord.json", orig, strings.Replace(orig, `"cost_cents": `, `"cost_cents": 1`, 1), "claimed steps[0].cost_cents"},
		{"a checksum that is gone", "a.tracerecord.json", orig, edit(t, orig, `"b824615a2503313eab9726a9b13e1842"`, `null`), "claimed checksum"},
		{"a start and a retry", "a.tracerecord.json", orig, strings.Replace(edit(t, orig, `"started_at": "2025-12-22T00:00:00`, `"started_at": "2025-12-22T00:00:01`), `"retry_count": 2`, `"retry_count": 1`, 1),
			"another run, with the old one's traces, noted started_at, claimed steps[0].retry_count"},

		// "run_id, message, details, latency_ms, trace_id, span_id, timestamp: NO".
		{"what must not matter", "a.outcomes.json", outcome, edit(t, outcome, `"message":"m","details":null,`, `"message":"n","details":{"llm_output":"x"},`), "added details.llm_output, noted message, gone details"},
		{"a cost of an outcome", "a.outcomes.json", "[" + outcome + "]", "[" + edit(t, outcome, `"cost_cents":0`, `"cost_cents":5`) + "]", "claimed [0].cost_cents"},
		{"a side effect", "a.outcomes.json", outcome, edit(t, outcome, `[{"type":"http"`, `[{"type":"mail"`), "claimed side_effects[0].type"},
		{"a run by another name", "a.outcomes.json", outcome, edit(t, edit(t, outcome, `"run_id":"r"`, `"run_id":"q"`), `"ERR_HTTP_503"`, `"ERR_HTTP_502"`), "another run, with the old one's traces, claimed code, noted run_id"},

		// "plan: unchanged against base for the same plan_id (created_at apart)".
		{"created_at", "a.plan.json", plan, edit(t, plan, "06:29:00Z", "07:00:00Z"), "noted created_at"},
		{"agent_id", "a.plan.json", plan, edit(t, plan, "a1d7b8a2", "00000000"), "claimed agent_id"},
		{"goal", "a.plan.json", plan, edit(t, plan, "Fetch data", "Drop data"), "claimed goal"},
		{"a parameter", "a.plan.json", plan, edit(t, plan, `"GET"`, `"PUT"`), "claimed steps[0].parameters.method"},
		{"a version", "a.plan.json", plan, edit(t, plan, `"1.2.0"`, `"1.2.1"`), "claimed steps[0].skill_version"},
		{"the budget", "a.plan.json", plan, edit(t, plan, `1000`, `9000`), "claimed context.budget_cents"},
		{"a member more", "a.plan.json", plan, edit(t, plan, `"goal":`, `"owner": "x", "goal":`), "added owner"},
		{"a member less", "a.plan.json", plan, edit(t, plan, `"goal": "Fetch data and notify",`, ``), "gone goal"},
		{"another plan", "a.plan.json", plan, edit(t, edit(t, plan, "0d1c6f0a", "ffffffff"), `1000`, `9000`), "another run, claimed context.budget_cents, claimed plan_id"},

		{"a claim of a replay", "r.trace.json", claim, edit(t, claim, `"error_codes":true`, `"error_codes":false`), "claimed behavior_match.error_codes"},

		{"an input of a golden", "a.steps.jsonl", golden, edit(t, golden, `users/1"`, `users/2"`), "claimed events[1].data.inputs.url"},
		{"a duration in a golden", "a.steps.jsonl", golden, edit(t, golden, `"duration_ms":245`, `"duration_ms":9`), "noted events[1].data.output.duration_ms"},
		{"a golden by another name", "a.steps.jsonl", golden, strings.ReplaceAll(edit(t, golden, `users/1"`, `users/2"`), `"run-ok"`, `"run-no"`),
			"another run, with the old one's traces, noted events[0].run_id, claimed events[1].data.inputs.url, noted events[1].run_id, noted events[2].run_id, noted events[3].run_id"},
	} {
		got := compared(recordOf(map[string]string{tc.file: tc.before}, tc.file), recordOf(map[string]string{tc.file: tc.after}, tc.file))
		if got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// A trace that was recorded anew is another run, and carries nothing of the old one.
func TestARunRecordedAnew(t *testing.T) {
	t.Parallel()
	names := []string{"two-steps", "simulate", "empty"}
	for i, a := range names {
		for _, b := range names[i+1:] {
			record := func(name string) verify.Record {
				return recordOf(map[string]string{"a.trace.json": read(t, "sdk-trace/"+name+".trace.json")}, "a.trace.json")
			}
			if got := compared(record(a), record(b)); !strings.HasPrefix(got, "another run, ") || strings.Contains(got, "old one") {
				t.Errorf("%s and %s: %s", a, b, got)
			}
		}
	}
}

// "A signed golden replaced": what the file beside it held counts as recorded.
func TestTheSignatureIsRecorded(t *testing.T) {
	t.Parallel()
	text := read(t, "workflow-golden/run-ok.steps.jsonl")
	signed := recordOf(map[string]string{"a.steps.jsonl": text, "a.steps.jsonl.sig": sign(key, text) + "\n"}, "a.steps.jsonl")
	for _, tc := range []struct{ sig, want string }{{sign(key, text), ""}, {sign("", text), "claimed .sig"}, {"", "claimed .sig"}} {
		other := recordOf(map[string]string{"b/a.steps.jsonl": text, "b/a.steps.jsonl.sig": tc.sig}, "b/a.steps.jsonl")
		if got := compared(signed, other); got != tc.want || signed.Subject != other.Subject || signed.Subject == "" {
			t.Errorf("%q: %s", tc.sig, got)
		}
	}
	if got := compared(signed, recordOf(map[string]string{"a.steps.jsonl": text}, "a.steps.jsonl")); got != "gone .sig" {
		t.Error(got)
	}
}

// Each path once, in order; what may be a secret is compared and not shown; what names
// no run, or is damaged, records nothing.
func TestRecordsAreFit(t *testing.T) {
	t.Parallel()
	for _, name := range vectors().Files() {
		rec := Format{}.Record(&verify.Evidence{Path: name, Tree: vectors()})
		if kind := open(vectors(), name).kind; (kind == "") != (rec.Identity == "") {
			t.Errorf("%s: %q", name, rec.Identity)
		}
		for i, v := range rec.Values {
			if i > 0 && rec.Values[i-1].Path >= v.Path {
				t.Errorf("%s: %s stands behind %s", name, v.Path, rec.Values[i-1].Path)
			}
		}
		if !slices.IsSorted(rec.Traces) {
			t.Errorf("%s: %q", name, rec.Traces)
		}
	}
	golden := recordOf(map[string]string{"a.steps.jsonl": read(t, "workflow-golden/run-ok.steps.jsonl")}, "a.steps.jsonl")
	if text := fmt.Sprint(golden); !strings.Contains(text, "k-123") {
		t.Error("the key is not compared")
	}
	for _, v := range golden.Values {
		if strings.Contains(v.Shown, "k-123") {
			t.Errorf("%+v", v)
		}
	}
	for _, text := range []string{"", "{}", "\ufeff" + claim, "<<<<<<< a\n" + claim, `{"replay_mode":"x","behavior_match":{}}`} {
		if rec := recordOf(map[string]string{"a.trace.json": text}, "a.trace.json"); rec.Identity != "" {
			t.Errorf("%.30q: %+v", text, rec)
		}
	}
}
