package sigmapol

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recording is one engine decision as testdata/decision/traces holds it.
type recording struct {
	PolicyIR json.RawMessage `json:"policy_ir"`
	Result   struct {
		Chosen *Row   `json:"chosen"`
		Error  string `json:"error"`
		Trace  struct {
			Path        []Event         `json:"decision_path"`
			Fingerprint string          `json:"policy_fingerprint"`
			Term        json.RawMessage `json:"policy_term"`
			Ranked      []Row           `json:"ranked"`
			Rejected    []struct {
				Model    string `json:"model"`
				Provider string `json:"provider"`
				Reason   string `json:"reason"`
			} `json:"rejected"`
		} `json:"decision_trace"`
	} `json:"result"`
	Snapshot json.RawMessage `json:"snapshot"`
	Expect   struct {
		Encoding    string `json:"encoding"`
		Identity    string `json:"identity_sha256"`
		Fingerprint string `json:"fingerprint"`
		Verdict     string `json:"verdict"`
	} `json:"expect"`
}

func readRecording(t *testing.T, path string) recording {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// contradictions holds a recording against its policy with everything this package offers, and names what fails.
func contradictions(t *testing.T, r recording) (found []string) {
	t.Helper()
	note := func(failed bool, what string) {
		if failed && !slices.Contains(found, what) {
			found = append(found, what)
		}
	}
	trace := r.Result.Trace
	snapshot, err := DecodeSnapshot(r.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if snapshot.Schema.Infer {
		t.Error("the snapshot declares its fields, they need not be inferred")
	}
	term, err := Parse(trace.Term, snapshot.Schema)
	if errors.Is(err, ErrVersion1) {
		return []string{"version 1"}
	}
	if err != nil {
		return []string{err.Error()}
	}
	inferred, err := Parse(trace.Term, Schema{Infer: true})
	if err != nil || string(Encode(inferred)) != string(Encode(term)) {
		t.Errorf("inferring the sorts gives another term, or %v", err)
	}
	note(!term.IsNormal(), "normal form")
	note(Fingerprint(Encode(Normalize(term))) != trace.Fingerprint, "fingerprint")
	note(DifferingSlots(mustParse(t, string(r.PolicyIR)), term) != nil, "another policy")
	for _, rejected := range trace.Rejected {
		note(!slices.Contains(PossibleReasons(term), rejected.Reason), "impossible reason")
	}
	note(CheckRanking(term, trace.Ranked, len(trace.Ranked)) != nil, "ranking")

	walked := Walk(term, trace.Ranked, len(trace.Ranked), trace.Path)
	note(walked.Divergence != nil, "path")
	if walked.Complete {
		note(walked.Error != r.Result.Error, "error")
		note((walked.Answered >= 0) != (r.Result.Chosen != nil), "chosen")
		if walked.Answered >= 0 && r.Result.Chosen != nil {
			row := trace.Ranked[walked.Answered]
			note(row.ProviderID != r.Result.Chosen.ProviderID || row.ModelFamily != r.Result.Chosen.ModelFamily, "chosen")
		}
	}

	d, err := Decide(term, snapshot.Candidates, snapshot.Context)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for _, s := range d.Ranked {
		c := snapshot.Candidates[s.Index]
		rows = append(rows, Row{c.Provider(), c.Family(), c.Tier(), s.Score})
	}
	note(!cmp.Equal(trace.Ranked, rows), "recomputed ranking")
	same := len(d.Rejected) == len(trace.Rejected)
	for i := 0; same && i < len(d.Rejected); i++ {
		c := snapshot.Candidates[d.Rejected[i].Index]
		same = c.Provider() == trace.Rejected[i].Provider && c.Family() == trace.Rejected[i].Model &&
			d.Rejected[i].Reason == trace.Rejected[i].Reason
	}
	note(!same, "recomputed rejections")
	return found
}

// TestTraces: what the engine recorded agrees with its policy in every respect.
func TestTraces(t *testing.T) {
	for _, path := range recordings(t, "../../../testdata/decision/traces/0*.json", 3) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := readRecording(t, path)
			if found := contradictions(t, r); found != nil {
				t.Errorf("a true trace contradicts its policy: %v", found)
			}
			encoded := Encode(Normalize(mustParse(t, string(r.PolicyIR))))
			if got := string(encoded); got != r.Expect.Encoding {
				t.Errorf("encoding\n got %s\nwant %s", got, r.Expect.Encoding)
			}
			if got := Identity(encoded); got != "sha256:"+r.Expect.Identity {
				t.Errorf("identity %s, want %s", got, r.Expect.Identity)
			}
			if got := Fingerprint(encoded); got != r.Expect.Fingerprint {
				t.Errorf("fingerprint %s, want %s", got, r.Expect.Fingerprint)
			}
		})
	}
}

// TestTamperedTraces: each of the tampered copies is caught, by the check that is meant for it.
func TestTamperedTraces(t *testing.T) {
	caught := map[string][]string{
		"bad-chosen-not-last.json":    {"chosen"},
		"bad-path-backoff.json":       {"path"},
		"bad-path-retry-skipped.json": {"path"},
		"bad-reason-impossible.json":  {"impossible reason", "recomputed rejections"},
		"bad-snapshot-price.json":     {"recomputed ranking"},
		"bad-term-not-normal.json":    {"normal form"},
		"bad-v1-term.json":            {"version 1"},
	}
	for _, path := range recordings(t, "../../../testdata/decision/traces/bad-*.json", len(caught)) {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".json"), func(t *testing.T) {
			if diff := cmp.Diff(caught[name], contradictions(t, readRecording(t, path))); diff != "" {
				t.Errorf("contradictions (-want +got):\n%s", diff)
			}
		})
	}
}

func recordings(t *testing.T, pattern string, count int) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) != count {
		t.Fatalf("%s: %d files, want %d (%v)", pattern, len(paths), count, err)
	}
	return paths
}
