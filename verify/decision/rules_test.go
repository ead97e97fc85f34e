package decision

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// failover is a true decision with a fallback: the vector whose one fault is
// the provider that it says was chosen, without that fault.
func failover(tb testing.TB) vector {
	v := sample(tb, "bad-chosen-not-last")
	v.Result["chosen"].(object)["provider_id"] = "openrouter"
	return v
}

// clone copies a JSON value.
func clone(v any) any {
	d := json.NewDecoder(strings.NewReader(string(text(v))))
	d.UseNumber()
	var c any
	if err := d.Decode(&c); err != nil {
		panic(err)
	}
	return c
}

type gone struct{}

// set changes the value at a path such as "ranked.0.score"; gone removes it.
func set(root any, path string, value any) {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		last := i == len(steps)-1
		switch at := root.(type) {
		case object:
			if last {
				if at[step] = value; value == (gone{}) {
					delete(at, step)
				}
				return
			}
			root = at[step]
		case []any:
			k, err := strconv.Atoi(step)
			if err != nil || k >= len(at) {
				panic(path)
			}
			if last {
				at[k] = value
				return
			}
			root = at[k]
		default:
			panic(path)
		}
	}
}

type edit struct {
	path  string // "t." the trace, "x." the x_router, "s." the snapshot
	value any
}

// judged is the result for the failover in an x_router, after edits.
func judged(t *testing.T, f Format, withSnapshot bool, edits ...edit) verify.Result {
	t.Helper()
	v := failover(t)
	x := clone(router(v))
	s := clone(v.Snapshot)
	for _, e := range edits {
		in, path, _ := strings.Cut(e.path, ".")
		switch in {
		case "t":
			set(x.(object)["decision_trace"], path, e.value)
		case "x":
			set(x, path, e.value)
		case "s":
			set(s, path, e.value)
		}
	}
	if !withSnapshot {
		s = nil
	}
	r := checkWith(f, tree(x, s, nil))
	renderable(t, r)
	return r
}

func swapped(rows any, i, k int) []any {
	list := clone(rows).([]any)
	list[i], list[k] = list[k], list[i]
	return list
}

const v1Term = `["policy", ["ev_zero"], ["top"], ["zero"], ["argmax"], ["id"], ["always", {"action": "abort"}]]`

func term(s string) any { return json.RawMessage(s) }

