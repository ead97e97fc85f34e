package sigmapol

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// vector is one conformance vector in the language's own format (SIGMA-POL §7).
type vector struct {
	Name       string          `json:"name"`
	Kind       string          `json:"kind"`
	Term       json.RawMessage `json:"term"`
	Candidates []Candidate     `json:"candidates"`
	Context    Context         `json:"ctx"`
	Cases      json.RawMessage `json:"cases"`
	Expect     struct {
		Sort        Sort             `json:"sort"`
		Encoding    string           `json:"encoding"`
		Fingerprint string           `json:"fingerprint"`
		Error       string           `json:"error"`
		Ordered     []string         `json:"ordered"`
		Scores      []float64        `json:"scores"`
		Rejected    []vectorRejected `json:"rejected"`
		Classified  []struct {
			Kind   string `json:"kind"`
			Action Action `json:"action"`
		} `json:"classified"`
	} `json:"expect"`
}

type vectorRejected struct {
	Provider string `json:"provider"`
	Reason   string `json:"reason"`
}

// goldenSum is the sha256 of sigma_pol_v2.json as the engine's repository has it.
const goldenSum = "38f1755ead995effd9e5480765a0456a5c26760cccb4b56d8e18a7ded9345690"

// TestGoldenVectors replays the language's own conformance set ("a conforming host replays the golden vectors
// (tests/golden/sigma_pol_v2.json in the engine repo)", Traces & replay, Conformance).
func TestGoldenVectors(t *testing.T) {
	raw, err := os.ReadFile("../../../testdata/decision/sigma_pol_v2.json")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != goldenSum {
		t.Fatalf("it is not the golden set: its sha256 is %x", sum)
	}
	// SIGMA-POL §7 compares the scores of this set within 1e-12.
	replay(t, raw, 15, cmpopts.EquateApprox(0, 1e-12))
}

// TestExtraVectors replays the vectors that the reference implementation computed for us; scores to the last bit.
func TestExtraVectors(t *testing.T) {
	raw, err := os.ReadFile("../../../testdata/decision/extra_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	replay(t, raw, 84)
}

func replay(t *testing.T, raw []byte, count int, scores ...cmp.Option) {
	t.Helper()
	var file struct {
		Fields  map[string]Field `json:"fields"`
		Vectors []vector         `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != count {
		t.Fatalf("%d vectors, want %d", len(file.Vectors), count)
	}
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			term, err := Parse(v.Term, Schema{Fields: file.Fields})
			if v.Expect.Error != "" {
				if err == nil || err.Error() != v.Expect.Error {
					t.Fatalf("Parse: %v, want %s", err, v.Expect.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			encoded := Encode(Normalize(term))
			if got := string(encoded); got != v.Expect.Encoding {
				t.Errorf("encoding\n got %s\nwant %s", got, v.Expect.Encoding)
			}
			if got := Fingerprint(encoded); got != v.Expect.Fingerprint {
				t.Errorf("fingerprint %s, want %s", got, v.Expect.Fingerprint)
			}
			if term.Sort() != v.Expect.Sort {
				t.Errorf("sort %s, want %s", term.Sort(), v.Expect.Sort)
			}
			switch v.Kind {
			case "encoding", "xform": // no trace records a request
			case "pred":
				replayPred(t, term, v)
			case "policy":
				replayPolicy(t, term, v, scores)
			case "failplan":
				replayFailPlan(t, term, v)
			default:
				t.Errorf("unknown kind %s", v.Kind)
			}
		})
	}
}

// replayPred decides under a policy whose filter is the predicate, with one candidate in the pool.
func replayPred(t *testing.T, term Term, v vector) {
	var cases []struct {
		Candidate Candidate `json:"candidate"`
		Context   Context   `json:"ctx"`
		OK        bool      `json:"expect_ok"`
		Reason    string    `json:"expect_reason"`
	}
	if err := json.Unmarshal(v.Cases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range cases {
		d, err := Decide(policyWith(t, term), []Candidate{c.Candidate}, c.Context)
		if err != nil {
			t.Fatal(err)
		}
		if passed := len(d.Rejected) == 0; passed != c.OK {
			t.Errorf("case %d: passed %t, want %t", i, passed, c.OK)
		}
		for _, r := range d.Rejected {
			if r.Reason != c.Reason && !slices.Contains(r.Also, c.Reason) {
				t.Errorf("case %d: reason %s or %v, want %s", i, r.Reason, r.Also, c.Reason)
			}
			if !slices.Contains(PossibleReasons(term), c.Reason) {
				t.Errorf("case %d: %s is not among the possible reasons %v", i, c.Reason, PossibleReasons(term))
			}
		}
	}
}

// policyWith puts one part into a policy that is otherwise as plain as can be.
func policyWith(t *testing.T, part Term) Term {
	t.Helper()
	p := mustParse(t, `["policy",["top"],["zero"],["ordered"],["id"],["always",{"action":"abort"}]]`)
	root := &node{op: p.root.op, args: slices.Clone(p.root.args)}
	for i, want := range root.op.args {
		if want == part.Sort() {
			root.args[i] = part.root
		}
	}
	return Term{root, part.world}
}

func replayPolicy(t *testing.T, term Term, v vector, scores []cmp.Option) {
	d, err := Decide(term, v.Candidates, v.Context)
	if err != nil {
		t.Fatal(err)
	}
	ordered, got := []string{}, []float64{}
	for _, r := range d.Ranked {
		ordered = append(ordered, v.Candidates[r.Index].Provider())
		got = append(got, r.Score)
	}
	if diff := cmp.Diff(v.Expect.Ordered, ordered); diff != "" {
		t.Errorf("ordered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(v.Expect.Scores, got, scores...); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	if len(d.Rejected) != len(v.Expect.Rejected) {
		t.Fatalf("%d rejected, want %d", len(d.Rejected), len(v.Expect.Rejected))
	}
	for i, r := range d.Rejected {
		want := v.Expect.Rejected[i]
		if p := v.Candidates[r.Index].Provider(); p != want.Provider {
			t.Errorf("rejected %d is %s, want %s", i, p, want.Provider)
		}
		if r.Reason != want.Reason && !slices.Contains(r.Also, want.Reason) {
			t.Errorf("rejected %d for %s or %v, want %s", i, r.Reason, r.Also, want.Reason)
		}
		if !slices.Contains(PossibleReasons(term), want.Reason) {
			t.Errorf("%s is not among the possible reasons %v", want.Reason, PossibleReasons(term))
		}
	}
	var rows []Row
	for _, r := range d.Ranked {
		c := v.Candidates[r.Index]
		rows = append(rows, Row{c.Provider(), c.Family(), c.Tier(), r.Score})
	}
	if faults := CheckRanking(term, rows, len(rows)); faults != nil && !math.IsInf(rows[0].Score, 0) {
		t.Errorf("CheckRanking finds fault with a true ranking: %v", faults)
	}
}

func replayFailPlan(t *testing.T, term Term, v vector) {
	if len(v.Expect.Classified) == 0 {
		t.Fatal("no kinds")
	}
	for _, c := range v.Expect.Classified {
		if diff := cmp.Diff(c.Action, actionFor(Normalize(term).slotOf(FailPlan), c.Kind)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Kind, diff)
		}
	}
}

func mustParse(t testing.TB, raw string) Term {
	t.Helper()
	term, err := Parse([]byte(raw), Schema{Infer: true})
	if err != nil {
		t.Fatalf("Parse(%s): %v", raw, err)
	}
	return term
}
