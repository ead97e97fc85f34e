package decision

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// TestReplay pins the rows of the notes' table that need a snapshot.
func TestReplay(t *testing.T) {
	v := failover(t)
	trace := v.trace()
	pool := func(order ...int) []any {
		var list []any
		for _, i := range order {
			list = append(list, clone(v.Snapshot["candidates"].([]any)[i]))
		}
		return list
	}
	twoRejected := trace["rejected"].([]any)
	tests := []struct {
		name   string
		edits  []edit
		want   string
		reason string
	}{
		{"nothing", nil, "", ""},
		{"another reason, also possible", []edit{{"t.rejected.1.reason", "missing_capability:supports_tools"}},
			"FAIL snapshot.rejected[1] rejected-differs", `candidate "deepseek" "deepseek-v4-flash": expected "cmp:bench_intelligence:ge", recorded "missing_capability:supports_tools"`},
		{"a rejection left out", []edit{{"t.rejected", twoRejected[:1]}},
			"FAIL snapshot.rejected.missing[0] rejected-differs", `candidate "deepseek" "deepseek-v4-flash": expected "cmp:bench_intelligence:ge", recorded no rejection`},
		{"a rejection of none of the candidates", []edit{{"t.rejected.0.provider", "nobody"}},
			"FAIL snapshot.rejected[0] rejected-differs\nFAIL snapshot.rejected.missing[0] rejected-differs", `candidate "nobody" "minimax-m2.7": expected no rejection, recorded "cmp:bench_intelligence:ge"`},
		{"rejections in another order", []edit{{"t.rejected", swapped(twoRejected, 0, 1)}}, "warn snapshot.rejected order-differs", ""},
		{"documentation form", []edit{{"t.rejected.0", object{"model_family": "minimax-m2.7", "reason": "cmp bench_intelligence ge 0.5"}}}, "", ""},

		{"a score", []edit{{"t.ranked.2.score", 0.88}}, "FAIL snapshot.ranked[2] ranked-differs",
			`rank 3: expected "antseed" "glm-5.1" (0.8823529411764706), recorded "antseed" "glm-5.1" (0.88)`},
		{"a score within 1e-12", []edit{{"t.ranked.2.score", 0.88235294117655}}, "", ""},
		{"a score beyond 1e-12", []edit{{"t.ranked.2.score", 0.8823529411800}}, "FAIL snapshot.ranked[2] ranked-differs", ""},
		{"a tier", []edit{{"t.ranked.2.tier", "partner"}}, "FAIL snapshot.ranked[2] ranked-differs", `of tier "marketplace"`},
		{"a candidate that is not in the snapshot", []edit{{"t.ranked.2.provider_id", "nobody"}}, "FAIL snapshot.ranked[2] ranked-differs", ""},
		{"a survivor left out", []edit{{"t.ranked", trace["ranked"].([]any)[:2]}}, "FAIL snapshot.ranked ranked-differs", "expected 3 survivors, recorded 2"},
		{"the snapshot's price", []edit{{"s.candidates.2.price_out", 11}}, "FAIL snapshot.ranked[1] ranked-differs\nFAIL snapshot.ranked[2] ranked-differs", ""},
		{"an unread price of the snapshot", []edit{{"s.candidates.4.price_in", 0.45}}, "FAIL snapshot.x_router.price price-differs", "price differs from the snapshot"},
		{"the reported price", []edit{{"x.price_out", 1.5}}, "FAIL snapshot.x_router.price price-differs", ""},
		{"the price of what was chosen", []edit{{"t.chosen", object{"provider_id": "openrouter", "price_multiplier": 2}}}, "FAIL snapshot.price price-differs", ""},
		{"another pool order", []edit{{"s.candidates", pool(6, 5, 4, 3, 2, 1, 0)}}, "warn snapshot.rejected order-differs", ""},
		{"a smaller pool", []edit{{"s.candidates", pool(0, 1, 2, 3, 4)}}, "FAIL snapshot.ranked[2] ranked-differs", `expected "openai" "gpt-5.5" (0)`},

		{"no candidates", []edit{{"s.candidates", gone{}}}, "FAIL snapshot unusable-snapshot", "it needs both candidates and ctx"},
		{"a field without value and default", []edit{{"s.fields", gone{}}, {"s.candidates.0.bench_intelligence", gone{}}}, "warn snapshot not-recomputed", "the snapshot leaves it open"},
		{"a field that is not declared", []edit{{"s.fields", object{}}}, "FAIL snapshot not-admissible", "undeclared field"},
		{"tiers as the snapshot has them", []edit{{"s.tier_order", []any{"gold", "partner", "marketplace", "fallback"}}}, "", ""},
		{"a tier that the snapshot lacks", []edit{{"t.policy_term.1", []any{"tier_eq", "gold"}}}, "FAIL policy_term not-admissible", "unknown tier"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := judged(t, Format{}, true, tt.edits...)
			if got := bad(r); got != tt.want {
				t.Fatalf("got\n%s\nwant\n%s", got, tt.want)
			}
			for _, c := range r.Checks {
				if c.Status == verify.Fail || c.Status == verify.Warn {
					if !strings.Contains(c.Reason, tt.reason) {
						t.Errorf("reason %q, want %q", c.Reason, tt.reason)
					}
					break
				}
			}
			for _, c := range r.Checks {
				if strings.HasPrefix(c.Field, "snapshot") && c.Input != snapshotPath {
					t.Errorf("%s does not name its input", c.Field)
				}
			}
		})
	}
}

