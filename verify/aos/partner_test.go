package aos

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// The package comment's rules for the original of a replay, by name.
func TestOriginalNames(t *testing.T) {
	for _, tc := range []struct{ name, want string }{
		{"d/a.replay.trace.json", "d/a.original.trace.json d/a.orig.trace.json d/a.golden.trace.json d/a.trace.json d/original.trace.json"},
		{"replay-same.json", "original-same.json orig-same.json golden-same.json same.json original.json orig.json golden.json"},
		{"run-replay-2.outcomes.json", "run-original-2.outcomes.json run-2.outcomes.json run.outcomes.json original.outcomes.json"},
		{"replay.tracerecord.json", "original.tracerecord.json golden.tracerecord.json"},
		{"a.trace.json", ""},
		{"replays.trace.json", ""},
	} {
		got := originalNames(tc.name)
		k := 0
		for _, want := range strings.Fields(tc.want) {
			i := slices.Index(got[k:], want)
			if i < 0 {
				t.Errorf("%s: no %s in order in %q", tc.name, want, got)
				break
			}
			k += i
		}
		if tc.want == "" && got != nil {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

// A record that names the run it replays is held against that run, wherever it
// lies; one of the same folder comes first.
func TestTheOriginalThatIsNamed(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	naming := edit(t, read(t, "trace-record/replay-retry.json"), `"metadata": {}`, `"metadata": {"replay_of": "orig"}`)
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"in another folder", map[string]string{"a/x.tracerecord.json": naming, "b/y.tracerecord.json": orig}, "b/y.tracerecord.json"},
		{"in both", map[string]string{"b/x.tracerecord.json": naming, "a/y.tracerecord.json": orig, "b/y.tracerecord.json": orig}, "b/y.tracerecord.json"},
		{"called after the run", map[string]string{"a/x.tracerecord.json": naming, "a/orig.json": orig, "a/y.tracerecord.json": orig}, "a/orig.json"},
		{"of another kind", map[string]string{"a/x.tracerecord.json": naming, "a/orig.json": "{}", "a/y.tracerecord.json": orig}, "a/y.tracerecord.json"},
	} {
		name := "a/x.tracerecord.json"
		if tc.name == "in both" {
			name = "b/x.tracerecord.json"
		}
		r := judged(tree(tc.files), name)
		if c := row(t, r, "pair.parity"); c.Status != verify.Fail || c.Input != tc.want {
			t.Errorf("%s: %+v", tc.name, c)
		}
		if in := r.Inputs; len(in) != 1 || in[0].Path != tc.want || !in[0].Subject {
			t.Errorf("%s: %+v", tc.name, in)
		}
	}
	if r := alone("x.tracerecord.json", naming); len(r.Inputs) != 0 || faults(r) != "warn pair original-not-found" {
		t.Errorf("an original that is not there: %s", bad(r))
	}
}

// Paths that a file names stay in the tree.
func TestARunIdIsNoPath(t *testing.T) {
	naming := edit(t, read(t, "trace-record/replay-retry.json"), `"metadata": {}`, `"metadata": {"replay_of": "../../orig"}`)
	fsys := tree(map[string]string{"a/x.tracerecord.json": naming})
	for p := range originals(fsys, open(fsys, "a/x.tracerecord.json")) {
		if strings.Contains(p, "..") {
			t.Errorf("%q", p)
		}
	}
}

// A file that is called a replay says that there is nothing to compare it with.
func TestAReplayWithoutItsOriginal(t *testing.T) {
	r := alone("a-replay.outcomes.json", outcome)
	if c := row(t, r, "pair"); c.Status != verify.Info || c.Code != "no-original" {
		t.Errorf("%+v", c)
	}
}