// TestRules pins the notes' table "What a gate should check", row by row,
// without a snapshot: what is edited, which checks are not ok, and a part of
// the first one's reason.
func TestRules(t *testing.T) {
	trace := failover(t).trace()
	tests := []struct {
		name   string
		edits  []edit
		want   string
		reason string
	}{
		{"nothing", nil, "", ""},

		{"policy_term missing", []edit{{"t.policy_term", gone{}}}, "warn policy_term no-policy-term", "fingerprint cannot be checked"},
		{"policy_term null", []edit{{"t.policy_term", nil}}, "warn policy_term no-policy-term", "older host or closure profile"},
		{"closure profile", []edit{{"t.policy_term", gone{}}, {"t.policy_fingerprint", nil}, {"x.policy_fingerprint", nil}}, "warn policy_term no-policy-term", ""},
		{"policy_term not admissible", []edit{{"t.policy_term.5", []any{"always", object{"action": "dance"}}}}, "FAIL policy_term not-admissible", "not admissible: $.policy[5]"},
		{"policy_term a predicate", []edit{{"t.policy_term", []any{"top"}}}, "FAIL policy_term not-admissible", "expected Policy, got Pred"},
		{"policy_term a string", []edit{{"t.policy_term", "top"}}, "FAIL policy_term not-admissible", ""},
		{"unknown operation", []edit{{"t.policy_term.1", []any{"semantic_match", 0.5}}}, "warn policy_term unknown-operation", `unknown operation "semantic_match": written for a newer engine, not verified`},
		{"v1", []edit{{"t.policy_term", term(v1Term)}}, "FAIL policy_term version-1", "sigma-pol/v1 term (six slots) under a v2 label"},
		{"a tier of the host's own", []edit{{"t.policy_term.1", []any{"tier_eq", "gold"}}}, "warn policy_term unknown-tier", "no snapshot declares it"},
		{"not in normal form", []edit{{"t.policy_term.1", swapped(trace["policy_term"].([]any)[1], 1, 2)}}, "FAIL policy_term.normal_form not-normal", "edited after emission"},

		{"fingerprint missing", []edit{{"t.policy_fingerprint", nil}, {"x.policy_fingerprint", nil}}, "warn policy_fingerprint missing", ""},
		{"fingerprint a number", []edit{{"t.policy_fingerprint", 7}, {"x.policy_fingerprint", 7}}, "FAIL policy_fingerprint wrong-type", ""},
		{"fingerprint with one lane", []edit{{"t.policy_fingerprint", "1545666573"}, {"x.policy_fingerprint", "1545666573"}}, "FAIL policy_fingerprint malformed", ""},
		{"fingerprint beyond its modulus", []edit{{"t.policy_fingerprint", "2147483647-1"}, {"x.policy_fingerprint", "2147483647-1"}}, "FAIL policy_fingerprint malformed", ""},
		{"fingerprint of another policy", []edit{{"t.policy_fingerprint", "1652159335-1103376766"}, {"x.policy_fingerprint", "1652159335-1103376766"}},
			"FAIL policy_fingerprint fingerprint-differs", "expected 1545666573-91168277, recorded 1652159335-1103376766"},
		{"threshold lowered", []edit{{"t.policy_term.1.1.3", 0.25}}, "FAIL policy_fingerprint fingerprint-differs", ""},
		{"x_router names another policy", []edit{{"x.policy_fingerprint", "1-2"}}, "FAIL x_router.policy_fingerprint fingerprints-disagree", "x_router and trace disagree"},

		{"ranked missing", []edit{{"t.ranked", gone{}}}, "FAIL ranked missing", ""},
		{"ranked not a list", []edit{{"t.ranked", "none"}}, "FAIL ranked wrong-type", "must be a list, is a string"},
		{"a score that is a string", []edit{{"t.ranked.2.score", "0.5"}}, "FAIL ranked[2].score malformed-row", ""},
		{"a score beyond float64", []edit{{"t.ranked.0.score", json.Number("1e999")}}, "FAIL ranked[0].score malformed-row", "not a finite number"},
		{"a row without tier", []edit{{"t.ranked.2.tier", gone{}}}, "FAIL ranked[2].tier malformed-row", ""},
		{"a dry run's row", []edit{{"t.ranked.2.provider_id", gone{}}, {"t.ranked.2.provider", "antseed"}}, "", ""},
		{"scores rise under argmax", []edit{{"t.ranked.2.score", 0.99}}, "FAIL ranked[2] rank-differs", "rank 3 scores above rank 2"},
		{"more than k survivors", []edit{{"t.ranked", append(clone(trace["ranked"]).([]any), clone(trace["ranked"].([]any)[2]))}}, "FAIL ranked too-many-rows", ""},
		{"more than k, by the total", []edit{{"t.ranked_total", 12}}, "FAIL ranked too-many-rows\nwarn ranked_total cut-list", ""},
		{"ranked_total too small", []edit{{"t.ranked_total", 2}}, "FAIL ranked_total too-small", "less than the 3 rows"},
		{"ranked_total of three rows", []edit{{"t.ranked_total", 3}}, "warn ranked_total cut-list", "hosts cut it to 10 rows, here are 3"},
		{"ranked_total a fraction", []edit{{"t.ranked_total", 3.5}}, "FAIL ranked_total wrong-type", ""},

		{"impossible reason", []edit{{"t.rejected.1.reason", "bot"}}, "FAIL rejected[1].reason impossible-reason", `no rule of this policy yields "bot"`},
		{"another relation", []edit{{"t.rejected.1.reason", "cmp:bench_intelligence:gt"}}, "FAIL rejected[1].reason impossible-reason", ""},
		{"a need of meets_req", []edit{{"t.rejected.1.reason", "missing_capability:vision"}}, "", ""},
		// "each filtered-out candidate with the rule that dropped it: { model_family, reason }, e.g. cmp bench_intelligence ge 0.5"
		{"documentation form", []edit{{"t.rejected.0.reason", "cmp bench_intelligence ge 0.5"}}, "", ""},
		{"documentation form with another threshold", []edit{{"t.rejected.0.reason", "cmp bench_intelligence ge 0.9"}}, "FAIL rejected[0].reason another-threshold", "another number"},
		{"documentation form of no rule", []edit{{"t.rejected.0.reason", "cmp price_out le 0.5"}}, "FAIL rejected[0].reason impossible-reason", ""},
		{"documentation row", []edit{{"t.rejected.0", object{"model_family": "minimax-m2.7", "reason": "cmp bench_intelligence ge 0.5"}}}, "", ""},
		{"no reason", []edit{{"t.rejected.0.reason", nil}}, "FAIL rejected[0].reason malformed-row", ""},
		{"no model", []edit{{"t.rejected.0.model", gone{}}}, "FAIL rejected[0].model malformed-row", ""},
		{"pin not found beside others", []edit{{"t.rejected.0.reason", "pin_not_found"}}, "FAIL rejected[0].reason impossible-reason", "pinned"},

		{"a retry left out", []edit{{"t.decision_path", append(clone(trace["decision_path"]).([]any)[:3], clone(trace["decision_path"].([]any)[5]))}},
			"FAIL decision_path[3] path-differs", `event 4: expected retry_scheduled "deepseek" "deepseek-v4-pro" attempt 2 backoff 250 ms, recorded attempted "openrouter"`},
		{"backoff changed", []edit{{"t.decision_path.3.backoff_ms", 100}}, "FAIL decision_path[3] path-differs", ""},
		{"path breaks off", []edit{{"t.decision_path", clone(trace["decision_path"]).([]any)[:5]}},
			"FAIL decision_path path-differs\nFAIL x_router.provider not-the-answering-model\nFAIL x_router.model_family not-the-answering-model\nFAIL x_router.served_model_id not-the-answering-model", "event 6: expected attempted"},
		{"path goes on after the answer", []edit{{"t.decision_path.0.error_kind", gone{}}}, "FAIL decision_path[1] path-differs", "expected the end of the path"},
		{"an event of no kind", []edit{{"t.decision_path.1.event", 1}}, "FAIL decision_path[1].event malformed-event", ""},
		{"an error that is a number", []edit{{"t.decision_path.0.error_kind", 500}}, "FAIL decision_path[0].error_kind malformed-event", ""},
		{"negative latency", []edit{{"t.decision_path.5.latency_ms", -1}}, "warn decision_path[].latency_ms negative", ""},
		{"attempts longer than the total", []edit{{"t.total_latency_ms", 1997}}, "warn decision_path[].latency_ms longer-than-total", "attempts take longer than the total"},
		{"attempts as long as the total", []edit{{"t.total_latency_ms", 1998}}, "", ""},
		{"a total that is text", []edit{{"t.total_latency_ms", "1998"}}, "FAIL total_latency_ms wrong-type", ""},
		{"no total", []edit{{"t.total_latency_ms", nil}}, "warn decision_path[].latency_ms no-total", ""},

		{"another provider reported", []edit{{"x.provider", "deepseek"}}, "FAIL x_router.provider not-the-answering-model", "reported model is not the one that answered"},
		{"another model reported", []edit{{"x.model_family", "gpt-5.5"}}, "FAIL x_router.model_family not-the-answering-model", ""},
		{"no model reported", []edit{{"x.provider", nil}, {"x.model_family", nil}}, "FAIL x_router.provider not-the-answering-model\nFAIL x_router.model_family not-the-answering-model", ""},
		{"chosen in the trace", []edit{{"t.chosen", object{"model_family": "glm-5.1", "served_model_id": "x"}}}, "FAIL chosen.model_family not-the-answering-model\nFAIL chosen.served_model_id another-model", ""},
		{"chosen nothing", []edit{{"t.chosen", object{}}}, "FAIL chosen not-the-answering-model", ""},
		{"chosen without a name", []edit{{"t.chosen", object{"price_in": 1}}}, "FAIL chosen missing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := judged(t, Format{}, false, tt.edits...)
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
			if row(t, r, "snapshot").Reason != "decision not recomputed: no catalog snapshot" {
				t.Error("nothing says that the decision was not recomputed")
			}
		})
	}
}

