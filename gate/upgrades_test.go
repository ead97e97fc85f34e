package gate

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/internal/githubtest"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// DESIGN, section 4: every non-zero exit prints a reason code. That of an upgrade
// which is required and can't be had says why: a job that lacks a permission is not
// to be run again like one whose network failed.
func TestRequiredAndNotToBeHad(t *testing.T) {
	for _, test := range []struct {
		err    error
		reason string
	}{
		{&github.PermissionError{Missing: "checks: write", Status: 403}, "E_PERMISSION_DENIED"},
		{&github.PermissionError{Status: 401}, "E_PERMISSION_DENIED"},
		{&github.UnavailableError{Status: 503, Attempts: 5}, "E_NETWORK_ERROR"},
		{&github.UnavailableError{Status: 429, Limited: true}, "E_NETWORK_ERROR"},
		{&fs.PathError{Op: "open", Path: "report.json", Err: fs.ErrNotExist}, "E_IO"},
		{github.ErrNoRuntime, "E_REQUIRED_UNAVAILABLE"},
		{github.ErrNoArtifactService, "E_REQUIRED_UNAVAILABLE"},
		{github.ErrQuota, "E_REQUIRED_UNAVAILABLE"},
		{errNoClient, "E_REQUIRED_UNAVAILABLE"},
	} {
		for _, exit := range []int{ExitIntact, ExitDrift} {
			r := &summary.Report{ExitCode: exit}
			p := &publisher{report: r}
			p.missed("check-run", "required", fmt.Errorf("making it: %w", test.err), "the next step")
			if exit == ExitDrift {
				if r.ExitCode != ExitDrift || r.ReasonCode != "" {
					t.Errorf("%v: a run that fails became %d %s", test.err, r.ExitCode, r.ReasonCode)
				}
				continue
			}
			if r.ExitCode != ExitInfra || r.ReasonCode != test.reason || r.NextStep == "" || len(r.Notices) != 1 || r.Notices[0].Status != verify.Fail {
				t.Errorf("%v: %+v, want %s", test.err, r, test.reason)
			}
		}
	}
}

// GitHub's own action knows Enterprise Server up to version 3 only.
func TestUploadRecipe(t *testing.T) {
	for want, err := range map[string]error{"upload-artifact@v4\n": github.ErrNoRuntime, "upload-artifact@v3\n": github.ErrNoArtifactService} {
		r := &summary.Report{}
		p := &publisher{report: r, options: Options{BundleDir: DefaultBundleDir}}
		p.missed("artifact", "auto", err, "")
		if r.ExitCode != 0 || !strings.Contains(r.Notices[0].Example, want) || !strings.Contains(r.Notices[0].Example, "include-hidden-files: true") {
			t.Errorf("%v: %+v", err, r.Notices)
		}
	}
}

// A check run that lacks annotations is there all the same: it is not said to be
// missing, nor is one that is required missed.
func TestCheckRunThatLacksAnnotations(t *testing.T) {
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Method: "PATCH", Status: 500, Times: 9})
	client, err := github.NewClient(github.ClientOptions{API: g.API(), Token: g.Token, Repository: g.Repository,
		HTTP: github.HTTP{Sleep: func(context.Context, time.Duration) error { return nil }}})
	if err != nil {
		t.Fatal(err)
	}
	actions, _ := github.Detect(func(string) string { return "" })
	r := &summary.Report{Policy: summary.Policy{FailOn: "introduced"}, Evidence: []summary.Evidence{{Path: "a.replay.json", Kind: "ahd"}}}
	for i := range 60 {
		r.Evidence[0].Fields = append(r.Evidence[0].Fields, summary.Field{
			Check:       verify.Check{Field: fmt.Sprintf("models[%d].id", i), Status: verify.Fail},
			Attribution: summary.Introduced,
		})
	}
	Decide(r)
	p := &publisher{actions: actions, out: io.Discard, report: r, Upgrades: Upgrades{CheckRun: "required"},
		options: Options{GitHub: client, Event: &github.Event{Name: "push", HeadSHA: strings.Repeat("a", 40)}}}
	res := p.checkRun(t.Context())
	if res.ID == 0 || r.ExitCode != ExitDrift || len(r.Notices) != 1 || r.Notices[0].Code != "check-run-cut" || !strings.Contains(r.Notices[0].Message, ": 10;") {
		t.Errorf("%+v, exit code %d, notices %+v", res, r.ExitCode, r.Notices)
	}
}
