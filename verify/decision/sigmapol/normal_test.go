package sigmapol

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLaws pins the equations of the normal form, one per line (SIGMA-POL §4).
func TestLaws(t *testing.T) {
	for _, tt := range []struct{ term, want string }{
		{`["and",["has_cap","b"],["and",["has_cap","c"],["has_cap","a"]]]`, `(and (has_cap "a") (has_cap "b") (has_cap "c"))`},
		{`["and",["has_cap","a"],["top"]]`, `(has_cap "a")`},
		{`["and",["has_cap","a"],["bot"]]`, `(bot)`},
		{`["and",["top"]]`, `(top)`},
		{`["or",["has_cap","a"],["top"]]`, `(top)`},
		{`["or",["bot"],["or",["bot"],["has_cap","a"]]]`, `(has_cap "a")`},
		{`["or",["bot"]]`, `(bot)`},
		{`["or",["has_cap","a"],["has_cap","a"]]`, `(or (has_cap "a") (has_cap "a"))`},
		{`["not",["and",["top"]]]`, `(bot)`},
		{`["not",["or",["bot"]]]`, `(top)`},
		{`["not",["not",["meets_req"]]]`, `(meets_req)`},
		{`["add",["lit",2],["zero"],["add",["lit",1],["zero"]]]`, `(add (lit 1) (lit 2))`},
		{`["add",["zero"],["zero"]]`, `(zero)`},
		{`["scale",0,["lit",1]]`, `(zero)`},
		{`["scale",-0.0,["lit",1]]`, `(zero)`},
		{`["scale",2,["add",["zero"]]]`, `(zero)`},
		{`["scale",1,["lit",1]]`, `(lit 1)`},
		{`["scale",2,["scale",3,["lit",1]]]`, `(scale 2 (scale 3 (lit 1)))`},
		{`["gate",["top"],["lit",1]]`, `(lit 1)`},
		{`["gate",["bot"],["lit",1]]`, `(zero)`},
		{`["gate",["meets_req"],["zero"]]`, `(zero)`},
		{`["normalize",["normalize",["lit",1]]]`, `(normalize (lit 1))`},
		{`["neg",["neg",["lit",1]]]`, `(neg (neg (lit 1)))`},
		{`["seq",["inject_seed","b"],["id"],["seq",["inject_seed","a"]]]`, `(seq (inject_seed "b") (inject_seed "a"))`},
		{`["seq",["id"],["id"]]`, `(id)`},
		{`["when",["not",["bot"]],["id"]]`, `(when (top) (id))`},
		{`["top_k",2,["top_k",1,["argmax"]]]`, `(top_k 2 (top_k 1 (argmax)))`},
		{`["override",["override",["always",{"action":"abort"}],"z",{"action":"retry_same"}],"a",{"action":"next_candidate"}]`,
			`(override (override (always {"action":"abort"}) "a" {"action":"next_candidate"}) "z" {"action":"retry_same"})`},
		{`["override",["override",["always",{"action":"abort"}],"a",{"action":"retry_same"}],"a",{"action":"next_candidate"}]`,
			`(override (always {"action":"abort"}) "a" {"action":"next_candidate"})`},
		{`["override",["override",["always",{"action":"abort"}],"a",{"action":"retry_same"}],"a",{"action":"abort"}]`,
			`(always {"action":"abort"})`},
	} {
		if got := string(Encode(Normalize(mustParse(t, tt.term)))); got != Version+":"+tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.term, got, tt.want)
		}
	}
}

// generator makes random terms, as the values that encoding/json reads.
type generator struct{ *rand.Rand }