// Equal scores in another order are a warning: the trace doesn't define it.
func TestTies(t *testing.T) {
	v := sample(t, "05-exhausted-abort")
	trace := v.trace()
	// All candidates survive and score zero; the pool is small.
	trace["policy_term"].([]any)[1] = []any{"top"}
	trace["policy_fingerprint"] = nil
	trace["rejected"] = []any{}
	candidates := v.Snapshot["candidates"].([]any)[2:5]
	v.Snapshot["candidates"] = candidates
	row := func(i int) object {
		c := candidates[i].(object)
		return object{"provider_id": c["provider_id"], "model_family": c["model_family"], "tier": c["tier"], "score": 0}
	}
	for name, tt := range map[string]struct {
		order []int
		want  string
	}{
		"pool order":     {[]int{0, 1, 2}, ""},
		"another":        {[]int{0, 2, 1}, "warn snapshot.ties tie-order"},
		"one twice":      {[]int{0, 1, 1}, "FAIL snapshot.ranked[2] ranked-differs"},
		"cut to a tie":   {[]int{0}, ""},
		"cut, swapped":   {[]int{2}, "warn snapshot.ties tie-order"},
		"cut, twice one": {[]int{2, 2}, "FAIL snapshot.ranked[1] ranked-differs\nwarn snapshot.ties tie-order"},
	} {
		ranked := []any{}
		for _, i := range tt.order {
			ranked = append(ranked, row(i))
		}
		trace["ranked"] = ranked
		delete(trace, "ranked_total")
		if len(ranked) < 3 {
			trace["ranked_total"] = 3
		}
		set(trace, "decision_path.0.provider_id", row(tt.order[0])["provider_id"])
		set(trace, "decision_path.0.model_family", row(tt.order[0])["model_family"])
		got := strings.Split(bad(check(tree(trace, v.Snapshot, nil))), "\n")
		var about []string
		for _, line := range got {
			if strings.Contains(line, "snapshot.") {
				about = append(about, line)
			}
		}
		if got := strings.Join(about, "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// The policy file must be what ran, but for what the host's envelope adds.
func TestPolicyFile(t *testing.T) {
	written := func(slot string, value any) any {
		p := clone(failover(t).Policy)
		if slot != "" {
			set(p, slot, value)
		}
		return p
	}
	tests := []struct {
		name   string
		policy any
		want   string
		reason string
	}{
		{"as written", written("", nil), "", ""},
		{"one test less than the envelope", written("1", []any{"and", []any{"has_cap", "supports_tools"}, []any{"meets_req"}}), "", ""},
		{"another test", written("1", []any{"family_eq", "x"}), "FAIL policy another-policy", "trace ran another policy: slot filter differs"},
		{"another scorer and selector", func() any { p := written("2", []any{"zero"}); set(p, "3", []any{"argmax"}); return p }(), "FAIL policy another-policy", "slots scorer, selector differ"},
		{"another transform", written("4", []any{"set_param", "a", 1}), "FAIL policy another-policy", "slot xform differs"},
		{"another fail plan", written("5", []any{"always", object{"action": "abort"}}), "FAIL policy another-policy", "slot failplan differs"},
		{"no policy", object{"a": 1}, "FAIL policy not-admissible", "the policy file: not admissible"},
		{"for a newer engine", written("1", []any{"novel"}), "warn policy unknown-operation", "the policy file: unknown operation"},
	}
	for _, tt := range tests {
		r := check(tree(router(failover(t)), nil, tt.policy))
		if got := bad(r); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if c := row(t, r, "policy"); c.Input != policyPath || !strings.Contains(c.Reason, tt.reason) {
			t.Errorf("%s: %+v", tt.name, c)
		}
	}
}

// Of several peers with one name the rank tells which answered, and so its price.
func TestPriceOfThePeerThatAnswered(t *testing.T) {
	v := sample(t, "01-quickstart-cheapest")
	trace := v.trace()
	// The first three candidates fail, the fourth answers: rank 4, the dearer peer.
	var path []any
	for i, item := range trace["ranked"].([]any)[:4] {
		row := item.(object)
		e := object{"event": "attempted", "provider_id": row["provider_id"], "model_family": row["model_family"], "attempt": 1, "latency_ms": 1}
		if i < 3 {
			e["error_kind"] = "timeout"
		}
		path = append(path, e)
	}
	trace["decision_path"] = path
	for _, tt := range []struct {
		priceOut float64
		want     string
	}{
		{2.75, ""},
		{2.5, "FAIL snapshot.price price-differs"}, // that of the peer at rank 3
	} {
		v.Result["chosen"] = object{"provider_id": "antseed", "model_family": "glm-5.1", "served_model_id": "z-ai/glm-5.1", "price_out": tt.priceOut}
		if got := bad(check(tree(v.Result, v.Snapshot, nil))); got != tt.want {
			t.Errorf("%g: got %s, want %s", tt.priceOut, got, tt.want)
		}
	}
}
