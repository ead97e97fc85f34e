package publish_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/internal/githubtest"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// shown is a report with so many findings, published on a GitHub whose step summary holds so
// many bytes already.
type shown struct {
	report *summary.Report
	log    string
	step   string // the step summary
	github *githubtest.GitHub
}

func show(t *testing.T, findings, taken int, faults ...githubtest.Fault) shown {
	t.Helper()
	e := summary.Entry{Path: "a.replay.json", Kind: "ahd", Title: "AHD replay sidecar", Verdict: verify.Drift, Counts: summary.Counts{Fail: findings, Introduced: findings}}
	for i := range findings {
		e.Fields = append(e.Fields, summary.Field{
			Check:       verify.Check{Field: fmt.Sprintf("f%d", i), Status: verify.Fail, Code: "hash-differs", Reason: "differs", Location: verify.Location{Path: e.Path, Line: i + 1}},
			Attribution: verify.Introduced, Fails: true,
		})
	}
	r := &summary.Report{
		Schema: summary.Schema, Tool: summary.Tool{Name: "replay-gate"}, Verdict: summary.Drift, ExitCode: 1, ReasonCode: "E_REPLAY_DRIFT", Message: "it drifts",
		Scope: summary.Scope{Mode: "affected", Total: 1, Checked: 1}, Policy: summary.Policy{FailOn: "introduced"},
		Counts: e.Counts, Evidence: []summary.Entry{e},
	}
	g := githubtest.Start(t)
	g.Fail(faults...)
	dir := t.TempDir()
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"), "GITHUB_OUTPUT": filepath.Join(dir, "output"),
		"GITHUB_RUN_ID": "42", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "evidence", "GITHUB_REPOSITORY": g.Repository, "GITHUB_SERVER_URL": g.URL(),
		"ACTIONS_RESULTS_URL": g.URL(), "ACTIONS_RUNTIME_TOKEN": g.RuntimeToken,
	}
	for _, name := range []string{"GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"} {
		if err := os.WriteFile(env[name], bytes.Repeat([]byte("\n"), taken), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	actions, _ := github.Detect(func(name string) string { return env[name] })
	client, err := github.NewClient(github.ClientOptions{API: g.API(), Token: g.Token, Repository: g.Repository})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	err = publish.Publish(t.Context(), publish.Target{
		Root: dir, Dir: "bundles", Write: bundle.WriteStream, CheckFolder: bundle.CheckFolder, Committed: func(string) bool { return false },
		Actions: actions, Out: &log, GitHub: client, Event: &github.Event{Name: "pull_request", HeadSHA: strings.Repeat("a", 40), Repository: g.Repository, Number: 2},
	}, r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(env["GITHUB_STEP_SUMMARY"])
	if err != nil {
		t.Fatal(err)
	}
	return shown{r, log.String(), strings.TrimLeft(string(text), "\n"), g}
}

func (s shown) notice(code string) string {
	for _, n := range s.report.Notices {
		if n.Code == code {
			return n.Message
		}
	}
	return ""
}

// A check run takes 50 annotations a request, and we make ten of them: up to 500 nothing is
// said, and from 501 on it says how many are missing.
func TestAnnotationsAtTheirLimit(t *testing.T) {
	t.Parallel()
	for findings, says := range map[int]string{50: "", 51: "", 500: "", 501: "Annotations that the check run does not hold: 1; the report has them all"} {
		s := show(t, findings, 0)
		runs := s.github.CheckRuns()
		if len(runs) != 1 || len(runs[0].Output.Annotations) != min(findings, 500) || s.notice("check-run-cut") != says {
			t.Errorf("%d: %d check runs; %q", findings, len(runs), s.notice("check-run-cut"))
		}
		if len(runs) == 1 && (len(runs[0].Output.Summary) > 65535 || len(runs[0].Output.Text) > 65535) {
			t.Errorf("%d: texts of %d and %d bytes", findings, len(runs[0].Output.Summary), len(runs[0].Output.Text))
		}
		if s.report.ExitCode != 1 {
			t.Errorf("%d: exit %d", findings, s.report.ExitCode)
		}
	}
}

// The summary of a step holds 1 MiB over all that the step wrote: a page that fills it to the
// last byte is there, and of one that is a byte too long a line says that it is not.
func TestStepSummaryAtItsLimit(t *testing.T) {
	t.Parallel()
	page := len(show(t, 3, 0).step)
	for taken, fits := range map[int]bool{1<<20 - page: true, 1<<20 - page + 1: false} {
		s := show(t, 3, taken)
		if got := s.step != ""; got != fits || fits && len(s.step) != page {
			t.Errorf("%d bytes taken, and a page of %d: it is there: %v", taken, page, got)
		}
		if says := strings.Contains(s.log, "::warning title=not-shown::"); says == fits || s.report.ExitCode != 1 {
			t.Errorf("%d bytes taken: a line says so: %v; exit %d\n%s", taken, says, s.report.ExitCode, s.log)
		}
	}
}

// A run has its one artifact among the 500 that a job may have: where the service takes no
// more, a line says so, and the verdict stands.
func TestNoMoreArtifacts(t *testing.T) {
	t.Parallel()
	if s := show(t, 1, 0); len(s.github.Artifacts()) != 1 || s.notice("no-artifact") != "" {
		t.Errorf("%d artifacts, %q", len(s.github.Artifacts()), s.notice("no-artifact"))
	}
	s := show(t, 1, 0, githubtest.Fault{Path: "/twirp/", Status: 403, Times: 9, Body: `{"code":"resource_exhausted","msg":"the job has 500 artifacts"}`})
	if len(s.github.Artifacts()) != 0 || !strings.HasPrefix(s.notice("no-artifact"), "No artifact: ") || s.report.ExitCode != 1 {
		t.Errorf("%d artifacts, %q, exit %d", len(s.github.Artifacts()), s.notice("no-artifact"), s.report.ExitCode)
	}
}