func (g generator) term(sort Sort, depth int) []any {
	var names []string
	for name, op := range signature {
		if op.out == sort && (depth > 0 || !op.variadic && !slices.ContainsFunc(op.args, Sort.isTerm)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	op := signature[names[g.IntN(len(names))]]
	term := []any{op.name}
	if op.variadic {
		for range 1 + g.IntN(4) {
			term = append(term, any(g.term(op.out, depth-1)))
		}
	}
	for _, sort := range op.args {
		if sort.isTerm() {
			term = append(term, any(g.term(sort, depth-1)))
		} else {
			term = append(term, g.param(sort))
		}
	}
	return term
}

func (g generator) param(sort Sort) any {
	oneOf := func(vs ...any) any { return vs[g.IntN(len(vs))] }
	switch sort {
	case num:
		return oneOf(0.0, 1.0, math.Copysign(0, -1), -1.0, 2.0, 0.5, 1e-9, 1e300, g.NormFloat64())
	case count:
		return float64(1 + g.IntN(4))
	case rel:
		return oneOf("lt", "le", "eq", "ne", "ge", "gt")
	case numField:
		return oneOf("price_in", "context", "bench")
	case boolField:
		return oneOf("has_tee", "disabled", "cap_x")
	case tier:
		return oneOf("fallback", "marketplace", "partner")
	case scalar:
		return oneOf(1.5, "from_ctx", "a b", `a" b`, true, false)
	case action:
		return oneOf(map[string]any{"action": "abort"}, map[string]any{"action": "retry_same", "attempts": 2.0, "backoff_ms": []any{1.0, 2.5}})
	case recipe:
		return oneOf([]any{}, []any{"NFKC", map[string]any{"a": 1.0, "b": 2.0}}, []any{map[string]any{}}, []any{"a,b"}, []any{"a", "b"})
	case chain:
		return oneOf([]any{}, []any{map[string]any{"provider": "p", "model": "m"}, map[string]any{"provider_id": "p", "model_family": "m"}})
	}
	return oneOf("a", "b", `a" "b`, "tab\t", `tab\t`, "é", "unknown", "timeout")
}

// rewrite gives a term equal to this one under the laws: it shuffles and nests arguments and adds units and doubled
// negations.
func (g generator) rewrite(term []any) []any {
	op := signature[term[0].(string)]
	out := slices.Clone(term)
	for i, arg := range out[1:] {
		if op.variadic || op.args[i].isTerm() {
			out[i+1] = g.rewrite(arg.([]any))
		}
	}
	if op.variadic {
		args := out[1:]
		if !op.ordered {
			g.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
		}
		if k := g.IntN(len(args)); k > 0 && g.IntN(2) == 0 {
			out = []any{op.name, append([]any{op.name}, args[:k]...), append([]any{op.name}, args[k:]...)}
		}
		if g.IntN(2) == 0 {
			out = append(out, []any{op.unit})
		}
		return out
	}
	switch {
	case g.IntN(3) > 0:
		return out
	case op.out == Pred:
		return []any{"not", []any{"not", out}}
	case op.out == Scorer:
		return []any{"scale", 1.0, []any{"gate", []any{"top"}, out}}
	case op.out == Xform:
		return []any{"seq", out, []any{"id"}}
	}
	return out
}

func (g generator) parse(t *testing.T, term []any) Term {
	t.Helper()
	raw, err := json.Marshal(term)
	if err != nil {
		t.Fatal(err)
	}
	return mustParse(t, string(raw))
}

// value turns a term back into the values it was read from, so that terms can be compared without their encoding.
func value(n *node) string {
	s := fmt.Sprintf("%q[", n.op.name)
	for _, arg := range n.args {
		if sub, ok := arg.(*node); ok {
			s += value(sub)
		} else {
			raw, err := json.Marshal(arg)
			if err != nil {
				panic(err)
			}
			if string(raw) == "-0" {
				raw = raw[1:]
			}
			s += string(raw)
		}
		s += ";"
	}
	return s + "]"
}

// TestProperties: normalising twice changes nothing; terms equal under the laws have one identity; and no two normal
// forms that differ share their bytes.
func TestProperties(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(4, 2))}
	byEncoding := make(map[string]string)
	for i := range 8000 {
		sort := []Sort{Pred, Scorer, Selector, Xform, FailPlan, Policy}[i%6]
		depth := 1 + g.IntN(4)
		generated := g.term(sort, depth)
		normal := Normalize(g.parse(t, generated))
		encoded := string(Encode(normal))

		if !normal.IsNormal() {
			t.Fatalf("%v: the normal form is not in normal form: %s", generated, encoded)
		}
		rewritten := g.rewrite(generated)
		if again := string(Encode(Normalize(g.parse(t, rewritten)))); Identity([]byte(again)) != Identity([]byte(encoded)) {
			t.Fatalf("equal terms, two identities\n%v\n%s\n%v\n%s", generated, encoded, rewritten, again)
		}
		v := value(normal.root)
		if other, seen := byEncoding[encoded]; seen && other != v {
			t.Fatalf("two terms, one encoding %s:\n%s\n%s", encoded, v, other)
		}
		byEncoding[encoded] = v
	}
	if len(byEncoding) < 2000 {
		t.Errorf("only %d different terms: the generator is too poor to show anything", len(byEncoding))
	}
}
