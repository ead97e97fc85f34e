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
	"github.com/replay-gate/replay-gate/summary/visible"
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
	// Write writes a file below a root, whole or not at all, from what content gives piece by
	// piece.
	Write func(root *os.Root, name string, content func(io.Writer) error) error
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
// the summary is full, a line says so, and the verdict stands. What can't be written, such as
// on a full disk, makes the report one that exits with 3, and keeps nothing else from being
// shown. An error means that the runner could not be shown the verdict: it is an
// *[reason.Error].
func Publish(ctx context.Context, t Target, r *summary.Report) error {
	p := &publisher{Target: t, Upgrades: t.Upgrades, report: r}
	if t.Actions == nil {
		p.leave()
		return nil
	}
	return p.publish(ctx)
}

// Unwritten makes r the report of a run that could not write what it should have: its
// verdict stands, and it exits with 3.
func Unwritten(r *summary.Report, code, what string, e *reason.Error) {
	r.ExitCode, r.ReasonCode, r.Message, r.NextStep = e.Exit, e.Reason, e.Error(), e.NextStep
	r.Notices = append(r.Notices, summary.Notice{Status: verify.Fail, Code: code, Message: what + ": " + e.Error(), NextStep: e.NextStep})
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
	at := p.leave()
	if at != "" && !p.artifact(ctx) { // what may lie there otherwise is an earlier run's
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
	p.report.Folder, p.report.Timeline = "", ""
	Unwritten(p.report, "no-report", "No report on the disk", reason.Infra(err))
	return ""
}

// show writes what the runner shows: log, annotations, step summary and outputs. The
// outputs come last: they say how the run exits, also where the others failed.
func (p *publisher) show(report string, checkRun github.CheckRunResult) error {
	r := p.report
	t := p.Terminal
	t.Quiet = true
	logged := summary.WriteTerminal(visible.NewWriter(p.Out), r, t)
	annotations := notices(r)
	if checkRun.ID == 0 {
		annotations = append(annotations, findings(r)...)
	}
	p.Actions.Annotate(p.Out, annotations)
	shown := errors.Join(logged, p.tolerated(p.Actions.AddSummary(summary.Markdown(r, summary.StepSummaryLimit))))
	report, failed := p.unshown(report, shown)
	set := p.tolerated(p.Actions.SetOutputs(Outputs(r, report, p.uploaded, checkRun)))
	if _, e := p.unshown(report, set); e != nil {
		return e
	}
	return failed
}

// tolerated says on one line what the runner gave no file for, or has no room for; any other
// error is given back.
func (p *publisher) tolerated(err error) error {
	if errors.Is(err, github.ErrNoFile) || errors.Is(err, github.ErrSummaryTooLarge) {
		p.Actions.Annotate(p.Out, []github.Annotation{{Level: github.LevelWarning, Title: "not-shown", Message: err.Error()}})
		return nil
	}
	return err
}

// unshown makes the report say that it could not be shown, also the one on the disk, whose
// path it returns.
func (p *publisher) unshown(report string, err error) (string, error) {
	if err == nil {
		return report, nil
	}
	e := reason.Infra(fmt.Errorf("showing the verdict: %w", err))
	Unwritten(p.report, "not-shown", "Not shown", e)
	p.Actions.Annotate(p.Out, []github.Annotation{{Level: github.LevelError, Title: "not-shown", Message: e.Error() + "\nnext: " + e.NextStep}})
	if report != "" {
		report = p.leave()
	}
	return report, e
}
