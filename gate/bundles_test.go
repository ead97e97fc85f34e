package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/internal/demo"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

const (
	swiss      = "docs/evals/2026-04-22-swiss-n30.replay.json"
	swissToken = "tokens/swiss-editorial.yml"
	green      = "docs/evals/2026-05-02-green-critique.replay.json"
)

// demoRepo is the demo's repository, at its base.
func demoRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	dir := t.TempDir()
	if _, err := demo.Make(dir); err != nil {
		t.Fatal(err)
	}
	g := gittest.In(t, dir)
	g.At = int(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).Unix())
	g.Git("checkout", "-q", "-f", "-b", "change", "main")
	return g
}

func edit(t *testing.T, g *gittest.Repo, name, old, new string) {
	t.Helper()
	data, err := os.ReadFile(g.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not hold %q", name, old)
	}
	g.Write(name, strings.Replace(string(data), old, new, 1))
}

const newer = "docs/evals/2026-05-20-swiss-n30.replay.json"

// rerun adds a newer report on the same.
func rerun(t *testing.T, g *gittest.Repo) {
	t.Helper()
	data, err := os.ReadFile(g.Path(swiss))
	if err != nil {
		t.Fatal(err)
	}
	g.Write(newer, strings.NewReplacer("2026-04-22", "2026-05-20", "demo-request", "later-request").Replace(string(data)))
	g.Write("docs/evals/2026-05-20-swiss-n30.md", "# Swiss, again\n")
}

