//go:build unix

package gate

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// ahdRepo is a repository with evidence that holds, not committed.
func ahdRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	g := gittest.New(t)
	if err := os.CopyFS(g.Dir, os.DirFS("../testdata/ahd/repo")); err != nil {
		t.Fatal(err)
	}
	return g
}

// Evidence is judged at the time of the commit that has it (Options.Now). What a link
// leads to is not committed when the link is: a run of today, read through it, does
// not lie in the future.
func TestEvidenceBehindLink(t *testing.T) {
	const sidecar, link = "docs/evals/2026-06-01-quiet.replay.json", "docs/evals/link.replay.json"
	g := ahdRepo(t)
	if err := os.Symlink("2026-06-01-quiet.replay.json", g.Path(link)); err != nil {
		t.Fatal(err)
	}
	g.Commit("evidence, and a link to it")
	text, err := os.ReadFile(g.Path(sidecar))
	if err != nil {
		t.Fatal(err)
	}
	g.Write(sidecar, strings.Replace(string(text), `"invoked_at": "2026-06-01T`, `"invoked_at": "2031-06-20T`, 1))
	inFuture := func(now int) bool {
		at := time.Date(now, 1, 1, 0, 0, 0, 0, time.UTC)
		r, err := Run(context.Background(), Options{Root: g.Dir, Evidence: []string{link}, Now: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		return hasField(r, "invoked_at", verify.Fail)
	}
	if !inFuture(2030) || inFuture(2032) {
		t.Errorf("in the future in 2030: %v, in 2032: %v", inFuture(2030), inFuture(2032))
	}
	g.Commit("committed long before it was run") // gittest's clock
	if !inFuture(2032) {
		t.Error("a commit's verdict changes with the clock")
	}
}

func hasField(r *summary.Report, name string, s verify.Status) bool {
	for _, e := range r.Evidence {
		for _, f := range e.Fields {
			if f.Field == name && f.Status == s {
				return true
			}
		}
	}
	return false
}

// What an earlier run left in the folder for bundles is no evidence of this one, also
// where there is no commit yet that could lack it. Other evidence there is judged: none
// is skipped in silence (DESIGN, section 5).
func TestOwnOutput(t *testing.T) {
	g := ahdRepo(t)
	run := func() *summary.Report {
		r, err := Run(context.Background(), Options{Root: g.Dir})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first, second := run(), run()
	if first.Scope.Total == 0 || first.Evidence[0].Bundle == nil || second.Scope.Total != first.Scope.Total {
		t.Errorf("%d pieces of evidence at first, then %d", first.Scope.Total, second.Scope.Total)
	}
	g.Git("add", "briefs", "docs", "package.json", "tokens")
	g.Git("commit", "-q", "-m", "all but what the gate wrote")
	if r := run(); r.Scope.Total != first.Scope.Total || r.Change.Dirty {
		t.Errorf("%d pieces of evidence, dirty %v", r.Scope.Total, r.Change.Dirty)
	}
	g.Write(DefaultBundleDir+"/mine.replay.json", "{}")
	if r := run(); r.Scope.Total != first.Scope.Total+1 || !r.Change.Dirty {
		t.Errorf("with evidence beside the bundles: %d pieces, dirty %v", r.Scope.Total, r.Change.Dirty)
	}
}
