package sigmapol

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pool decodes candidates; each gets the names of its place, "a" of family "m", unless it has its own.
func pool(t testing.TB, candidates ...string) []Candidate {
	t.Helper()
	cs := make([]Candidate, len(candidates))
	for i, raw := range candidates {
		cs[i] = Candidate{"provider_id": string(rune('a' + i)), "model_family": "m"}
		if err := json.Unmarshal([]byte(raw), &cs[i]); err != nil {
			t.Fatal(err)
		}
	}
	return cs
}

func context(t testing.TB, raw string) Context {
	t.Helper()
	var c Context
	if err := json.Unmarshal([]byte(raw), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func policy(t testing.TB, filter, scorer, selector string) Term {
	t.Helper()
	return mustParse(t, `["policy",`+filter+`,`+scorer+`,`+selector+`,["id"],["always",{"action":"abort"}]]`)
}

// names writes the ranked candidates one letter each.
func names(candidates []Candidate, ranked []Scored) string {
	var b strings.Builder
	for _, r := range ranked {
		b.WriteString(candidates[r.Index].Provider())
	}
	return b.String()
}

// TestRejections pins why one candidate is rejected, test by test (SIGMA-POL §3, §5, §5.1).
func TestRejections(t *testing.T) {
	for _, tt := range []struct{ filter, candidate, ctx, want string }{
		{`["top"]`, `{}`, `{}`, ``},
		{`["bot"]`, `{}`, `{}`, `bot`},
		{`["or",["bot"],["has_cap","x"],["is","no_log"]]`, `{}`, `{}`, `or`},
		{`["not",["is","no_log"]]`, `{"no_log":true}`, `{}`, `not`},
		{`["and",["is","has_tee"],["has_cap","x"]]`, `{}`, `{}`, `missing_capability:x`}, // the first by its bytes
		{`["has_cap","x"]`, `{"capabilities":{"x":0}}`, `{}`, ``},                        // 0 is true in Lua
		{`["has_cap","x"]`, `{"capabilities":[]}`, `{}`, `missing_capability:x`},
		{`["family_eq","n"]`, `{}`, `{}`, `model_family`},
		{`["provider_eq","b"]`, `{}`, `{}`, `provider_id`},
		{`["served_by_eq","a"]`, `{}`, `{}`, ``},
		{`["served_by_eq","a"]`, `{"offer":{"peer_id":"p"}}`, `{}`, `served_by`},
		{`["tier_eq","fallback"]`, `{}`, `{}`, ``},
		{`["tier_eq","partner"]`, `{}`, `{}`, `tier`},
		{`["min_tier","marketplace"]`, `{"tier":"partner"}`, `{}`, ``},
		{`["min_tier","marketplace"]`, `{"tier":"gold"}`, `{}`, `min_tier`},
		{`["scope_matches"]`, `{}`, `{"request":{"scope":"s"}}`, ``},
		{`["scope_matches"]`, `{"scope":"s"}`, `{"request":{"scope":"s"}}`, ``},
		{`["scope_matches"]`, `{"scope":"s"}`, `{"request":[]}`, `scope`},

		{`["cmp","price_in","le",1e300]`, `{}`, `{}`, `cmp:price_in:le`}, // no price is an infinite one
		{`["cmp","price_in","eq",2]`, `{"price_in":2}`, `{"state":{"ema":{"a|m":{"price_in":3}}}}`, ``},
		{`["cmp","price_out","eq",3]`, `{}`, `{"state":{"ema":{"a|m":{"price_out":3}}}}`, ``},
		{`["cmp","latency_ms","lt",9]`, `{}`, `{"state":{"ema":{"a|m":{"latency_ms":3}}}}`, `cmp:latency_ms:lt`},
		{`["cmp","tok_s","gt",0]`, `{}`, `{}`, `cmp:tok_s:gt`},
		{`["cmp","success_rate","ge",1]`, `{}`, `{}`, ``},
		{`["cmp","credits","ne",4]`, `{}`, `{"state":{"credits":{"a":4}}}`, `cmp:credits:ne`},
		{`["cmp","context","ge",8]`, `{"capabilities":{"context":8}}`, `{}`, ``},
		{`["is","breaker_open"]`, `{}`, `{"state":{"breakers":{"a":1}}}`, `is:breaker_open`}, // true only, not 1
		{`["is","breaker_open"]`, `{}`, `{"state":{"breakers":{"a":true}}}`, ``},
		{`["is","disabled"]`, `{}`, `{"state":{"disabled":{"a":{"kind":"auth_error"}}}}`, ``},
		{`["is","disabled"]`, `{}`, `{"state":{"disabled":[]}}`, `is:disabled`},

		{`["meets_req"]`, `{}`, `{}`, ``},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"needs":["telepathy"]}}}`, ``},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"needs":["seed"],"min_context":1}}}`, `missing_capability:seed`},
		{`["meets_req"]`, `{}`, `{"request":{"images":["i"]}}`, `missing_capability:vision`},
		{`["meets_req"]`, `{}`, `{"request":{"images":[],"tools":["t"]}}`, `missing_capability:tools`},
		{`["meets_req"]`, `{}`, `{"request":{"response_format":{"type":"json_object"}}}`, `missing_capability:json_mode`},
		{`["meets_req"]`, `{"capabilities":{"supports_tools":true}}`, `{"request":{"tools":["t"]}}`, ``},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"min_context":1,"tier":"partner"}}}`, `min_context`},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"model_family":"n","tier":"partner"}}}`, `model_family`},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"tier":"fallback","privacy":"no_log"}}}`, `tier`}, // no default here
		{`["meets_req"]`, `{"no_log":true}`, `{"request":{"requirements":{"privacy":"tee_required"}}}`, `tee_required`},
		{`["meets_req"]`, `{}`, `{"request":{"requirements":{"privacy":"no_log","min_quality":1}}}`, `no_log`},
		{`["meets_req"]`, `{"has_tee":true}`, `{"request":{"requirements":{"privacy":"no_log"}}}`, ``},
		{`["meets_req"]`, `{"quality_hint":0.5}`, `{"request":{"requirements":{"min_quality":0.6,"min_tok_s":1}}}`, `min_quality`},
		{`["meets_req"]`, `{"tok_s":1}`, `{"request":{"requirements":{"min_tok_s":1.5}}}`, `min_tok_s`},
	} {
		d, err := Decide(policy(t, tt.filter, `["zero"]`, `["ordered"]`), pool(t, tt.candidate), context(t, tt.ctx))
		if err != nil {
			t.Errorf("%s: %v", tt.filter, err)
			continue
		}
		got := ""
		if len(d.Rejected) > 0 {
			got = d.Rejected[0].Reason
		}
		if got != tt.want {
			t.Errorf("%s of %s under %s: reason %q, want %q", tt.filter, tt.candidate, tt.ctx, got, tt.want)
		}
	}
}

// With several needs unmet the engine's reason is any one of them.
func TestSeveralUnmetNeeds(t *testing.T) {
	d, err := Decide(policy(t, `["meets_req"]`, `["zero"]`, `["ordered"]`), pool(t, `{}`), context(t, `{"request":{"images":["i"],"requirements":{"needs":["tools","seed"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rejection{{0, "missing_capability:seed", []string{"missing_capability:tools", "missing_capability:vision"}}}
	if diff := cmp.Diff(want, d.Rejected); diff != "" {
		t.Errorf("rejected (-want +got):\n%s", diff)
	}
}

// TestScores pins each scorer over candidates of x = 1, 4 and 2 (SIGMA-POL §5).
func TestScores(t *testing.T) {
	for _, tt := range []struct {
		scorer string
		want   []float64
	}{
		{`["zero"]`, []float64{0, 0, 0}},
		{`["lit",2.5]`, []float64{2.5, 2.5, 2.5}},
		{`["field","x"]`, []float64{1, 4, 2}},
		{`["neg",["field","x"]]`, []float64{0, -3, -1}},
		{`["scale",-2,["field","x"]]`, []float64{-2, -8, -4}},
		{`["normalize",["field","x"]]`, []float64{0, 1, 1.0 / 3}},
		{`["normalize",["lit",7]]`, []float64{0, 0, 0}},
		{`["normalize",["field","price_in"]]`, []float64{0, 1, 0}}, // beside an infinite price all others are nothing
		{`["clamp",1.5,3,["field","x"]]`, []float64{1.5, 3, 2}},
		{`["clamp",3,1,["field","x"]]`, []float64{3, 1, 3}}, // the lower bound is tested first
		{`["gate",["cmp","x","ge",2],["field","x"]]`, []float64{0, 4, 2}},
		{`["add",["lit",0.3],["lit",0.1],["lit",0.2]]`, []float64{0.6000000000000001, 0.6000000000000001, 0.6000000000000001}}, // 0.1+0.2 first
	} {
		candidates := pool(t, `{"x":1,"price_in":5}`, `{"x":4}`, `{"x":2,"price_in":6}`)
		d, err := Decide(policy(t, `["top"]`, tt.scorer, `["ordered"]`), candidates, Context{})
		if err != nil {
			t.Errorf("%s: %v", tt.scorer, err)
			continue
		}
		var got []float64
		for _, s := range d.Survivors {
			got = append(got, s.Score)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.scorer, diff)
		}
	}
}

// TestSelectors pins the orders over candidates a to f, of which b and d share the highest score, and a and f the next.
func TestSelectors(t *testing.T) {
	for _, tt := range []struct{ selector, seed, want string }{
		{`["ordered"]`, `null`, "abcdef"},
		{`["argmax"]`, `null`, "bdafec"},
		{`["top_k",3,["argmax"]]`, `null`, "bda"},
		{`["top_k",3,["top_k",2,["ordered"]]]`, `null`, "ab"},
		{`["chain",[{"provider":"c","model":"m"},{"provider_id":"x","model_family":"m"},{"provider":"a","model":"m"}]]`, `null`, "ca"},
		{`["chain",[{"provider":"c","model":"m"},{"provider":"a","model":"m"},{"provider":"c","model":"m"}]]`, `null`, "ac"}, // the last entry wins
		{`["sample",0]`, `42`, "bdafec"},
		{`["sample",-2]`, `42`, "bdafec"},
	} {
		candidates := pool(t, `{"x":2}`, `{"x":3}`, `{"x":0}`, `{"x":3}`, `{"x":1}`, `{"x":2}`)
		d, err := Decide(policy(t, `["top"]`, `["field","x"]`, tt.selector), candidates, context(t, `{"seed":`+tt.seed+`}`))
		if err != nil {
			t.Errorf("%s: %v", tt.selector, err)
			continue
		}
		if got := names(candidates, d.Ranked); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.selector, got, tt.want)
		}
	}
}

