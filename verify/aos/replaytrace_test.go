package aos

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

const claim = `{"trace_id":"t-b","replay_mode":"mock_replay","original_run_id":"run-a","behavior_match":{"retry_count":true,"error_codes":true,"cost_cents":true}}`

// claimed judges a replay trace beside an original and a replay.
func claimed(t *testing.T, trace, replay string) verify.Result {
	t.Helper()
	return judged(tree(map[string]string{
		"x/replay.trace.json":        trace,
		"x/a.original.outcomes.json": read(t, "doc-derived/original.outcomes.json"),
		"y/b.outcomes.json":          replay,
	}), "x/replay.trace.json")
}

// "replay_mode: dry_run, full_replay, mock_replay", "behavior_match.* = recomputed
// from the pair", and "false: replay reports a mismatch in ASPECT".
func TestReplayTrace(t *testing.T) {
	good, diverged := read(t, "doc-derived/replay-ok.outcomes.json"), read(t, "doc-derived/bad-replay-diverged.outcomes.json")
	tests := []struct {
		name, trace, replay, want string
	}{
		{"as it is", claim, good, ""},
		{"an unknown mode", edit(t, claim, "mock_replay", "mock"), good, "FAIL replay_mode unknown-mode"},
		{"no mode", edit(t, claim, `"replay_mode":"mock_replay",`, ``), good, "FAIL replay_mode missing"},
		{"a replay that diverged", claim, diverged, "FAIL behavior_match.retry_count false-claim\nFAIL behavior_match.error_codes false-claim\nFAIL behavior_match.cost_cents false-claim"},
		{"a mismatch that is owned up to", edit(t, claim, `"error_codes":true`, `"error_codes":false`), good, "FAIL behavior_match.error_codes reported-mismatch"},
		{"a claim that is not made", edit(t, claim, `"error_codes":true,`, ``), good, "warn behavior_match.error_codes not-claimed"},
		{"a claim of the wrong type", edit(t, claim, `"error_codes":true`, `"error_codes":"yes"`), good, "FAIL behavior_match.error_codes wrong-type"},
		{"side effects", edit(t, claim, `"retry_count":true,"error_codes":true,"cost_cents":true`, `"retry_count":false,"error_codes":false,"cost_cents":false,"side_effects":true,"status":true`), diverged,
			"FAIL behavior_match.retry_count reported-mismatch\nFAIL behavior_match.error_codes reported-mismatch\nFAIL behavior_match.cost_cents reported-mismatch\nFAIL behavior_match.side_effects false-claim"},
		{"an aspect that is unknown", edit(t, claim, `"error_codes":true`, `"error_codes":true,"mood":true`), good, "warn behavior_match.mood unknown-aspect"},
		{"no claims", edit(t, claim, `{"retry_count":true,"error_codes":true,"cost_cents":true}`, `[]`), good, "FAIL behavior_match wrong-type"},
		{"an original that is not there", edit(t, claim, `"run-a"`, `"run-x"`), good, "warn original_run_id original-not-found"},
		{"a replay that is not there", edit(t, claim, `"t-b"`, `"t-x"`), good, "warn original_run_id replay-not-found"},
		{"a replay of fewer steps", claim, good[:strings.Index(good, " },\n {")] + "}]", "FAIL behavior_match.retry_count false-claim\nFAIL behavior_match.error_codes false-claim\nFAIL behavior_match.cost_cents false-claim"},
	}
	for _, tt := range tests {
		if got := faults(claimed(t, tt.trace, tt.replay)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	says(t, row(t, claimed(t, claim, diverged), "behavior_match.retry_count"), verify.Fail, "claims retry_count matches; step step-001 has 3 and 2")
	says(t, row(t, claimed(t, tests[4].trace, good), "behavior_match.error_codes"), verify.Fail, "replay reports a mismatch in error_codes")
	says(t, row(t, claimed(t, tests[10].trace, good), "behavior_match.cost_cents"), verify.Info, "not verified")
	says(t, row(t, claimed(t, claim, tests[12].replay), "behavior_match.cost_cents"), verify.Fail, "the original has 2 steps, the replay 1")
}

// A pair of backend records serves as well as one of outcomes.
func TestReplayTraceOverRecords(t *testing.T) {
	trace := edit(t, edit(t, claim, `"run-a"`, `"orig"`), `"t-b"`, `"replay-retry"`)
	r := judged(tree(map[string]string{
		"r.trace.json": trace,
		"orig.json":    read(t, "trace-record/orig.json"),
		// The loader takes an outcome_code that is not there for null.
		"r.tracerecord.json": strings.Replace(read(t, "trace-record/replay-retry.json"), `"outcome_code": null,`, ``, 1),
	}), "r.trace.json")
	if got := faults(r); got != "FAIL behavior_match.retry_count false-claim" {
		t.Error(got)
	}
}
