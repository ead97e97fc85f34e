package sigmapol

import (
	"errors"
	"strings"
	"testing"
)

// TestAdmission pins what SIGMA-POL §2 refuses, with the engine's own words.
func TestAdmission(t *testing.T) {
	const noArgs = "a term is { op, ... } with a string op"
	for _, tt := range []struct{ term, want string }{
		{`["top"`, `$: term is not JSON: unexpected end of JSON input`},
		{`["lit",1e999]`, `$: term is not JSON: json: cannot unmarshal number 1e999 into Go value of type float64`},
		{"[\"has_cap\",\"\xff\"]", `$: term is not Unicode text`},
		{`["has_cap","\ud800"]`, `$: term is not Unicode text`},
		{`["has_cap","\udc00\ud800"]`, `$: term is not Unicode text`},
		{`["has_cap","\ud800\u0041"]`, `$: term is not Unicode text`},
		{`null`, `$: ` + noArgs},
		{`{"op":"top"}`, `$: ` + noArgs},
		{`[]`, `$: ` + noArgs},
		{`[["top"]]`, `$: ` + noArgs},
		{`["not","top"]`, `$.not[1]: ` + noArgs},
		{`["top",1]`, `$: top takes 0 argument(s), got 1`},
		{`["seq"]`, `$: seq needs at least one argument`},
		{`["and",["top"],["zero"]]`, `$.and[2]: expected Pred, got Scorer`},
		{`["gate",["or",["not",["lit",1]]],["zero"]]`, `$.gate[1].or[1].not[1]: expected Pred, got Scorer`},
		{`["lit","1"]`, `$.lit[1]: expected a finite number`},
		{`["lit",null]`, `$.lit[1]: expected a finite number`},
		{`["top_k",1.5,["argmax"]]`, `$.top_k[1]: expected a positive integer (Count >= 1)`},
		{`["cmp","price_in","==",1]`, `$.cmp[2]: expected a relation (lt|le|eq|ne|ge|gt)`},
		{`["cmp",1,"le",1]`, `$.cmp[1]: expected a field name`},
		{`["field","bench_x"]`, `$.field[1]: undeclared field 'bench_x'`},
		{`["field","has_tee"]`, `$.field[1]: field 'has_tee' has sort Bool, expected Num`},
		{`["tier_eq","gold"]`, `$.tier_eq[1]: unknown tier 'gold'`},
		{`["min_tier",3]`, `$.min_tier[1]: unknown tier '3'`},
		{`["family_eq",3]`, `$.family_eq[1]: expected a string (Family)`},
		{`["has_cap",true]`, `$.has_cap[1]: expected a string (Capability)`},
		{`["inject_seed",[]]`, `$.inject_seed[1]: expected a string (ParamName)`},
		{`["custom",1]`, `$.custom[1]: expected a string (Sym)`},
		{`["override",["always",{"action":"abort"}],1,{"action":"abort"}]`, `$.override[2]: expected a string (FailReason)`},
		{`["set_param","a",["b"]]`, `$.set_param[2]: expected a scalar (number|string|boolean)`},
		{`["always","abort"]`, `$.always[1]: Action must be a record`},
		{`["always",[]]`, `$.always[1]: Action.action invalid: nil`},
		{`["always",["abort"]]`, `$.always[1]: Action.action invalid: nil`},
		{`["always",{"action":{}}]`, `$.always[1]: Action.action invalid: table`},
		{`["always",{"action":"abort","then_action":false}]`, `$.always[1]: Action.then_action invalid: false`},
		{`["always",{"action":"abort","attempts":"2"}]`, `$.always[1]: Action.attempts must be a number`},
		{`["always",{"action":"abort","open_breaker_ms":true}]`, `$.always[1]: Action.open_breaker_ms must be a number`},
		{`["always",{"action":"abort","backoff_ms":"9"}]`, `$.always[1]: Action.backoff_ms must be a number or array`},
		{`["always",{"action":"abort","backoff_ms":[1,"9"]}]`, `$.always[1]: Action.backoff_ms entries must be numbers`},
		{`["always",{"action":"abort","mark_unavailable_ms":"9"}]`, `$.always[1]: Action key 'mark_unavailable_ms' must map to a finite number`},
		{`["filter_text","NFKC"]`, `$.filter_text[1]: Recipe must be an array`},
		{`["filter_text",["NFKC",1]]`, `$.filter_text[1]: Recipe[2] must be a string or flat record`},
		{`["filter_image",[{"a":"b"}]]`, `$.filter_image[1]: Recipe[1] must map string keys to numbers`},
		{`["filter_image",[[1]]]`, `$.filter_image[1]: Recipe[1] must map string keys to numbers`},
		{`["chain","a"]`, `$.chain[1]: Chain must be an array`},
		{`["chain",[{"provider":"a"}]]`, `$.chain[1]: Chain[1] must be { provider=, model= }`},
		{`["chain",[{"provider":"a","model":"b"},{"provider":1,"model":"b"}]]`, `$.chain[1]: Chain[2] must be { provider=, model= }`},
		{strings.Repeat(`["not",`, 64) + `["top"]` + strings.Repeat(`]`, 64), "$" + strings.Repeat(".not[1]", 64) + `: term exceeds max depth 64`},
		{`["and"` + strings.Repeat(`,["top"]`, 4096) + `]`, `$.and[4096]: term exceeds max size 4096 nodes`},
		{`["has_cap","` + strings.Repeat("x", MaxBytes) + `"]`, `$: term exceeds max size 262144 bytes`},
	} {
		_, err := Parse([]byte(tt.term), Schema{})
		var admission *AdmissionError
		if !errors.As(err, &admission) || err.Error() != tt.want || errors.Is(err, ErrVersion1) {
			t.Errorf("Parse(%.80s)\n got %v\nwant %s", tt.term, err, tt.want)
		}
	}
}

