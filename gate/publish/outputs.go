package publish

import (
	"encoding/json"
	"strconv"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// levels are the workflow commands for the levels of the Checks API.
var levels = map[string]github.Level{
	summary.LevelFailure: github.LevelError,
	summary.LevelWarning: github.LevelWarning,
	summary.LevelNotice:  github.LevelNotice,
}

// notices are what the report says of the run itself; they belong to no file.
func notices(r *summary.Report) []github.Annotation {
	var as []github.Annotation
	if r.Incomplete() {
		as = append(as, github.Annotation{Level: github.LevelError, Title: r.ReasonCode, Message: r.Message + "\nnext: " + r.NextStep})
	}
	for _, n := range r.Notices {
		level := github.LevelNotice
		switch n.Status {
		case verify.Fail:
			level = github.LevelError
		case verify.Warn:
			level = github.LevelWarning
		}
		message := n.Message
		if n.NextStep != "" {
			message += "\nnext: " + n.NextStep
		}
		as = append(as, github.Annotation{Level: level, Title: n.Code, Message: message})
	}
	return as
}

// findings are the report's annotations.
func findings(r *summary.Report) []github.Annotation {
	var as []github.Annotation
	for _, a := range summary.Annotations(r) {
		as = append(as, github.Annotation{
			Level: levels[a.Level], Path: a.Path, Line: a.StartLine, EndLine: a.EndLine, Column: a.StartColumn,
			Title: a.Title, Message: a.Message,
		})
	}
	return as
}

// maxOutput bounds the list of bundles, in bytes: GitHub takes 1 MB of outputs
// for a job.
const maxOutput = 512 << 10

// Outputs are the step's outputs, as action.yml declares them; report is the path
// of the JSON report.
func Outputs(r *summary.Report, report string, uploaded github.Artifact, run github.CheckRunResult) [][2]string {
	type entry struct {
		Path   string `json:"path"`
		RunID  string `json:"run_id"`
		SHA256 string `json:"sha256"`
	}
	bundles := []entry{}
	failed := 0
	for _, e := range r.Evidence {
		if e.Counts.Fail > 0 {
			failed++
		}
		if e.Bundle != nil && e.Bundle.Path != "" {
			bundles = append(bundles, entry{e.Bundle.Path, e.Bundle.RunID, e.Bundle.SHA256})
		}
	}
	list, err := json.Marshal(bundles)
	if err != nil || len(list) > maxOutput {
		list = []byte("[]") // the report holds them all
	}
	id := ""
	if uploaded.ID != 0 {
		id = strconv.FormatInt(uploaded.ID, 10)
	}
	return [][2]string{
		{"verdict", string(r.Verdict)},
		{"exit-code", strconv.Itoa(r.ExitCode)},
		{"affected", strconv.Itoa(r.Scope.Checked)},
		{"failed", strconv.Itoa(failed)},
		{"introduced", strconv.Itoa(r.Counts.Introduced + r.Counts.Unknown)},
		{"causes", causes(r)},
		{"claims-failed", strconv.Itoa(claimsFailed(r))},
		{"bundles", string(list)},
		{"report", report},
		{"artifact-id", id},
		{"artifact-url", uploaded.URL},
		{"artifact-digest", uploaded.Digest},
		{"check-run-url", run.URL},
	}
}

// causes are the report's causes with evidence that fails, as JSON, without the
// differences, which may be long. The report has all of it.
func causes(r *summary.Report) string {
	type cause struct {
		Kind       string   `json:"kind"`
		Path       string   `json:"path"`
		Introduced bool     `json:"introduced"`
		Commit     string   `json:"commit,omitempty"`
		Claims     []string `json:"claims"`
		Records    int      `json:"records"`
	}
	list := []cause{}
	for _, c := range r.Causes {
		if len(c.Claims) == 0 {
			continue
		}
		n := cause{Kind: c.Kind, Path: c.Path, Introduced: c.Introduced, Records: len(c.Records)}
		if c.Why != nil && c.Why.Since != nil {
			n.Commit = c.Why.Since.Commit
		}
		for _, a := range c.Claims {
			n.Claims = append(n.Claims, a.Evidence)
		}
		list = append(list, n)
	}
	data, err := json.Marshal(list)
	if err != nil || len(data) > maxOutput/4 {
		return "[]"
	}
	return string(data)
}

// claimsFailed counts the evidence that fails the run.
func claimsFailed(r *summary.Report) int {
	failing := make(map[string]bool)
	for _, c := range r.Causes {
		for _, a := range c.Claims {
			if a.Fails {
				failing[a.Evidence] = true
			}
		}
	}
	return len(failing)
}