func gateOf(t *testing.T, g *gittest.Repo, o Options) *summary.Report {
	t.Helper()
	o.Root = g.Dir
	if o.Clock.IsZero() {
		o.Clock = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readBundle(t *testing.T, g *gittest.Repo, e *summary.Entry) (*bundle.Archive, []byte) {
	t.Helper()
	if e.Bundle == nil || e.Bundle.Path == "" {
		t.Fatalf("%s has no bundle: %+v", e.Path, e.Bundle)
	}
	data, err := os.ReadFile(g.Path(e.Bundle.Path))
	if err != nil {
		t.Fatal(err)
	}
	a, err := bundle.Read(bytes.NewReader(data), bundle.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, data
}

func line(c verify.Check) string {
	return fmt.Sprintf("%s %s %s %q %q %q", c.Status, c.Field, c.Code, c.Recorded, c.Observed, c.Reason)
}

// Issue 12, "No other verdict than the gate's": what the gate says of evidence, its bundle
// says, and a replay comes to it again, row by row; where a row rests on the base, the
// base's part is in it, and nowhere else. The commit gives the same bytes again.
func TestBundleHasTheGatesVerdict(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change  func(t *testing.T, g *gittest.Repo)
		o       Options
		of      string // the evidence looked at; default swiss
		code    string // a reason code that it must have; empty for no FAIL
		based   bool
		verdict string
	}{
		"nothing":       {change: func(*testing.T, *gittest.Repo) {}, verdict: "intact"},
		"drifted input": {change: func(t *testing.T, g *gittest.Repo) { edit(t, g, swissToken, "id:", "was: x\nid:") }, code: "hash-differs", verdict: "drift"},
		"gone input":    {change: func(t *testing.T, g *gittest.Repo) { g.Git("rm", "-q", swissToken) }, code: "input-missing", verdict: "drift"},
		"a folder in the place of an input": {change: func(t *testing.T, g *gittest.Repo) {
			g.Git("rm", "-q", swissToken)
			g.Write(swissToken+"/x", "x")
		}, verdict: "drift"},
		"rewritten": {change: func(t *testing.T, g *gittest.Repo) { edit(t, g, swiss, `"n": 30`, `"n": 31`) }, code: judge.CodeRewritten, based: true, verdict: "drift"},
		"rewritten in strict mode": {
			change: func(t *testing.T, g *gittest.Repo) { edit(t, g, swiss, `"n": 30`, `"n": 31`) }, o: Options{Strict: true}, code: judge.CodeRewritten, based: true, verdict: "drift",
		},
		"another note": {change: func(t *testing.T, g *gittest.Repo) { edit(t, g, swiss, "{", `{"note": "added",`) }, based: true, verdict: "intact"},
		"moved": {change: func(t *testing.T, g *gittest.Repo) {
			g.Git("mv", swiss, "docs/evals/moved.replay.json")
		}, of: "docs/evals/moved.replay.json", verdict: "intact"},
		"a namesake of an input": {change: func(t *testing.T, g *gittest.Repo) { g.Write("other/"+swissToken, "id: other\n") }, verdict: "intact"},
		"at the recorded commit": {change: func(*testing.T, *gittest.Repo) {}, o: Options{At: "recorded"}, verdict: "intact"},
		"settings of the base":   {change: func(t *testing.T, g *gittest.Repo) { g.Write(".replay-gate.yml", "fail-on:\n  ahd: any\n") }, verdict: "intact"},
		"superseded": {change: func(t *testing.T, g *gittest.Repo) {
			rerun(t, g)
			g.Commit("run again")
			g.Git("checkout", "-q", "-B", "main")
			g.Git("checkout", "-q", "-B", "change")
			edit(t, g, swissToken, "id:", "was: x\nid:")
		}, code: judge.CodeSuperseded, verdict: "intact"},
		"takes over":  {change: rerun, of: newer, code: judge.CodeTakesOver, based: true, verdict: "intact"},
		"broken JSON": {change: func(t *testing.T, g *gittest.Repo) { g.Write(swiss, `{"schema_version": 1, "kind": `) }, verdict: "unchecked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := demoRepo(t)
			tc.change(t, g)
			g.Commit("the change")
			o := tc.o
			o.Base, o.Scope = "main", "all"
			report := gateOf(t, g, o)
			of := tc.of
			if of == "" {
				of = swiss
			}
			i := slices.IndexFunc(report.Evidence, func(e summary.Entry) bool { return e.Path == of })
			if i < 0 {
				t.Fatalf("%s is not in the report", of)
			}
			e := &report.Evidence[i]
			a, data := readBundle(t, g, e)
			replayed, err := Replay(context.Background(), a, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			if replayed.Outcome != bundle.Holds || replayed.Recorded.Verdict != tc.verdict || replayed.Outputs != 6 {
				t.Errorf("%s, %s, %d outputs, %+v\n%+v\n%v", replayed.Outcome, replayed.Recorded.Verdict, replayed.Outputs, replayed.Differences, replayed.Missing, replayed.Notes)
			}
			var want, got, codes []string
			for _, f := range e.Fields {
				if f.Attribution == verify.Fixed && f.Status == verify.OK || f.Code == judge.CodeRecordedCommit || f.Code == judge.CodeCommitUnavailable {
					continue
				}
				c := f.Check
				if c.Field == "ahd_commit" {
					continue // the report adds a fact of this clone
				}
				want = append(want, line(c))
				codes = append(codes, c.Code)
			}
			for _, c := range replayed.Observed.Checks {
				if c.Field != "ahd_commit" {
					got = append(got, line(c))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("the replay has the rows\n%s\nthe gate\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if tc.code != "" && !slices.Contains(codes, tc.code) {
				t.Errorf("no row is %s: %v", tc.code, codes)
			}
			if based := a.Manifest.ReplayGate.Base != nil; based != tc.based || based != (e.Bundle.Base != "") {
				t.Errorf("base in the bundle: %v (%q)", based, e.Bundle.Base)
			}
			for _, c := range bundle.Check(bytes.NewReader(data), "b", bundle.DefaultLimits()).Checks {
				if c.Status == verify.Fail || c.Status == verify.Warn {
					t.Errorf("bundle check: %s", line(c))
				}
			}
			again, err := Rebuild(context.Background(), g.Dir, "HEAD", *a.Manifest.ReplayGate, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again.Bytes(), data) {
				t.Errorf("the commit gives other bytes")
			}
			// What "Reproduce locally" prints.
			o.Scope, o.FailOn, o.Evidence, o.Whole, o.BundleDir, o.Head = "", "never", []string{of}, true, "again", "HEAD"
			if e.Bundle.Base == "" {
				o.Base = ""
			}
			created := gateOf(t, g, o)
			if len(created.Evidence) != 1 || created.Evidence[0].Bundle.SHA256 != e.Bundle.SHA256 {
				t.Errorf("bundle create gives %+v, the gate %+v", created.Evidence[0].Bundle, e.Bundle)
			}
		})
	}
}

// A gate that runs while somebody writes to the tree has no verdict and no bundle, or one
// that holds: never one that contradicts itself.
func TestChangedWhileRunning(t *testing.T) {
	t.Parallel()
	failed := 0
	for round := range 12 {
		g := demoRepo(t)
		token, err := os.ReadFile(g.Path(swissToken))
		if err != nil {
			t.Fatal(err)
		}
		var once sync.Once
		change := func(stage string) {
			if round%3 == 0 && stage == "checking evidence" || round%3 == 1 && stage == "checking the base" || round%3 == 2 && stage == "writing bundles" {
				once.Do(func() { g.Write(swissToken, "was: x\n"+string(token)) })
			}
		}
		r, err := Run(context.Background(), Options{
			Root: g.Dir, Base: "main", Scope: "all", Clock: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
			Progress: func(stage string, _, _ int) { change(stage) },
		})
		if err != nil {
			failed++
			var e *Error
			if !errors.As(err, &e) || e.Exit != ExitInfra || e.Reason != "E_CHANGED_WHILE_RUNNING" {
				t.Errorf("round %d: %v", round, err)
			}
			if left := names(t, g); len(left) > 0 {
				t.Errorf("round %d: left behind: %q", round, left)
			}
			continue
		}
		for i := range r.Evidence {
			a, _ := readBundle(t, g, &r.Evidence[i])
			if replayed, err := Replay(context.Background(), a, time.Time{}); err != nil || replayed.Outcome != bundle.Holds {
				t.Errorf("round %d: %s: %+v, %v", round, r.Evidence[i].Path, replayed, err)
			}
		}
	}
	t.Logf("%d of 12 runs saw the change", failed)
}

// Issue 12, "No history inside": the same commits give the same bytes in a full clone, a
// shallow one, a partial one, and a second work tree.
func TestBundlesOfFourClones(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	for i := range 5 {
		edit(t, g, swissToken, "id:", fmt.Sprintf("was%d: x\nid:", i))
		g.Commit("an edit")
	}
	edit(t, g, swiss, `"n": 30`, `"n": 31`)
	g.Commit("the change")
	g.Git("config", "uploadpack.allowFilter", "true")
	dirs := map[string]string{"full": t.TempDir(), "shallow": t.TempDir(), "partial": t.TempDir(), "second work tree": t.TempDir()}
	origin := "file://" + g.Dir
	g.Git("clone", "-q", origin, dirs["full"])
	g.Git("clone", "-q", "--depth=2", "--no-single-branch", origin, dirs["shallow"])
	g.Git("clone", "-q", "--filter=blob:none", origin, dirs["partial"])
	g.Git("worktree", "add", "-q", "--detach", dirs["second work tree"], "HEAD")
	base := g.Git("rev-parse", "HEAD~1")
	var first []byte
	for _, name := range []string{"full", "shallow", "partial", "second work tree"} {
		clone := gittest.In(t, dirs[name])
		if name == "partial" { // what git itself does when somebody looks at the base
			clone.Git("show", base+":"+swiss)
			clone.Git("show", base+":"+swissToken)
		}
		gateOf(t, clone, Options{Base: base, Scope: "all", FailOn: "never", HistoryCommits: 1 + len(name)})
		data, err := os.ReadFile(clone.Path(folder + "/SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Errorf("%s gives\n%s\nthe full clone\n%s", name, data, first)
		}
	}
}
