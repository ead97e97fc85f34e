package decision

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// "chosen { model_family, served_model_id, price_in, price_out } for the model that served
// the call" (Traces, chosen): with a snapshot the id is the candidate's, without one that
// of a model of the family that answered.
func TestServedModel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		id       any
		alone    string
		snapshot string
	}{
		{"deepseek-v4-pro", "", ""},
		{"deepseek/DeepSeek-V4-Pro-0324", "", "FAIL x_router.served_model_id served-model-differs"},
		{"deepseek-v4-flash", "FAIL x_router.served_model_id another-model", "FAIL x_router.served_model_id served-model-differs"},
		{"gpt-5.5", "FAIL x_router.served_model_id another-model", "FAIL x_router.served_model_id served-model-differs"},
		{"prod-7", "FAIL x_router.served_model_id another-model", "FAIL x_router.served_model_id served-model-differs"},
		{7, "FAIL x_router.served_model_id wrong-type", "FAIL x_router.served_model_id wrong-type"},
		{nil, "warn x_router.served_model_id missing", "warn x_router.served_model_id missing"},
	} {
		if got := bad(judged(t, Format{}, false, edit{"x.served_model_id", tc.id})); got != tc.alone {
			t.Errorf("%v alone: %s, want %s", tc.id, got, tc.alone)
		}
		if got := bad(judged(t, Format{}, true, edit{"x.served_model_id", tc.id})); got != tc.snapshot {
			t.Errorf("%v with a snapshot: %s, want %s", tc.id, got, tc.snapshot)
		}
		v := failover(t)
		v.Result["chosen"].(object)["served_model_id"] = tc.id
		want := strings.ReplaceAll(tc.alone, "x_router.", "chosen.")
		if got := bad(check(tree(v.Result, nil, nil))); got != want {
			t.Errorf("%v chosen: %s, want %s", tc.id, got, want)
		}
	}
	// Left out, it is as good as null.
	v := failover(t)
	delete(v.Result["chosen"].(object), "served_model_id")
	if got := bad(check(tree(v.Result, nil, nil))); got != "warn chosen.served_model_id missing" {
		t.Errorf("left out: %s", got)
	}
	// A larger family that the trace names fits better than the one that answered.
	r := judged(t, Format{}, false, edit{"x.served_model_id", "deepseek-v4-pro-mini"}, edit{"t.rejected.0.model", "deepseek-v4-pro-mini"})
	if c := row(t, r, "x_router.served_model_id"); c.Code != "another-model" || !strings.Contains(c.Reason, "deepseek-v4-pro-mini") {
		t.Errorf("%+v", c)
	}
	// A provider's own spelling is the snapshot's to know.
	r = judged(t, Format{}, true, edit{"x.served_model_id", "prod-7"}, edit{"s.candidates", renamed(t, "prod-7")})
	if c := row(t, r, "x_router.served_model_id"); c.Status != verify.OK || c.Input != snapshotPath {
		t.Errorf("%+v", c)
	}
}

// renamed are the snapshot's candidates, all served under one id.
func renamed(t *testing.T, id string) any {
	candidates := clone(failover(t).Snapshot["candidates"]).([]any)
	for _, c := range candidates {
		c.(object)["served_model_id"] = id
	}
	return candidates
}

// "The first is the pick; the rest are the cascade" (Traces, ranked[]), also without a
// policy to walk the path by.
func TestTheCascadeWithoutAPolicy(t *testing.T) {
	t.Parallel()
	without := []edit{{"t.policy_term", gone{}}, {"t.policy_fingerprint", nil}, {"x.policy_fingerprint", nil}}
	chose := func(provider, family string) []edit {
		return []edit{{"t.decision_path", attempts(provider, family)}, {"x.provider", provider}, {"x.model_family", family}, {"x.served_model_id", family}}
	}
	for _, tc := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"as recorded", nil, ""},
		{"the first", chose("deepseek", "deepseek-v4-pro"), ""},
		{"not the first", chose("openrouter", "deepseek-v4-pro"), "FAIL decision_path[0] not-the-first"},
		{"not ranked", chose("openai", "gpt-5.5"), "FAIL decision_path[0] not-ranked"},
		{"behind a cut", append(chose("openai", "gpt-5.5"), edit{"t.ranked_total", 12}), "warn ranked_total cut-list\nFAIL decision_path[0] not-the-first"},
	} {
		got := bad(judged(t, Format{}, false, append(append([]edit(nil), without...), tc.edits...)...))
		if want := strings.TrimSuffix("warn policy_term no-policy-term\n"+tc.want, "\n"); got != want {
			t.Errorf("%s: %s\nwant %s", tc.name, got, want)
		}
	}
}

