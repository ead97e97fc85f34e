package decision

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// A result of execute() is known by any of its own members beside a trace, and a trace by
// its policy, its path, or both of its lists.
func TestRecognisedByEach(t *testing.T) {
	t.Parallel()
	trace := failover(t).trace()
	for _, tc := range []struct {
		name string
		doc  object
		want string
	}{
		{"ok", object{"ok": true, "trace": trace}, "router.execute() result"},
		{"chosen", object{"chosen": object{}, "trace": trace}, "router.execute() result"},
		{"error", object{"error": "x", "trace": trace}, "router.execute() result"},
		{"a trace alone", object{"trace": trace}, ""},
		{"a policy", object{"policy_term": []any{}}, "decision_trace"},
		{"a path", object{"decision_path": []any{}}, "decision_trace"},
		{"both lists", object{"ranked": []any{}, "rejected": []any{}}, "decision_trace"},
		{"one list", object{"ranked": []any{}}, ""},
		{"the other list", object{"rejected": []any{}}, ""},
	} {
		shape := ""
		for _, c := range check(tree(tc.doc, nil, nil)).Checks {
			if c.Field == "document" && c.Status != verify.Fail {
				shape = c.Observed
			}
		}
		if shape != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, shape, tc.want)
		}
	}
}

// A row that holds is there where everything under it does, and only there.
func TestRowsThatHold(t *testing.T) {
	t.Parallel()
	without := []edit{{"t.policy_term", gone{}}, {"t.policy_fingerprint", nil}, {"x.policy_fingerprint", nil}}
	held := func(field string, edits ...edit) string {
		for _, c := range judged(t, Format{}, false, edits...).Checks {
			if c.Field == field {
				return strings.TrimSpace(string(c.Status) + " " + c.Code)
			}
		}
		return ""
	}
	for _, tc := range []struct {
		name, field, want string
		edits             []edit
	}{
		{"rejected by the policy", "rejected", "ok", nil},
		{"one that can't be", "rejected", "", []edit{{"t.rejected.1.reason", "bot"}}},
		{"rejected without a policy", "rejected", "info not-compared", without},
		{"nobody rejected, without a policy", "rejected", "ok", append(slices.Clone(without), edit{"t.rejected", []any{}})},
		{"rows as documented", "rejected", "info documentation-form", []edit{{"t.rejected.0", object{"model_family": "minimax-m2.7", "reason": "cmp bench_intelligence ge 0.5"}}}},
		{"each attempt is ranked", "decision_path", "info not-walked", without},
		{"one is not", "decision_path", "", append(slices.Clone(without), edit{"t.decision_path", attempts("openai", "gpt-5.5")})},
		{"a skipped one is not", "decision_path[0]", "FAIL not-ranked",
			append(slices.Clone(without), edit{"t.decision_path.0", object{"event": "skipped", "provider_id": "x", "model_family": "y"}})},
		{"an attempt without its time", "decision_path[].latency_ms", "warn missing", []edit{{"t.decision_path.0.latency_ms", gone{}}}},
		{"a ranking without a family", "ranked[0].model_family", "FAIL malformed-row", []edit{{"t.ranked.0.model_family", gone{}}}},
	} {
		if got := held(tc.field, tc.edits...); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	for value, want := range map[any]string{nil: "is missing", 7: "must be a string, is a number"} {
		e := edit{"t.ranked.0.tier", value}
		if value == nil {
			e.value = gone{}
		}
		if c := row(t, judged(t, Format{}, false, e), "ranked[0].tier"); c.Reason != want {
			t.Errorf("%v: %q", value, c.Reason)
		}
	}
	f := clone(flowTrace(t)).(object)
	if c := row(t, check(tree(f, nil, nil)), "flow_nodes"); c.Status != verify.OK || c.Observed != "3 nodes" {
		t.Errorf("%+v", c)
	}
	set(f, "flow_nodes.1.node", "draft")
	for _, c := range check(tree(f, nil, nil)).Checks {
		if c.Field == "flow_nodes" {
			t.Errorf("%+v", c)
		}
	}
}

// A path as the page "Traces & replay" has it names no family; a provider is then enough to
// be among the ranked.
func TestAPathWithoutFamilies(t *testing.T) {
	t.Parallel()
	without := []edit{{"t.policy_term", gone{}}, {"t.policy_fingerprint", nil}, {"x.policy_fingerprint", nil}}
	for provider, want := range map[string]string{"deepseek": "", "openai": "FAIL decision_path[0] not-ranked"} {
		path := attempts(provider, "")
		delete(path[0].(object), "model_family")
		got := rows(judged(t, Format{}, false, append(slices.Clone(without), edit{"t.decision_path", path}, edit{"x.provider", provider},
			edit{"x.model_family", nil}, edit{"x.served_model_id", nil})...), verify.Fail)
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "decision_path") {
			t.Errorf("%s: %s", provider, got)
		}
	}
}

// Ten rows are what hosts cut a ranking to.
func TestCutAtTen(t *testing.T) {
	t.Parallel()
	trace := clone(failover(t).trace()).(object)
	delete(trace, "policy_term")
	row0 := trace["ranked"].([]any)[0]
	for n, want := range map[int]string{9: "here are 9", 10: "only the first 10 can be checked", 11: "here are 11"} {
		trace["ranked"], trace["ranked_total"] = slices.Repeat([]any{row0}, n), 40
		c := row(t, check(tree(trace, nil, nil)), "ranked_total")
		if c.Status != verify.Warn || !strings.Contains(c.Reason, want) {
			t.Errorf("%d rows: %+v", n, c)
		}
	}
}

// Names fall into words at everything but letters and digits.
func TestNamesInWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"anthropic/Claude-Opus-4.8": "anthropic claude opus 4 8", "glm:5@x": "glm 5 x", "a{b}`c": "a b c", "0z9a": "0z9a", "é-ü": "é ü", "": "",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
