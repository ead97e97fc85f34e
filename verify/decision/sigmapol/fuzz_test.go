package sigmapol

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzTerm: whatever Parse admits has a normal form, which is its own, and everything that takes a term takes it.
// Whatever Parse refuses, it refuses with one of its two errors.
func FuzzTerm(f *testing.F) {
	for _, seed := range []string{
		`["policy",["and",["meets_req"],["not",["is","disabled"]]],["add",["scale",0.5,["field","x"]],["lit",1]],["top_k",2,["sample",0.5]],["seq",["jitter","t",1],["filter_text",[{"a":1}]]],["override",["always",{"action":"abort"}],"unknown",{"action":"retry_same","backoff_ms":[1,2]}]]`,
		`["policy",["or",["bot"],["scope_matches"]],["gate",["cmp","x","ne",1e-9],["normalize",["clamp",0,1,["neg",["field","x"]]]]],["chain",[{"provider":"a","model":"m"}]],["when",["has_cap","c"],["custom","s"]],["always",{"action":"disable_provider"}]]`,
		`["and",["top"],["and",["bot"]]]`,
		`["set_param","\ud83d\ude00",-0]`,
		`["unheard_of"]`,
		`[{}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		term, err := Parse(raw, Schema{Infer: true})
		if err != nil {
			var admission *AdmissionError
			var unknown *UnknownOperationError
			if !errors.As(err, &admission) && !errors.As(err, &unknown) {
				t.Fatalf("an error of neither kind: %v", err)
			}
			return
		}
		normal := Normalize(term)
		if !normal.IsNormal() {
			t.Errorf("normalising %s twice changes it", Encode(term))
		}
		if term.IsNormal() != bytes.Equal(Encode(term), Encode(normal)) {
			t.Errorf("IsNormal is wrong about %s", Encode(term))
		}
		if normal.Sort() != term.Sort() {
			t.Errorf("normalising %s makes it a %s", Encode(term), normal.Sort())
		}
		candidates := pool(t, `{"x":1}`, `{"capabilities":{"c":true}}`, `{"x":3,"tier":"partner"}`)
		rows := []Row{{"a", "m", "", 1}, {"b", "m", "partner", -1}}
		kind := "timeout"
		Walk(term, rows, 3, []Event{{Event: Attempted, ProviderID: "a", ModelFamily: "m", ErrorKind: &kind}})
		CheckRanking(term, rows, 2)
		DifferingSlots(term, normal)
		d, err := Decide(term, candidates, Context{})
		if err == nil && len(d.Survivors)+len(d.Rejected) != len(candidates) {
			t.Errorf("%d survive and %d are rejected, of %d", len(d.Survivors), len(d.Rejected), len(candidates))
		}
	})
}

// FuzzSnapshot: any snapshot that can be read can be decided on, or refused, without a panic.
func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(`{"candidates":[{"provider_id":"a","model_family":"m","capabilities":[],"offer":{"peer_id":1},"scope":{}}],"ctx":{"request":{"requirements":{"needs":{},"model_family":[],"privacy":{},"min_context":"1","pin":1}},"state":{"ema":[],"credits":{"a":"1"}},"seed":-1.5},"fields":{"x":{"sort":"Num","default":1}}}`))
	f.Add([]byte(`{"candidates":[],"ctx":{"seed":1e300,"state":{}},"tier_order":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := DecodeSnapshot(raw)
		if err != nil {
			return
		}
		term, err := Parse([]byte(`["policy",["and",["meets_req"],["scope_matches"],["served_by_eq","a"],["is","disabled"]],["add",["field","credits"],["field","price_in"]],["sample",1],["jitter","x",1],["always",{"action":"abort"}]]`), s.Schema)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Decide(term, s.Candidates, s.Context)
		if err == nil && len(d.Ranked) != len(d.Survivors) {
			t.Errorf("%d ranked of %d survivors", len(d.Ranked), len(d.Survivors))
		}
	})
}