// TestSample draws from six candidates of one score. The orders were computed by a transcription of SIGMA-POL §5.3 into
// Python.
func TestSample(t *testing.T) {
	for _, tt := range []struct{ temperature, seed, want string }{
		{`1`, `0`, "adebcf"},
		{`1`, `null`, "adebcf"},
		{`1`, `1`, "bacedf"},
		{`3`, `7`, "dbaefc"},
		{`1e9`, `42`, "cafdeb"},
		{`2`, `-5`, "aedcbf"},
		{`2`, `2147483647`, "bdface"},
		{`2`, `123456789012`, "cdabfe"},
	} {
		candidates := pool(t, `{}`, `{}`, `{}`, `{}`, `{}`, `{}`)
		d, err := Decide(policy(t, `["top"]`, `["zero"]`, `["sample",`+tt.temperature+`]`), candidates, context(t, `{"seed":`+tt.seed+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := names(candidates, d.Ranked); got != tt.want {
			t.Errorf("temperature %s, seed %s: %s, want %s", tt.temperature, tt.seed, got, tt.want)
		}
	}
}

// MINSTD from 1 reaches 1043618065 after 10000 steps (Park and Miller 1988); four of them are the warm-up.
func TestRandom(t *testing.T) {
	r := newRandom(1)
	for range 9996 {
		r.next()
	}
	if r.state != 1043618065 {
		t.Errorf("state %g, want 1043618065", r.state)
	}
}

// A pinned request skips the filter, and its one candidate is still scored.
func TestPin(t *testing.T) {
	p := policy(t, `["bot"]`, `["field","x"]`, `["argmax"]`)
	candidates := pool(t, `{"x":1}`, `{"x":2}`)

	d, err := Decide(p, candidates, context(t, `{"request":{"requirements":{"pin":{"provider":"b","model":"m"}}}}`))
	if want := (Decision{Survivors: []Scored{{1, 2}}, Ranked: []Scored{{1, 2}}, Pinned: true}); err != nil || !cmp.Equal(want, d) {
		t.Errorf("got %+v, %v; want %+v", d, err, want)
	}
	d, err = Decide(p, candidates, context(t, `{"request":{"requirements":{"pin":{"provider":"b","model":"n"}}}}`))
	if want := (Decision{Rejected: []Rejection{{Index: -1, Reason: ReasonPinNotFound}}, Pinned: true}); err != nil || !cmp.Equal(want, d) {
		t.Errorf("got %+v, %v; want %+v", d, err, want)
	}
}

// Candidates of one score are reported, neighbours or not: their order depends on that of the pool.
func TestTies(t *testing.T) {
	for _, tt := range []struct {
		selector string
		want     [][]int
	}{
		{`["argmax"]`, [][]int{{0, 1, 2}, {3, 4}}},
		{`["ordered"]`, [][]int{{0, 4}, {1, 3, 5}}},
		{`["chain",[{"provider":"c","model":"m"},{"provider":"a","model":"m"}]]`, nil},
	} {
		d, err := Decide(policy(t, `["top"]`, `["field","x"]`, tt.selector), pool(t, `{"x":2}`, `{"x":3}`, `{"x":0}`, `{"x":3}`, `{"x":2}`, `{"x":3}`), Context{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, d.Ties); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.selector, diff)
		}
	}
}

// What the engine stops at, or leaves to chance, is an error and not a decision.
func TestUndecidable(t *testing.T) {
	for _, tt := range []struct{ filter, scorer, selector, candidate, ctx, want string }{
		{`["cmp","price_in","le",1]`, `["zero"]`, `["argmax"]`, `{"price_in":"1"}`, `{}`, `filtering: candidate 0: "price_in" is not a number`},
		{`["meets_req"]`, `["zero"]`, `["argmax"]`, `{"tok_s":"1"}`, `{"request":{"requirements":{"min_tok_s":1}}}`, `filtering: candidate 0: min_tok_s compares something that is not a number`},
		{`["top"]`, `["field","bench"]`, `["argmax"]`, `{}`, `{}`, `ranking: candidate 0 has no "bench", and no default was declared for it`},
		{`["top"]`, `["add",["field","price_in"],["neg",["field","price_in"]]]`, `["argmax"]`, `{}`, `{}`, `ranking: the score of candidate 0 is not a number, which leaves the order undefined`},
		{`["top"]`, `["zero"]`, `["sample",1]`, `{}`, `{"seed":9007199254740994}`, `ranking: ` + errSeed.Error()},
		{`["top"]`, `["zero"]`, `["argmax"]`, `{"provider_id":null}`, `{}`, `candidate 0 has no provider_id`},
		{`["top"]`, `["zero"]`, `["argmax"]`, `{"model_family":7}`, `{}`, `candidate 0 has no model_family`},
	} {
		_, err := Decide(policy(t, tt.filter, tt.scorer, tt.selector), pool(t, tt.candidate), context(t, tt.ctx))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s %s %s: got %v, want %s", tt.filter, tt.scorer, tt.selector, err, tt.want)
		}
	}
	if _, err := Decide(mustParse(t, `["top"]`), nil, Context{}); err == nil {
		t.Error("a predicate is taken for a policy")
	}
	if _, err := Decide(policy(t, `["top"]`, `["zero"]`, `["argmax"]`), make([]Candidate, MaxCandidates+1), Context{}); err == nil {
		t.Error("a pool beyond the bound is taken")
	}
}

