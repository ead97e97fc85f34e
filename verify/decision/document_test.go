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
		{"something else", `{"title": "Use Go", "choices": ["Go", "Rust"]}`, "FAIL document not-recognised", true},
		{"a list", `[]`, "FAIL document not-recognised", true},
		{"null", `null`, "FAIL document not-recognised", true},
		{"empty", ``, "FAIL evidence empty", true},
		{"half a trace", `{"decision_trace": {"policy_term": ["policy"`, "FAIL evidence truncated", true},
		{"10,000 deep", strings.Repeat("[", 10_000), "FAIL evidence broken-json", true},
		{"byte order mark", "\ufeff{}", "FAIL evidence byte-order-mark", true},
		{"conflict markers", "{\n<<<<<<< a\n}", "FAIL evidence conflict-markers", true},
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
		r := Format{}.Verify(t.Context(), e)
		if r.Inputs != nil {
			t.Errorf("%s: inputs %v", name, r.Inputs)
		}
		return r
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
		if got := bad(at(fsys, "decisions/a.policy.json")); got != "FAIL document not-recognised" {
			t.Errorf("without its trace: %s", got)
		}
	}
}

// A file at a default glob with none of the kind's marks is some other tool's (issue 10,
// "The verdict is over everything").
func TestMarks(t *testing.T) {
	v := failover(t)
	type test struct {
		path, text string
		want       bool
	}
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
	tests := []test{
		{"docs/decisions/0001.json", `{"title": "Use Go", "status": "accepted", "choices": ["Go", "Rust"], "decision": {"ranked": []}}`, false},
		{"docs/decisions/0001.json", `{"title": "Use Go", "policy_fing`, false},
		{"decisions/a.json", ``, false},
		{"decisions/a.json", pointer, false},
		{"a.decision.json", pointer, false}, // the word is anybody's
		{"a.x_router.json", pointer, true},
		{"a.x_router.json", "", true},
		{"decisions/a.snapshot.json", string(text(v.Snapshot)), false},
		{"decisions/a.policy.json", string(v.Policy), false},
		{"decisions/a.json", `{"object": "chat.completion", "choices": [{"message": {"content": "x"}}]}`, true},
		{"decisions/a.json", `{"provider": "p", "model_family": "m", "served_model_id": "s"}`, true},
	}
	for _, make := range shapes {
		whole := string(text(make(v)))
		tests = append(tests, test{"decisions/a.json", whole, true}, test{"decisions/a.json", "\ufeff" + whole, true},
			test{"decisions/a.json", whole[:len(whole)-10], true}, test{"decisions/a.json", "<<<<<<< HEAD\n" + whole, true})
	}
	for _, tc := range tests {
		if got := (Format{}).Marks(tc.path, []byte(tc.text)); got != tc.want {
			t.Errorf("%s %.60q: %t", tc.path, tc.text, got)
		}
	}
}

// What a verdict rests on besides the trace.
func TestInputs(t *testing.T) {
	v := failover(t)
	view, reads := verify.NewTree(tree(router(v), v.Snapshot, v.Policy)).Noting()
	r := Format{}.Verify(t.Context(), &verify.Evidence{Path: tracePath, Tree: view})
	want := []verify.Input{
		{Role: "policy", Path: policyPath, Place: verify.PlaceInputs},
		{Role: "snapshot", Path: snapshotPath, Place: verify.PlaceInputs},
	}
	if !slices.Equal(r.Inputs, want) {
		t.Errorf("%+v", r.Inputs)
	}
	// Files that appear beside a trace, or go, are part of what was read.
	view, absences := verify.NewTree(tree(router(v), nil, nil)).Noting()
	Format{}.Verify(t.Context(), &verify.Evidence{Path: tracePath, Tree: view})
	for _, name := range []string{policyPath, snapshotPath} {
		if !reads.Any(nil, func(r verify.Read) bool { return r.Name == name && r.Outcome == verify.Found }) {
			t.Errorf("%s: %+v", name, reads.All())
		}
		if !absences.Any(nil, func(r verify.Read) bool { return r.Name == name && r.Outcome == verify.Absent }) {
			t.Errorf("%s: %+v", name, absences.All())
		}
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