// At the bounds themselves terms are still admitted.
func TestAdmissionAtTheBounds(t *testing.T) {
	for _, term := range []string{
		strings.Repeat(`["not",`, 63) + `["top"]` + strings.Repeat(`]`, 63),
		`["and"` + strings.Repeat(`,["top"]`, 4095) + `]`,
	} {
		if _, err := Parse([]byte(term), Schema{}); err != nil {
			t.Errorf("Parse(%.40s…): %v", term, err)
		}
	}
}

// Escapes that look like halves of a pair, and are not, or are whole pairs.
func TestSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`"\ud83d\ude00"`:  "\U0001F600",
		`"\uD83D\uDE00x"`: "\U0001F600x",
		`"\\ud800"`:       `\\ud800`,
		`"\n\u00e9"`:      `\né`,
	} {
		if got := string(Encode(mustParse(t, `["has_cap",`+in+`]`))); got != Version+`:(has_cap "`+want+`")` {
			t.Errorf("%s: got %s, want it to hold %s", in, got, want)
		}
	}
}

// An operation of a newer engine is not a fault of the term: operations are only ever added.
func TestUnknownOperation(t *testing.T) {
	_, err := Parse([]byte(`["policy",["and",["top"],["prefer_eu","x"]],["zero"],["argmax"],["id"],["always",{"action":"abort"}]]`), Schema{})
	var unknown *UnknownOperationError
	if !errors.As(err, &unknown) || unknown.Operation != "prefer_eu" || unknown.Path != "$.policy[1].and[2]" {
		t.Fatalf("got %v, want the unknown operation prefer_eu", err)
	}
	if want := "$.policy[1].and[2]: unknown op 'prefer_eu'"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

// Terms of the version before are told from both damaged and newer ones.
func TestVersion1(t *testing.T) {
	for _, tt := range []struct {
		term     string
		version1 bool
	}{
		{`["policy",["ev_zero"],["top"],["zero"],["argmax"],["id"],["always",{"action":"abort"}]]`, true},
		{`["policy",["ev_add",["from_prov","self"]],["top"],["zero"],["argmax"],["id"],["always",{"action":"abort"}]]`, true},
		{`["scale",2,["quality"]]`, true},
		{`["policy",["top"],["top"],["zero"],["argmax"],["id"],["always",{"action":"abort"}]]`, false},
		{`["policy",["zero"],["argmax"],["id"],["always",{"action":"abort"}]]`, false},
	} {
		_, err := Parse([]byte(tt.term), Schema{})
		var admission *AdmissionError
		if !errors.As(err, &admission) || errors.Is(err, ErrVersion1) != tt.version1 {
			t.Errorf("Parse(%s): %v; version 1: want %t", tt.term, err, tt.version1)
		}
	}
}

// An empty Lua table has no kind: [] and {} are read as whichever is wanted, and written as [].
func TestEmptyTables(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{`["chain",[]]`, `["chain",{}]`, `(chain [])`},
		{`["filter_text",[]]`, `["filter_text",{}]`, `(filter_text [])`},
		{`["filter_text",[[]]]`, `["filter_text",[{}]]`, `(filter_text [[]])`},
		{`["always",{"action":"abort","backoff_ms":[]}]`, `["always",{"action":"abort","backoff_ms":{}}]`, `(always {"action":"abort","backoff_ms":[]})`},
	} {
		a, b := string(Encode(mustParse(t, tt.a))), string(Encode(mustParse(t, tt.b)))
		if want := Version + ":" + tt.want; a != want || b != want {
			t.Errorf("got %s and %s, want %s", a, b, want)
		}
	}
}

// Without declarations a field has the sort of its first use; with two uses that differ the term contradicts itself.
func TestInferredFields(t *testing.T) {
	mustParse(t, `["gate",["and",["is","cap_x"],["cmp","bench","ge",1]],["field","bench"]]`)

	_, err := Parse([]byte(`["gate",["is","bench"],["field","bench"]]`), Schema{Infer: true})
	if want := `$.gate[2].field[1]: field 'bench' has sort Bool, expected Num`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	declared := Schema{Fields: map[string]Field{"price_in": {BoolField, false}}}
	if _, err := Parse([]byte(`["field","price_in"]`), declared); err != nil {
		t.Errorf("a declaration took the place of a core field: %v", err)
	}
	if _, err := Parse([]byte(`["tier_eq","gold"]`), Schema{TierOrder: []string{"gold"}}); err != nil {
		t.Errorf("a declared tier is refused: %v", err)
	}
}
