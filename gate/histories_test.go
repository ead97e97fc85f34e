// The repositories are made with git and a shell.

//go:build unix

package gate

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Issue 5, "Proof": what is said of repositories with real histories, which
// testdata/histories/make.sh makes. Commits are named by their subjects.
func TestHistories(t *testing.T) {
	dir := makeHistories(t)
	const (
		publish, wider = "Publish the report", "Use a wider grid"
		gone           = "the recorded commit 0123456789ab is not in this repository"
		rerun          = "re-run the recorded command and commit the new evidence: /opt/hostedtoolcache/"
		columns        = "changed grid.columns 12 16"
	)
	for _, tc := range []struct {
		name                string
		since, path         string // path where the commit has the input, if it is another
		pullRequest         int
		recorded, code      string
		note, change, start string // of the next step
	}{
		{name: "drift", since: "Use a wider grid (#12)", pullRequest: 12, recorded: publish, note: gone, change: columns, start: rerun},
		{name: "rename", since: wider, recorded: "Rename the token", note: gone, change: columns, start: rerun, path: "tokens/calm-grid.yml"},
		{name: "moved", since: "Rename the token", recorded: publish, note: "that commit deleted the input; " + gone,
			start: "fix the path: record tokens/calm-grid.yml in token.path"},
		{name: "merge", since: wider, pullRequest: 7, recorded: publish, note: gone, change: columns, start: rerun},
		{name: "relapse", since: "Use a narrow grid", recorded: `Revert "Use a wider grid"`, note: gone, change: "changed grid.columns 12 8", start: rerun},
		{name: "stale", since: wider, recorded: "Add a token", code: verify.CaseStaleFromBirth,
			note: "stale from birth: the input had changed before the evidence was committed; " + gone, change: columns, start: rerun},
		{name: "never", code: verify.CaseNeverMatched, note: "never matched in this history; " + gone, start: rerun},
		{name: "superseded", since: wider, recorded: "Add a token", change: columns, note: "holds at HEAD~2: superseded, not lost",
			start: "it holds at the recorded commit; accept it: replay-gate accept "},
		{name: "force-pushed", since: wider, recorded: "Add a token", change: columns, note: "the recorded commit LOST is not in this repository", start: rerun},
		{name: "shallow", code: verify.CaseUnavailable, note: "history not available (shallow clone: 2 commits); " + gone, start: rerun},
		{name: "long", since: "Commit 50", recorded: publish, note: gone, change: columns, start: rerun},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := gateAll(t, filepath.Join(dir, tc.name))
			if r.Verdict != summary.Drift || len(r.Evidence) != 1 {
				t.Fatalf("verdict %s, %d pieces of evidence", r.Verdict, len(r.Evidence))
			}
			f := explained(t, &r.Evidence[0])
			subject := func(v *verify.Version) string {
				if v == nil {
					return ""
				}
				return v.Subject
			}
			change := ""
			for _, e := range f.Why.Edits {
				change += strings.TrimSpace(strings.Join([]string{string(e.Op), e.Path, e.Before, e.After}, " "))
			}
			note := f.Why.Note
			if tc.name == "superseded" {
				note = strings.ReplaceAll(note, rev(t, filepath.Join(dir, tc.name), "HEAD~2")[:12], "HEAD~2")
			}
			if tc.name == "force-pushed" {
				note = strings.ReplaceAll(note, r.Evidence[0].Recording.Commit[:12], "LOST")
			}
			for _, c := range []struct{ what, got, want string }{
				{"since", subject(f.Why.Since), tc.since}, {"recorded in", subject(f.Why.Recorded), tc.recorded},
				{"case", f.Why.Case, tc.code}, {"note", note, tc.note}, {"change", change, tc.change},
			} {
				if c.got != c.want {
					t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
				}
			}
			if s := f.Why.Since; s != nil && (s.PullRequest != tc.pullRequest || s.Author != "Ada" || tc.path != "" && s.Path != tc.path) {
				t.Errorf("since %+v, want pull request %d", s, tc.pullRequest)
			}
			if !strings.HasPrefix(f.NextStep, tc.start) {
				t.Errorf("next step %q, want %q", f.NextStep, tc.start)
			}
		})
	}

	// Only comments, key order or formatting changed, or the drift was healed.
	for _, name := range []string{"formatting", "revert"} {
		if r := gateAll(t, filepath.Join(dir, name)); r.Verdict != summary.Intact {
			t.Errorf("%s: %s", name, r.Verdict)
		}
	}
	// The report holds in the tree of the commit that it names.
	r, err := Run(context.Background(), Options{Root: filepath.Join(dir, "superseded"), Scope: "all", At: "recorded", BundleFor: "none"})
	if err != nil || r.Verdict != summary.Intact {
		t.Errorf("at the recorded commit: %v %+v", err, r)
	}
	// "A dirty or missing commit is said": in the open, where something hangs on it.
	for at, want := range map[string]verify.Status{"recorded": verify.Warn, "either": verify.Info} {
		r, err := Run(context.Background(), Options{Root: filepath.Join(dir, "force-pushed"), Head: "HEAD~1", Scope: "all", At: at, BundleFor: "none"})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Evidence[0].Fields[len(r.Evidence[0].Fields)-1]
		if row.Field != "at" || row.Status != want || !strings.Contains(row.Reason, "the recorded commit is not in this repository") {
			t.Errorf("at %s: %+v", at, row)
		}
	}
}

// BenchmarkHistories is the gate on a token that drifted 4,950 commits ago.
func BenchmarkHistories(b *testing.B) {
	dir := filepath.Join(makeHistories(b), "long")
	for b.Loop() {
		gateAll(b, dir)
	}
}

func makeHistories(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("sh", "../testdata/histories/make.sh", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v (these tests make repositories with git): %s", err, out)
	}
	return dir
}

func gateAll(t testing.TB, root string) *summary.Report {
	t.Helper()
	r, err := Run(context.Background(), Options{Root: root, Scope: "all", BundleFor: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// explained is the one FAIL of e that has an explanation. Nothing but the token fails.
func explained(t *testing.T, e *summary.Evidence) *summary.Field {
	t.Helper()
	var found []*summary.Field
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Status == verify.Fail && !strings.HasPrefix(f.Field, "token.") {
			t.Errorf("FAIL %s: %s", f.Field, f.Reason)
		}
		if f.Why != nil {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d fields are explained", len(found))
	}
	return found[0]
}

func rev(t *testing.T, dir, name string) string {
	t.Helper()
	out, err := exec.Command("git", "-C", dir, "rev-parse", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
