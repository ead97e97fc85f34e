package gate

import (
	"bytes"
	"cmp"
	"context"
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
	JUnitFile   = "junit.xml"
	SARIFFile   = "sarif.json"
	PageFile    = "report.html"
	// TimelineFile is the history of the inputs as a picture; written when one
	// of them drifted.
	TimelineFile = "timeline.svg"
)

// Save writes the report beside the bundles: as JSON, as pages (markdown and
// HTML), and for the programs that read JUnit and SARIF.
func Save(ctx context.Context, r *summary.Report, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	root, err := openRoot(o)
	if err != nil {
		return infraError(err)
	}
	defer root.Close()
	history := drawHistory(ctx, r, o)
	if history != nil {
		r.Timeline = path.Join(o.BundleDir, TimelineFile)
	}
	var data, junit, sarif bytes.Buffer
	if err := errors.Join(
		summary.WriteJSON(&data, r),
		summary.WriteJUnit(&junit, r.Tool.Name, r.Evidence),
		summary.WriteSARIF(&sarif, r.Tool, r.Evidence),
	); err != nil {
		return infraError(err)
	}
	files := map[string][]byte{
		ReportFile: data.Bytes(), JUnitFile: junit.Bytes(), SARIFFile: sarif.Bytes(),
		SummaryFile: []byte(summary.Markdown(r, summary.StepSummaryLimit)),
		PageFile:    summary.HTML(r.Evidence, r.Tool, history),
	}
	if history != nil {
		files[TimelineFile] = summary.TimelineSVG(history)
	}
	if list := sums(r); len(list) > 0 {
		files[SumsFile] = list
	}
	return writeBeside(root, o, files)
}

// writeBeside writes files into the folder of the bundles.
func writeBeside(root *os.Root, o Options, files map[string][]byte) error {
	for name, content := range files {
		if err := bundle.WriteFile(root, path.Join(o.BundleDir, name), content); err != nil {
			return infraError(fmt.Errorf("writing %s: %w", name, err))
		}
	}
	return nil
}

// openRoot opens the root folder of the repository that was gated.
func openRoot(o Options) (*os.Root, error) {
	top, ok := repo.FindRoot(cmp.Or(o.Root, "."))
	if !ok {
		return nil, repo.ErrNotRepository
	}
	return os.OpenRoot(top)
}

// Publish shows a report where the readers of a workflow look: a log group per
// piece of evidence and annotations on out, artifact and check run where they
// can be had, the step summary, the comment, and the step's outputs. What can't
// be had is said in a notice of the report, and the verdict stands; what is
// required and can't be had makes the run exit with 3, unless it fails anyway.
// The report beside the bundles is written once more, to say so too; if it can't
// be, the run exits with 3.
//
// Where the runner gave no file for the summary or the outputs, or the summary is
// full, a line says so, and the verdict stands. An error means that writing failed.
func Publish(ctx context.Context, a *github.Actions, out io.Writer, r *summary.Report, o Options, u Upgrades, t summary.Terminal) error {
	if full, err := o.withDefaults(); err == nil { // a run with others ended early
		o = full
	}
	log := github.Neutralise(out)
	for i := range r.Evidence {
		e := &r.Evidence[i]
		a.Group(out, string(e.Verdict)+"  "+e.Path, func(w io.Writer) {
			t := t
			t.Verbose = true
			_ = summary.WriteEvidence(w, e, t)
		})
	}
	judged := !incomplete(r)
	up := &publisher{actions: a, out: out, report: r, options: o, Upgrades: u}
	up.artifact(ctx)
	checkRun := up.checkRun(ctx)
	up.comment(ctx)

	report := "" // what may lie there is an earlier run's
	if judged {
		report = up.saveOutcome()
	}

	t.Quiet = true
	errs := []error{summary.WriteTerminal(log, r, t)}
	annotations := notices(r)
	if checkRun.ID == 0 {
		annotations = append(annotations, findings(r)...)
	}
	a.Annotate(out, annotations)
	for _, err := range []error{
		a.AddSummary(summary.Markdown(r, summary.StepSummaryLimit)),
		a.SetOutputs(Outputs(r, report, up.uploaded, checkRun)),
	} {
		if errors.Is(err, github.ErrNoFile) || errors.Is(err, github.ErrSummaryTooLarge) {
			a.Annotate(out, []github.Annotation{{Level: github.LevelWarning, Title: "not-shown", Message: err.Error()}})
			continue
		}
		errs = append(errs, err)
	}
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

// notices are what the report says of the run itself; they belong to no file.
func notices(r *summary.Report) []github.Annotation {
	var as []github.Annotation
	if incomplete(r) {
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
		{"bundles", string(list)},
		{"report", report},
		{"artifact-id", id},
		{"artifact-url", uploaded.URL},
		{"artifact-digest", uploaded.Digest},
		{"check-run-url", run.URL},
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
