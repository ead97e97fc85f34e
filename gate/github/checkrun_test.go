package github

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

var aCheckRun = CheckRunRequest{
	Name: "Replay evidence", HeadSHA: merge, ExternalID: "7-1", Conclusion: Failure,
	Title: "1 of 2 drifted", Summary: "# drift", Text: "| a |",
}

func TestCheckRun(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} { // github.com and ghe.com; GitHub Enterprise Server
		g := githubtest.Start(t)
		g.Prefix = prefix
		c, _ := newClient(t, g)
		r := aCheckRun
		r.Annotations = []Annotation{
			{Level: LevelError, Path: "evals/a.replay.json", Line: 4, Column: 7, Title: "token.hash", Message: "no longer holds"},
			{Level: LevelWarning, Path: "b", Line: 2, EndLine: 3, Column: 7, Message: "m"},
			{Level: LevelNotice, Path: "c"},
		}
		got, err := c.CheckRun(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		runs := g.CheckRuns()
		if len(runs) != 1 || got.ID != runs[0].ID || got.URL == "" || got.Omitted != 0 {
			t.Fatalf("result %+v, on the server %+v", got, runs)
		}
		want := githubtest.CheckRun{
			ID: got.ID, Name: "Replay evidence", HeadSHA: merge, ExternalID: "7-1", Status: "completed", Conclusion: "failure",
			Output: githubtest.CheckOutput{Title: "1 of 2 drifted", Summary: "# drift", Text: "| a |", Annotations: []githubtest.CheckAnnotation{
				{Path: "evals/a.replay.json", StartLine: 4, EndLine: 4, StartColumn: 7, EndColumn: 7, Level: "failure", Title: "token.hash", Message: "no longer holds"},
				{Path: "b", StartLine: 2, EndLine: 3, Level: "warning", Message: "m"},
				{Path: "c", StartLine: 1, EndLine: 1, Level: "notice", Message: "(no message)"},
			}},
		}
		if fmt.Sprintf("%+v", runs[0]) != fmt.Sprintf("%+v", want) {
			t.Errorf("got  %+v\nwant %+v", runs[0], want)
		}
		if n := len(g.Requests()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	}
}

// 50 annotations fit one request; more are appended to the own check run, and
// texts stay what they were.
func TestCheckRunManyAnnotations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ annotations, requests, kept int }{
		{0, 1, 0}, {50, 1, 50}, {51, 2, 51}, {101, 3, 101}, {500, 10, 500}, {501, 10, 500},
	} {
		g := githubtest.Start(t)
		c, _ := newClient(t, g)
		r := aCheckRun
		for i := range test.annotations {
			r.Annotations = append(r.Annotations, Annotation{Path: "a", Line: i + 1, Message: "m"})
		}
		got, err := c.CheckRun(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		run := g.CheckRuns()[0]
		if len(g.Requests()) != test.requests || len(run.Output.Annotations) != test.kept || got.Omitted != test.annotations-test.kept {
			t.Errorf("%d: %d requests, %d kept, %d omitted", test.annotations, len(g.Requests()), len(run.Output.Annotations), got.Omitted)
		}
		for i, a := range run.Output.Annotations {
			if a.StartLine != i+1 {
				t.Errorf("annotation %d is of line %d", i, a.StartLine)
				break
			}
		}
		if run.Output.Title != r.Title || run.Output.Summary != r.Summary || run.Output.Text != r.Text || run.Conclusion != "failure" {
			t.Errorf("%d: changed to %.200v", test.annotations, run)
		}
	}
}

// A token of a pull request from a fork is read-only (403); what a token may
// not know of is hidden (404).
func TestCheckRunPermission(t *testing.T) {
	t.Parallel()
	for status, set := range map[int]func(*githubtest.GitHub){
		403: func(g *githubtest.GitHub) { g.ReadOnly = true },
		404: func(g *githubtest.GitHub) { g.Hidden = true },
	} {
		g := githubtest.Start(t)
		set(g)
		c, at := newClient(t, g)
		_, err := c.CheckRun(t.Context(), aCheckRun)
		var p *PermissionError
		if !errors.As(err, &p) || p.Missing != "checks: write" || p.Status != status {
			t.Errorf("%d: %v", status, err)
		}
		if len(g.Requests()) != 1 || len(at.naps) != 0 {
			t.Errorf("%d: a refusal was repeated", status)
		}
	}
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	g.Token = "another"
	_, err := c.CheckRun(t.Context(), aCheckRun)
	var p *PermissionError
	if !errors.As(err, &p) || p.Status != 401 || p.Missing != "" {
		t.Errorf("err = %v", err)
	}
}

// When only appending fails, the check run stands and says so.
func TestCheckRunHalf(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Method: "PATCH", Status: 500, Times: 9})
	c, _ := newClient(t, g)
	r := aCheckRun
	r.Annotations = make([]Annotation, 60)
	for i := range r.Annotations {
		r.Annotations[i] = Annotation{Path: "a", Message: "m"}
	}
	got, err := c.CheckRun(t.Context(), r)
	if err == nil || got.ID == 0 || got.Omitted != 10 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCheckRunHostileAnnotations(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t) // refuses what GitHub would, for the whole request
	c, _ := newClient(t, g)
	r := aCheckRun
	for _, p := range []string{"", ".", "/etc/passwd", "../x", "a/../../x", "a//b", "ok"} {
		r.Annotations = append(r.Annotations, Annotation{Path: p, Line: -3, EndLine: -9, Column: -1, Message: "m"})
	}
	for _, s := range append(hostile, strings.Repeat("𝕏", 70000), strings.Repeat("\x00", 70000)) {
		r.Annotations = append(r.Annotations, Annotation{Path: "ok", Line: 5, EndLine: 2, Column: 1, Title: s, Message: s})
	}
	if got, err := c.CheckRun(t.Context(), r); err != nil || got.Omitted != 6 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, a := range g.CheckRuns()[0].Output.Annotations {
		if strings.ContainsAny(a.Title+a.Message, "\x00\x1b\r\u200b\u202e") {
			t.Errorf("control characters in %.100q, %.100q", a.Title, a.Message)
		}
	}
}

func TestCheckRunRefusesWhatGitHubWould(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	for name, change := range map[string]func(*CheckRunRequest){
		"summary over the limit": func(r *CheckRunRequest) { r.Summary = strings.Repeat("x", MaxCheckText+1) },
		"text over the limit":    func(r *CheckRunRequest) { r.Text = strings.Repeat("é", MaxCheckText/2+1) },
		"no name":                func(r *CheckRunRequest) { r.Name = "" },
		"a branch for a commit":  func(r *CheckRunRequest) { r.HeadSHA = "main" },
	} {
		r := aCheckRun
		change(&r)
		if _, err := c.CheckRun(t.Context(), r); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if n := len(g.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	r := aCheckRun
	r.Summary = strings.Repeat("x", MaxCheckText)
	if _, err := c.CheckRun(t.Context(), r); err != nil {
		t.Errorf("exactly at the limit: %v", err)
	}
}
