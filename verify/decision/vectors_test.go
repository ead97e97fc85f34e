package decision

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// faults is what each tampered vector must be called, at least.
var faults = map[string]string{
	"bad-chosen-not-last":    "not-the-answering-model",
	"bad-path-backoff":       "FAIL decision_path[1] path-differs",
	"bad-path-retry-skipped": "FAIL decision_path[3] path-differs",
	"bad-reason-impossible":  "FAIL rejected[0].reason impossible-reason",
	"bad-snapshot-price":     "FAIL snapshot.ranked[",
	"bad-term-not-normal":    "FAIL policy_term.normal_form not-normal",
	"bad-v1-term":            "FAIL policy_term version-1",
}

// onlyInSnapshot are the faults that nothing but the snapshot shows.
var onlyInSnapshot = []string{"bad-snapshot-price"}

// vectorFiles are the recorded decisions, and with REPLAY_GATE_DECISION_TRACES
// set those of that folder too.
func vectorFiles(t *testing.T, pattern string, least int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "decision", "traces", pattern))
	if err != nil || len(files) < least {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	if more := os.Getenv("REPLAY_GATE_DECISION_TRACES"); more != "" {
		found, err := filepath.Glob(filepath.Join(more, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", more, len(found), err)
		}
		files = append(files, found...)
	}
	return files
}

// What the engine recorded passes in every shape, with the snapshot, the policy
// file, both, and neither.
func TestTrueTraces(t *testing.T) {
	for _, file := range vectorFiles(t, "0*.json", 3) {
		v := readVector(t, file)
		for shape, make := range shapes {
			t.Run(filepath.Base(file)+" "+shape, func(t *testing.T) {
				evidence := make(v)
				for _, fsys := range []struct{ snapshot, policy any }{{}, {v.Snapshot, nil}, {nil, v.Policy}, {v.Snapshot, v.Policy}} {
					r := check(tree(evidence, fsys.snapshot, fsys.policy))
					renderable(t, r)
					if got := rows(r, verify.Fail); got != "" {
						t.Errorf("a true trace fails:\n%s", got)
					}
					if got := rows(r, verify.Warn); got != "" && !strings.HasPrefix(got, "warn snapshot.ties tie-order") {
						t.Errorf("warnings:\n%s", got)
					}
					if row(t, r, "policy_term").Status != verify.OK || row(t, r, "decision_path").Status != verify.OK {
						t.Errorf("%s", rows(r, verify.OK, verify.Info))
					}
					if fsys.snapshot != nil && row(t, r, "snapshot.rejected").Status != verify.OK {
						t.Error("not replayed")
					}
					if fsys.policy != nil && row(t, r, "policy").Status != verify.OK {
						t.Error("not compared with the policy file")
					}
				}
				if v.Expect.Identity != "" {
					if got := row(t, check(tree(evidence, nil, nil)), "identity").Observed; got != "sha256:"+v.Expect.Identity {
						t.Errorf("identity %s", got)
					}
				}
			})
		}
	}
}

// Each tampered copy fails in the row that its fault names.
func TestTamperedTraces(t *testing.T) {
	for _, file := range vectorFiles(t, "bad-*.json", len(faults)) {
		v := readVector(t, file)
		label := strings.TrimSuffix(filepath.Base(file), ".json")
		for shape, make := range shapes {
			t.Run(label+" "+shape, func(t *testing.T) {
				r := check(tree(make(v), v.Snapshot, nil))
				renderable(t, r)
				got := rows(r, verify.Fail)
				if got == "" || !strings.Contains(got, faults[label]) {
					t.Errorf("%s\ngot\n%s\nwant %s", v.Expect.Why, got, faults[label])
				}
				t.Logf("%s\n%s", v.Expect.Why, got)
				if _, known := faults[label]; known && !slices.Contains(onlyInSnapshot, label) {
					if got := rows(check(tree(make(v), nil, nil)), verify.Fail); !strings.Contains(got, faults[label]) {
						t.Errorf("without the snapshot\n%s\nwant %s", got, faults[label])
					}
				}
			})
		}
	}
}
