package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// The files that lie beside the bundles.
const (
	ReportFile  = "report.json"
	SummaryFile = "summary.md"
)

// Save writes the report, as JSON and as a page, beside the bundles.
func Save(r *summary.Report, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	top, ok := repo.FindRoot(o.Root)
	if !ok {
		top = o.Root
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return infraError(err)
	}
	defer root.Close()
	var data bytes.Buffer
	if err := summary.WriteJSON(&data, r); err != nil {
		return infraError(err)
	}
	for name, content := range map[string][]byte{
		ReportFile:  data.Bytes(),
		SummaryFile: []byte(summary.Markdown(r, summary.StepSummaryLimit)),
	} {
		if err := bundle.WriteFile(root, path.Join(o.BundleDir, name), content); err != nil {
			return infraError(fmt.Errorf("writing %s: %w", name, err))
		}
	}
	return nil
}

// Publish shows a report where the readers of a workflow look: a log group per
// piece of evidence and annotations on out, the step summary, and the step's
// outputs. Whatever can't be written is joined into the error; the rest is
// written all the same, and the verdict stands.
func Publish(a *github.Actions, out io.Writer, r *summary.Report, o Options, t summary.Terminal) error {
	for i := range r.Evidence {
		e := &r.Evidence[i]
		a.Group(out, string(e.Verdict)+"  "+e.Path, func(w io.Writer) {
			t := t
			t.Verbose = true
			_ = summary.WriteEvidence(w, e, t)
		})
	}
	log := github.Neutralise(out)
	t.Quiet = true
	errs := []error{summary.WriteTerminal(log, r, t)}
	a.Annotate(out, annotations(r))
	errs = append(errs,
		a.AddSummary(summary.Markdown(r, summary.StepSummaryLimit)),
		a.SetOutputs(Outputs(r, o)))
	if err := errors.Join(errs...); err != nil {
		return infraError(fmt.Errorf("showing the verdict: %w", err))
	}
	return nil
}

// levels are the workflow commands for the levels of the Checks API.
var levels = map[string]github.Level{
	summary.LevelFailure: github.LevelError,
	summary.LevelWarning: github.LevelWarning,
	summary.LevelNotice:  github.LevelNotice,
}

// annotations are the report's notices, which belong to no file, and its
// findings.
func annotations(r *summary.Report) []github.Annotation {
	var as []github.Annotation
	if len(r.Evidence) == 0 && r.ExitCode != ExitIntact {
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
	for _, a := range summary.Annotations(r) {
		as = append(as, github.Annotation{
			Level: levels[a.Level], Path: a.Path, Line: a.StartLine, EndLine: a.EndLine, Column: a.StartColumn,
			Title: a.Title, Message: a.Message,
		})
	}
	return as
}

// Outputs are the step's outputs, as action.yml declares them.
func Outputs(r *summary.Report, o Options) [][2]string {
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
	if err != nil {
		list = []byte("[]") // strings always marshal
	}
	dir := o.BundleDir
	if dir == "" {
		dir = DefaultBundleDir
	}
	return [][2]string{
		{"verdict", string(r.Verdict)},
		{"exit-code", strconv.Itoa(r.ExitCode)},
		{"affected", strconv.Itoa(r.Scope.Checked)},
		{"failed", strconv.Itoa(failed)},
		{"introduced", strconv.Itoa(r.Counts.Introduced + r.Counts.Unknown)},
		{"bundles", string(list)},
		{"report", path.Join(dir, ReportFile)},
	}
}

// Evidence is a result as the report shows it when there is no base.
func Evidence(r *verify.Result, title string) summary.Evidence {
	e := summary.Evidence{
		Path: r.Path, Kind: r.Kind, Title: title, SHA256: r.SHA256, Because: "it was named",
		Unchecked: r.Unchecked, Inputs: r.Inputs, Recording: r.Recording,
	}
	for _, c := range r.Checks {
		e.Fields = append(e.Fields, summary.Field{Check: c})
	}
	e.Counts = count(e.Fields)
	e.Verdict = verdictOf(&e)
	return e
}
