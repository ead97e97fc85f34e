package decision

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/verify"
)

// A file is recognised by place and content.
func TestRecognition(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
		unchecked  bool
	}{
		{"a completion without x_router", `{"object": "chat.completion", "choices": [{"message": {"content": "x"}}]}`, "FAIL document no-decision-trace", true},
		{"an empty x_router", `{"x_router": {}}`, "FAIL document no-decision-trace", true},
		{"x_router is null", `{"x_router": null}`, "FAIL document no-decision-trace", true},
		{"an x_router without its trace", `{"provider": "p", "model_family": "m", "served_model_id": "s"}`, "FAIL document no-decision-trace", true},
		{"the trace is null", `{"decision_trace": null}`, "FAIL document no-decision-trace", true},
		{"the trace is empty", `{"decision_trace": {}}`, "FAIL document no-decision-trace", true},
		{"the trace is a list", `{"decision_trace": [1]}`, "FAIL document no-decision-trace", true},
		{"something else", `{"title": "Use Go", "choices": ["Go", "Rust"]}`, "info document not-recognised", false},
		{"a list", `[]`, "info document not-recognised", false},
		{"null", `null`, "info document not-recognised", false},
		{"empty", ``, "FAIL document broken-json", true},
		{"half a trace", `{"decision_trace": {"policy_term": ["policy"`, "FAIL document broken-json", true},
		{"10,000 deep", strings.Repeat("[", 10_000), "FAIL document broken-json", true},
		{"byte order mark", "\ufeff{}", "FAIL document broken-json", true},
	}
	for _, tt := range tests {
		r := check(fstest.MapFS{tracePath: {Data: []byte(tt.text)}})
		renderable(t, r)
		if got := rows(r, verify.Fail, verify.Warn, verify.Info, verify.OK); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if (r.Unchecked != "") != tt.unchecked {
			t.Errorf("%s: Unchecked %q", tt.name, r.Unchecked)
		}
	}
	r := check(fstest.MapFS{tracePath: {Data: []byte(`{"decision_trace": null}`)}})
	if r.Unchecked != "no decision trace in the file" {
		t.Errorf("%q", r.Unchecked)
	}
	if r := check(nil); bad(r) != "FAIL evidence unreadable" || r.Unchecked == "" {
		t.Errorf("no file: %s", bad(r))
	}
}

// Repeated names fail, and the last value is the one that is judged.
func TestRepeatedNames(t *testing.T) {
	fsys := tree(router(failover(t)), nil, nil)
	fsys[tracePath].Data = []byte(strings.Replace(string(fsys[tracePath].Data), `"started_at_ms"`, `"total_latency_ms": 1, "started_at_ms"`, 1))
	if got := bad(check(fsys)); got != "FAIL decision_trace.total_latency_ms duplicate-key" {
		t.Errorf("got %s", got)
	}
}

// A snapshot or policy under a claimed folder is no evidence of its own.
func TestCompanions(t *testing.T) {
	at := func(fsys fstest.MapFS, name string) verify.Result {
		e := &verify.Evidence{Path: name, Tree: verify.NewTree(fsys)}
		if in := (Format{}).Inputs(e); in != nil {
			t.Errorf("%s: inputs %v", name, in)
		}
		return Format{}.Verify(t.Context(), e)
	}
	v := failover(t)
	for _, owner := range []string{"decisions/a.json", "decisions/a.decision.json", "decisions/a.x_router.json"} {
		fsys := fstest.MapFS{owner: {}, "decisions/a.snapshot.json": {Data: text(v.Snapshot)}, "decisions/a.policy.json": {Data: []byte(v.Policy)}}
		for _, name := range []string{"decisions/a.snapshot.json", "decisions/a.policy.json"} {
			r := at(fsys, name)
			if got := rows(r, verify.Fail, verify.Warn, verify.Info, verify.OK); got != "info document input" || !strings.HasSuffix(r.Checks[0].Reason, "an input of "+owner) {
				t.Errorf("%s: %s %+v", name, got, r.Checks)
			}
		}
		delete(fsys, owner)
		if got := rows(at(fsys, "decisions/a.policy.json"), verify.Info); got != "info document not-recognised" {
			t.Errorf("without its trace: %s", got)
		}
	}
}