// What router.execute() returns: "{ ok, response, error, trace, chosen }" (the engine's
// public API; issue 11, "Within a kind").
func TestResultOfExecute(t *testing.T) {
	t.Parallel()
	v := failover(t)
	result := object{"ok": true, "response": object{"text": "hi"}, "chosen": v.Result["chosen"], "trace": v.trace()}
	r := check(tree(result, v.Snapshot, v.Policy))
	if got := bad(r); got != "" || row(t, r, "document").Observed != "router.execute() result" || row(t, r, "snapshot.ranked").Status != verify.OK {
		t.Errorf("%s", rows(r, verify.Fail, verify.Warn, verify.OK))
	}
	if !(Format{}).Marks("decisions/a.json", text(result)) {
		t.Error("it has no marks")
	}
	result["chosen"].(object)["model_family"] = "gpt-5.5"
	if got := bad(check(tree(result, nil, nil))); got != "FAIL chosen.model_family not-the-answering-model" {
		t.Error(got)
	}
	// An unknown profile: nothing was ranked, so nothing can have been tried.
	failed := object{"ok": false, "error": "unknown profile: x", "trace": object{"rejected": []any{}, "decision_path": []any{}, "started_at_ms": 1}}
	r = check(tree(failed, nil, nil))
	if got := rows(r, verify.Fail); got != "" || row(t, r, "ranked").Code != "nothing-ranked" {
		t.Errorf("%s", got)
	}
	failed["trace"].(object)["decision_path"] = attempts("p", "m")
	if got := rows(check(tree(failed, nil, nil)), verify.Fail); !strings.Contains(got, "FAIL ranked missing") {
		t.Errorf("%s", got)
	}
}

func attempts(provider, family string) []any {
	return []any{object{"event": "attempted", "provider_id": provider, "model_family": family, "attempt": 1, "latency_ms": 1}}
}

// Arrays of decisions, or of completion bodies (issue 11, "Within a kind").
func TestLists(t *testing.T) {
	t.Parallel()
	first, second := sample(t, "01-quickstart-cheapest"), failover(t)
	for shape, make := range shapes {
		whole := []any{make(first), make(second)}
		r := check(tree(whole, second.Snapshot, second.Policy))
		renderable(t, r)
		if got := bad(r); got != "" || row(t, r, "document").Observed != "a list of 2 decisions" {
			t.Errorf("%s: %s", shape, got)
		}
		if row(t, r, "[1].ranked").Status != verify.OK || row(t, r, "snapshot").Code != "not-recomputed" || row(t, r, "policy").Code != "not-compared" {
			t.Errorf("%s: %s", shape, rows(r, verify.OK, verify.Info))
		}
		if !(Format{}).Marks("decisions/a.json", text(whole)) {
			t.Errorf("%s: no marks", shape)
		}
	}
	list := func(items ...any) string { return bad(check(tree(items, nil, nil))) }
	if got := list(router(first), object{"choices": []any{object{"message": object{}}}}, 7); got != "FAIL [1].document no-decision-trace\nFAIL [2].document no-decision-trace" {
		t.Error(got)
	}
	if got := list(7, "x"); got != "FAIL document not-recognised" {
		t.Error(got)
	}
	edited := clone(router(second)).(object)
	edited["provider"] = "deepseek"
	if got := list(router(first), edited); got != "FAIL [1].x_router.provider not-the-answering-model" {
		t.Error(got)
	}
	var many []any
	for range maxParts + 1 {
		many = append(many, object{"flow_nodes": []any{object{"node": "n"}}})
	}
	if got := list(many...); got != "FAIL document too-many-decisions" {
		t.Error(got)
	}
}

// "ranked[] { provider, model_family, served_model_id, tier, price_out, score }" and
// "decision_path[] { event, provider_id, attempt, latency_ms, error_kind? }" (Traces): forms
// that hosts do not write are accepted with a row that says so.
func TestDocumentedForms(t *testing.T) {
	t.Parallel()
	v := sample(t, "01-quickstart-cheapest")
	trace := clone(v.trace()).(object)
	for _, r := range trace["ranked"].([]any) {
		r := r.(object)
		r["provider"], r["served_model_id"], r["price_out"] = r["provider_id"], r["model_family"], 1
		delete(r, "provider_id")
	}
	for _, e := range trace["decision_path"].([]any) {
		delete(e.(object), "model_family")
	}
	r := check(tree(trace, nil, nil))
	if got := bad(r); got != "" || row(t, r, "decision_path").Code != "documentation-form" || row(t, r, "ranked").Code != "documentation-form" {
		t.Errorf("%s", rows(r, verify.Fail, verify.Warn, verify.Info))
	}
}
