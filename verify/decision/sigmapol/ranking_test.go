package sigmapol

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCheckRanking pins what recorded rows can contradict without the candidates being known.
func TestCheckRanking(t *testing.T) {
	a, b := Row{"a", "m", "partner", 2}, Row{"b", "n", "", 1}
	const chainAB = `["chain",[{"provider":"a","model":"m"},{"provider":"b","model":"n"}]]`
	for _, tt := range []struct {
		filter, selector string
		rows             []Row
		total            int
		want             []RankingFault
	}{
		{`["top"]`, `["argmax"]`, []Row{a, b}, 2, nil},
		{`["top"]`, `["argmax"]`, []Row{b, a}, 2, []RankingFault{{1, false, "rank 2 scores above rank 1"}}},
		{`["top"]`, `["top_k",2,["argmax"]]`, []Row{b, a}, 2, []RankingFault{{1, false, "rank 2 scores above rank 1"}}},
		{`["top"]`, `["sample",1]`, []Row{b, a}, 2, nil},
		{`["top"]`, `["ordered"]`, []Row{b, a}, 2, nil},
		{`["top"]`, `["top_k",1,["argmax"]]`, []Row{a, b}, 2, []RankingFault{{-1, false, "2 candidates are ranked, the policy lets 1 through"}}},
		{`["top"]`, `["top_k",11,["argmax"]]`, []Row{a, b}, 12, []RankingFault{{-1, false, "12 candidates are ranked, the policy lets 11 through"}}},
		{`["top"]`, chainAB, []Row{{"a", "m", "", -1}, {"b", "n", "", -2}}, 2, nil},
		{`["top"]`, chainAB, []Row{{"b", "n", "", -2}}, 1, nil},
		{`["top"]`, chainAB, []Row{{"b", "n", "", -1}}, 1, []RankingFault{{0, false, "rank 1 scores -1, its place on the chain gives -2"}}},
		{`["top"]`, chainAB, []Row{{"a", "n", "", -1}}, 1, []RankingFault{{0, false, "rank 1 is not on the chain"}}},
		{`["top"]`, `["argmax"]`, []Row{{"a", "m", "", math.NaN()}}, 1, []RankingFault{{0, false, "the score is not a finite number"}}},
		{`["tier_eq","partner"]`, `["argmax"]`, []Row{a, b}, 2, []RankingFault{{1, true, `rank 2 violates (tier_eq "partner")`}}},
		{`["min_tier","marketplace"]`, `["argmax"]`, []Row{a, b}, 2, []RankingFault{{1, true, `rank 2 violates (min_tier "marketplace")`}}},
		{`["and",["family_eq","m"],["not",["provider_eq","b"]]]`, `["argmax"]`, []Row{a, b}, 2,
			[]RankingFault{{1, true, `rank 2 violates (family_eq "m")`}, {1, true, `rank 2 violates (not (provider_eq "b"))`}}},
		{`["or",["family_eq","m"],["family_eq","n"]]`, `["argmax"]`, []Row{a, b}, 2, nil},
		{`["or",["family_eq","m"],["meets_req"]]`, `["argmax"]`, []Row{a, b}, 2, nil},
		{`["not",["and",["family_eq","n"],["provider_eq","b"]]]`, `["argmax"]`, []Row{a, b}, 2,
			[]RankingFault{{1, true, `rank 2 violates (not (and (family_eq "n") (provider_eq "b")))`}}},
		{`["bot"]`, `["argmax"]`, []Row{a}, 1, []RankingFault{{0, true, `rank 1 violates (bot)`}}},
		{`["served_by_eq","p"]`, `["argmax"]`, []Row{a}, 1, nil},
	} {
		t.Run(fmt.Sprint(tt.filter, tt.selector), func(t *testing.T) {
			if diff := cmp.Diff(tt.want, CheckRanking(policy(t, tt.filter, `["zero"]`, tt.selector), tt.rows, tt.total)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// However many rows break however many tests, the answer stays small.
func TestCheckRankingIsBounded(t *testing.T) {
	tests := `["and"` + strings.Repeat(`,["family_eq","x"]`, 4000) + `]`
	faults := CheckRanking(policy(t, tests, `["zero"]`, `["argmax"]`), make([]Row, MaxCandidates+1), 0)
	if len(faults) != 64 || faults[0] != (RankingFault{-1, false, "4097 rows are more than 4096: the rest is not checked"}) {
		t.Errorf("%d faults, the first %v", len(faults), faults[0])
	}
}

func TestPossibleReasons(t *testing.T) {
	for _, tt := range []struct {
		filter string
		want   []string
	}{
		{`["top"]`, nil},
		{`["bot"]`, []string{"bot"}},
		{`["or",["has_cap","a"],["has_cap","b"]]`, []string{"or"}},
		{`["and",["cmp","price_in","le",5],["cmp","price_in","le",9],["not",["is","disabled"]],["is","no_log"]]`, []string{"cmp:price_in:le", "is:no_log", "not"}},
		{`["and",["tier_eq","partner"],["min_tier","partner"],["family_eq","m"],["provider_eq","a"],["served_by_eq","a"],["has_cap","c"],["scope_matches"]]`,
			[]string{"min_tier", "missing_capability:c", "model_family", "provider_id", "scope", "served_by", "tier"}},
		{`["meets_req"]`, []string{"min_context", "min_quality", "min_tok_s", "missing_capability:json_mode", "missing_capability:seed", "missing_capability:tools", "missing_capability:vision", "model_family", "no_log", "tee_required", "tier"}},
	} {
		if diff := cmp.Diff(tt.want, PossibleReasons(policy(t, tt.filter, `["zero"]`, `["argmax"]`))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.filter, diff)
		}
	}
}

// A host may narrow the filter of a policy and change nothing else.
func TestDifferingSlots(t *testing.T) {
	written := policy(t, `["and",["has_cap","a"],["meets_req"]]`, `["lit",1]`, `["argmax"]`)
	for _, tt := range []struct {
		filter, scorer, selector string
		want                     []string
	}{
		{`["and",["meets_req"],["has_cap","a"]]`, `["lit",1]`, `["argmax"]`, nil},
		{`["and",["meets_req"],["has_cap","a"],["is","no_log"]]`, `["lit",1]`, `["argmax"]`, nil},
		{`["bot"]`, `["lit",1]`, `["argmax"]`, nil},
		{`["and",["meets_req"],["has_cap","b"]]`, `["lit",1]`, `["argmax"]`, []string{"filter"}},
		{`["top"]`, `["lit",2]`, `["ordered"]`, []string{"filter", "scorer", "selector"}},
	} {
		if diff := cmp.Diff(tt.want, DifferingSlots(written, policy(t, tt.filter, tt.scorer, tt.selector))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.filter, diff)
		}
	}
	twice := policy(t, `["and",["meets_req"],["meets_req"]]`, `["lit",1]`, `["argmax"]`)
	once := policy(t, `["and",["meets_req"],["is","no_log"]]`, `["lit",1]`, `["argmax"]`)
	if diff := cmp.Diff([]string{"filter"}, DifferingSlots(twice, once)); diff != "" {
		t.Errorf("duplicates stay in the normal form (-want +got):\n%s", diff)
	}
	other := mustParse(t, `["policy",["and",["has_cap","a"],["meets_req"]],["lit",1],["argmax"],["inject_seed","s"],["always",{"action":"retry_same"}]]`)
	if diff := cmp.Diff([]string{"xform", "failplan"}, DifferingSlots(written, other)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
