// Package publish shows a finished report where people look: files beside the bundles, and
// in a workflow the log, annotations, step summary, outputs, artifact, check run and
// comment.
//
//	err := publish.Publish(ctx, publish.Target{Root: root, Dir: ".assay/bundles", Actions: actions}, report)
//
// It changes no verdict. What can't be had is one line, and the verdict stands; what is
// required and can't be had makes a run that would have passed exit with 3. The order makes
// sure that everything which is shown tells the same: what may still add to the report comes
// first, then the report is written, once, and what is uploaded is what was written.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Target is where a report is shown.
type Target struct {
	// Root is the folder of the repository, and Dir the folder of bundles in it. An empty
	// Root leaves no files.
	Root, Dir string
	// Bundles are those that the run wrote, from the root.
	Bundles []string
	// Committed reports whether a commit has a file; such a file is nobody's leftover.
	Committed func(path string) bool
	// Write writes a file below a root, whole or not at all.
	Write func(root *os.Root, name string, data []byte) error
	// CheckFolder says what is wrong with the way to a folder below a root; nil if nothing.
	CheckFolder func(root *os.Root, dir string) error
	// History is the history of the inputs, nil for none.
	History *verify.Timeline

	// Actions is the runner; nil outside of a workflow. The rest is for it alone.
	Actions  *github.Actions
	Out      io.Writer
	GitHub   *github.Client
	Event    *github.Event
	Upgrades Upgrades
	Terminal summary.Terminal
}

// Publish shows a report. Where the runner gave no file for the summary or the outputs, or
// the summary is full, a line says so, and the verdict stands. An error means that writing
// failed: it is an *[reason.Error].
func Publish(ctx context.Context, t Target, r *summary.Report) error {
	if t.Actions == nil {
		if t.Root == "" {
			return nil
		}
		return t.save(r)
	}
	p := &publisher{Target: t, Upgrades: t.Upgrades, report: r}
	return p.publish(ctx)
}

// publisher adds the upgrades to a report, one after the other. What can't be
// had becomes a notice of the report.
type publisher struct {
	Target
	Upgrades
	report   *summary.Report
	uploaded github.Artifact
}

func (p *publisher) publish(ctx context.Context) error {
	r := p.report
	for i := range r.Evidence {
		e := &r.Evidence[i]
		p.Actions.Group(p.Out, string(e.Verdict)+"  "+e.Path, func(w io.Writer) {
			t := p.Terminal
			t.Verbose = true
			_ = summary.WriteEvidence(w, e, t)
		})
	}
	checkRun := p.checkRun(ctx)
	p.comment(ctx)
	at := p.leave() // what may lie there otherwise is an earlier run's
	if !p.artifact(ctx) && at != "" {
		at = p.leave() // nothing was uploaded, and the report says so
	}
	return p.show(at, checkRun)
}

// leave writes the files beside the bundles, and returns the report's path. Without a
// report on the disk the run exits with 3.
func (p *publisher) leave() string {
	if p.Root == "" || p.report.Incomplete() {
		return ""
	}
	err := p.save(p.report)
	if err == nil {
		return path.Join(p.Dir, ReportFile)
	}
	r, e := p.report, reason.Infra(err)
	r.ExitCode, r.ReasonCode, r.Message, r.NextStep = e.Exit, e.Reason, e.Error(), e.NextStep
	r.Notices = append(r.Notices, summary.Notice{Status: verify.Fail, Code: "no-report", Message: "No report on the disk: " + e.Error(), NextStep: e.NextStep})
	return ""
}

// show writes what the runner shows: log, annotations, step summary and outputs.
func (p *publisher) show(report string, checkRun github.CheckRunResult) error {
	r := p.report
	t := p.Terminal
	t.Quiet = true
	errs := []error{summary.WriteTerminal(github.Neutralise(p.Out), r, t)}
	annotations := notices(r)
	if checkRun.ID == 0 {
		annotations = append(annotations, findings(r)...)
	}
	p.Actions.Annotate(p.Out, annotations)
	for _, err := range []error{
		p.Actions.AddSummary(summary.Markdown(r, summary.StepSummaryLimit)),
		p.Actions.SetOutputs(Outputs(r, report, p.uploaded, checkRun)),
	} {
		if errors.Is(err, github.ErrNoFile) || errors.Is(err, github.ErrSummaryTooLarge) {
			p.Actions.Annotate(p.Out, []github.Annotation{{Level: github.LevelWarning, Title: "not-shown", Message: err.Error()}})
			continue
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return reason.Infra(fmt.Errorf("showing the verdict: %w", err))
	}
	return nil
}