// A trace can't leave the gate's sight by losing its shape.
func TestTraceLost(t *testing.T) {
	was := verify.NewTree(tree(router(failover(t)), nil, nil))
	for text, want := range map[string]string{
		`{}`:                     "FAIL base.document trace-lost",
		`{"decision_trace": {}}`: "FAIL document no-decision-trace\nFAIL base.document trace-lost",
		`{`:                      "FAIL document broken-json\nFAIL base.document trace-lost",
	} {
		e := &verify.Evidence{Path: tracePath, Tree: verify.NewTree(fstest.MapFS{tracePath: {Data: []byte(text)}}), Base: was, BasePath: tracePath}
		if got := bad(Format{}.Verify(t.Context(), e)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	e := &verify.Evidence{Path: tracePath, Tree: verify.NewTree(fstest.MapFS{tracePath: {Data: []byte(`{}`)}}), Base: verify.NewTree(fstest.MapFS{tracePath: {Data: []byte(`[]`)}}), BasePath: tracePath}
	if got := bad(Format{}.Verify(t.Context(), e)); got != "" {
		t.Errorf("no trace before: %s", got)
	}
}

// The inputs are known from the place alone, sorted, whether or not they exist.
func TestInputs(t *testing.T) {
	for name, want := range map[string][]string{
		"runs/a.decision.json":   {"runs/a.policy.json", "runs/a.snapshot.json"},
		"runs/a.x_router.json":   {"runs/a.policy.json", "runs/a.snapshot.json"},
		"decisions/x/a.json":     {"decisions/x/a.policy.json", "decisions/x/a.snapshot.json"},
		"decisions/a.b.json":     {"decisions/a.b.policy.json", "decisions/a.b.snapshot.json"},
		"decisions/a.completion": {"decisions/a.policy.json", "decisions/a.snapshot.json"},
	} {
		if got := (Format{}).Inputs(&verify.Evidence{Path: name}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	v := failover(t)
	r := check(tree(router(v), v.Snapshot, v.Policy))
	want := []verify.Input{
		{Role: "policy", Path: policyPath, Place: verify.PlaceInputs},
		{Role: "snapshot", Path: snapshotPath, Place: verify.PlaceInputs},
	}
	if !slices.Equal(r.Inputs, want) {
		t.Errorf("%+v", r.Inputs)
	}
}

// What the trace says about its run. The time is that of `date -u -d @1772366400.412`.
func TestRecording(t *testing.T) {
	v := sample(t, "03-seeded-sample")
	v.trace()["started_at_ms"] = 1772366400412
	got := check(tree(v.trace(), v.Snapshot, nil)).Recording
	want := verify.Recording{Name: "a", Tool: "unhardcoded", RunKind: "completion", InvokedAt: "2026-03-01T12:00:00.412Z", Seed: "42"}
	if got.Name != want.Name || got.Tool != want.Tool || got.RunKind != want.RunKind || got.InvokedAt != want.InvokedAt || got.Seed != want.Seed {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The globs take the endings that only traces have, and whole folders of them.
func TestPatterns(t *testing.T) {
	for name, want := range map[string]bool{
		"a.decision.json": true, "x/y/a.x_router.json": true, "decisions/a.json": true, "evals/decisions/2026/a.json": true,
		"decision.json": false, "x_router.json": false, "a.snapshot.json": false, "docs/decisions/0001-use-go.md": false, "decisions.json": false,
	} {
		got := slices.ContainsFunc(Format{}.Patterns(), func(p string) bool { return doublestar.MatchUnvalidated(p, name) })
		if got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if f := (Format{}); f.Kind() != "decision" || f.Title() != "unhardcoded decision trace" {
		t.Errorf("%s %s", f.Kind(), f.Title())
	}
}