// The recorded value is shown with the expected one, at its line and column.
func TestRowsShowBothValuesAndThePlace(t *testing.T) {
	fsys := tree(object{"decision_trace": failover(t).trace()}, nil, nil)
	old := `"policy_fingerprint": "1545666573-91168277"`
	whole := string(fsys[tracePath].Data)
	if strings.Count(whole, old) != 1 {
		t.Fatal(whole)
	}
	before, _, _ := strings.Cut(whole, old)
	fsys[tracePath].Data = []byte(strings.Replace(whole, old, `"policy_fingerprint": "1-2"`, 1))
	c := row(t, check(fsys), "policy_fingerprint")
	line := strings.Count(before, "\n") + 1
	column := len(before) - strings.LastIndex(before, "\n") + len(`"policy_fingerprint": `)
	want := verify.Location{Path: tracePath, Line: line, Column: column}
	if c.Location != want || c.Recorded != "1-2" || c.Observed != "1545666573-91168277" {
		t.Errorf("%+v, want it at %v", c, want)
	}
}

// Served by fallback #i is a fact, not a fault.
func TestFallback(t *testing.T) {
	c := row(t, judged(t, Format{}, false), "ranked[0]")
	if c.Status != verify.Info || c.Code != "fallback" || c.Reason != "served by fallback #1" || c.Observed != "openrouter deepseek-v4-pro" {
		t.Errorf("%+v", c)
	}
	v := sample(t, "01-quickstart-cheapest")
	if c := row(t, check(tree(router(v), nil, nil)), "ranked[0]"); c.Status != verify.OK {
		t.Errorf("%+v", c)
	}
}