// An infinite score is a score: a candidate without a price comes last when cheap is good.
func TestInfiniteScores(t *testing.T) {
	candidates := pool(t, `{}`, `{"price_in":1}`)
	d, err := Decide(policy(t, `["top"]`, `["neg",["field","price_in"]]`, `["argmax"]`), candidates, Context{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Scored{{1, 0}, {0, math.Inf(-1)}}; !cmp.Equal(want, d.Ranked) {
		t.Errorf("got %v, want %v", d.Ranked, want)
	}
}

func TestDecodeSnapshot(t *testing.T) {
	s, err := DecodeSnapshot([]byte(`{"candidates":{},"ctx":{"request":[],"seed":7,"state":[]},"fields":[],"tier_order":["low","high"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Candidates != nil || s.Schema.Infer || s.Context.Seed == nil || *s.Context.Seed != 7 || len(s.Schema.TierOrder) != 2 {
		t.Errorf("got %+v", s)
	}
	if s, err := DecodeSnapshot([]byte(`{"candidates":[],"ctx":{}}`)); err != nil || !s.Schema.Infer {
		t.Errorf("without fields the schema must infer them: %+v, %v", s, err)
	}
	for _, raw := range []string{
		`[]`, `{`, `{"ctx":{}}`, `{"candidates":[]}`, `{"candidates":["a"],"ctx":{}}`,
		`{"candidates":[],"ctx":{},"fields":{"x":{"sort":"Num","default":false}}}`,
		`{"candidates":[],"ctx":{},"fields":{"x":{"sort":"Text","default":0}}}`,
		`{"candidates":[],"ctx":{},"tier_order":[1]}`,
	} {
		if _, err := DecodeSnapshot([]byte(raw)); err == nil {
			t.Errorf("DecodeSnapshot(%s): no error", raw)
		}
	}
}

func BenchmarkDecide100(b *testing.B) {
	var candidates []string
	for i := range 100 {
		candidates = append(candidates, fmt.Sprintf(`{"provider_id":"p%d","price_in":%d,"price_out":%d,"bench":%d,"capabilities":{"supports_tools":true,"context":128000}}`, i, i%17, i%23, i%5))
	}
	p := policy(b, `["and",["meets_req"],["cmp","bench","ge",1],["has_cap","supports_tools"],["not",["is","disabled"]]]`,
		`["add",["scale",0.75,["neg",["normalize",["field","price_out"]]]],["scale",0.25,["normalize",["field","bench"]]]]`, `["sample",0.5]`)
	cs, ctx := pool(b, candidates...), context(b, `{"seed":42,"request":{"tools":["t"]}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decide(p, cs, ctx); err != nil {
			b.Fatal(err)
		}
	}
}