// A pinned request skips the filter, so its one row may violate it.
func TestPinnedRequest(t *testing.T) {
	v := sample(t, "05-exhausted-abort")
	trace := v.trace()
	trace["rejected"] = []any{}
	for _, path := range []string{"ranked", "decision_path"} {
		set(trace, path+".0.model_family", "glm-5.1")
	}
	r := check(tree(trace, nil, nil))
	if got := bad(r); got != "warn ranked[0] filter-violated" || !strings.Contains(row(t, r, "ranked[0]").Reason, "perhaps the request pinned it") {
		t.Errorf("got %s", got)
	}
	trace["rejected"] = []any{object{"provider": "p", "model": "m", "reason": "model_family"}}
	if got := bad(check(tree(trace, nil, nil))); got != "FAIL ranked[0] filter-violated" {
		t.Errorf("got %s", got)
	}
	// A pin that is not in the pool leaves one row, and no candidates.
	trace["ranked"], trace["decision_path"] = object{}, object{}
	trace["rejected"] = []any{object{"reason": "pin_not_found", "pin": object{"provider": "p", "model": "m"}}}
	trace["total_latency_ms"] = 0
	if got := bad(check(tree(trace, nil, nil))); got != "" {
		t.Errorf("got %s", got)
	}
}

// The error of an engine's result is the one with which the path ends.
func TestOutcome(t *testing.T) {
	v := sample(t, "05-exhausted-abort")
	if c := row(t, check(tree(v.Result, nil, nil)), "error"); c.Status != verify.OK || c.Recorded != "timeout" {
		t.Errorf("%+v", c)
	}
	v.Result["error"] = "exhausted: timeout"
	if got := bad(check(tree(v.Result, nil, nil))); got != "FAIL error error-differs" {
		t.Errorf("got %s", got)
	}
}

// The repository may pin the policies that run.
func TestPinnedIdentity(t *testing.T) {
	id := row(t, judged(t, Format{}, false), "identity").Observed
	pin := func(ids ...string) Format { return Format{Config{PinnedIdentities: ids}} }
	other := "sha256:" + strings.Repeat("0", 64)
	tests := []struct {
		name string
		f    Format
		edit []edit
		want string
	}{
		{"none", Format{}, nil, "info identity identity"},
		{"the one", pin(other, id), nil, "ok identity "},
		{"another", pin(other), nil, "FAIL identity not-pinned"},
		{"no policy to compare", pin(id), []edit{{"t.policy_term", gone{}}}, "FAIL identity not-pinned"},
		{"a policy for a newer engine", pin(id), []edit{{"t.policy_term.1", []any{"novel"}}}, "warn identity not-compared"},
	}
	for _, tt := range tests {
		r := judged(t, tt.f, false, tt.edit...)
		c := row(t, r, "identity")
		if got := string(c.Status) + " " + c.Field + " " + c.Code; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
