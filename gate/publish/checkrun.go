package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// checkRun shows the verdict on the pull request's head. The step's exit code is
// the gate; the check run is its page.
func (p *publisher) checkRun(ctx context.Context) github.CheckRunResult {
	e := p.Event
	if p.CheckRun == "never" || e == nil { // without an event the run was never begun, which its error says
		return github.CheckRunResult{}
	}
	if p.GitHub == nil {
		p.missed("check-run", p.CheckRun, errNoClient, noClientStep)
		return github.CheckRunResult{}
	}
	links := p.Actions.Links()
	res, err := p.GitHub.CheckRun(ctx, github.CheckRunRequest{
		Name: cmp.Or(p.CheckName, DefaultCheckName), HeadSHA: e.HeadSHA, ExternalID: links.RunID + "-" + links.RunAttempt,
		Conclusion:  conclusion(p.report),
		Title:       summary.CheckTitle(p.report),
		Summary:     summary.CheckSummary(p.report, summary.CheckRunLimit),
		Text:        summary.CheckText(p.report, summary.CheckRunLimit),
		Annotations: findings(p.report),
	})
	switch {
	case err != nil && res.ID == 0:
		next := "the step summary and the exit code say the same"
		if p.CheckRun == "required" {
			next = "run it again, or set check-run to auto"
		}
		p.missed("check-run", p.CheckRun, err, next)
	case res.Omitted > 0:
		n := summary.Notice{Status: verify.Info, Code: "check-run-cut",
			Message: fmt.Sprintf("Annotations that the check run does not hold: %d; the report has them all", res.Omitted)}
		if err != nil {
			n.Message += " (" + err.Error() + ")"
		}
		p.report.Notices = append(p.report.Notices, n)
	}
	return res
}

var errNoClient = errors.New("there is no token, or no address of an API")

const noClientStep = "give the input token, and leave GITHUB_API_URL to the runner"

// conclusion is neutral where nothing was judged or nothing can fail; both
// satisfy a required check.
func conclusion(r *summary.Report) github.Conclusion {
	switch {
	case r.ExitCode != reason.ExitIntact:
		return github.Failure
	case r.Policy.FailOn == "never" || len(r.Evidence) == 0:
		return github.Neutral
	}
	return github.Success
}

// comment keeps one comment on the pull request up to date.
func (p *publisher) comment(ctx context.Context) {
	e := p.Event
	if p.Comment == "never" || e == nil || e.Number == 0 {
		return
	}
	if p.GitHub == nil {
		p.missed("comment", p.Comment, errNoClient, noClientStep)
		return
	}
	fails := p.report.ExitCode != reason.ExitIntact
	body := summary.Markdown(p.report, github.MaxComment)
	if !fails {
		body = summary.Headline(p.report)
	}
	_, err := p.GitHub.Comment(ctx, github.CommentRequest{
		Number: e.Number, Key: cmp.Or(p.CheckName, DefaultCheckName), Body: body, Hidden: !fails,
		OnlyUpdate: p.Comment == "on-failure" && !fails,
	})
	if err != nil {
		p.missed("comment", p.Comment, err, "the step summary says the same")
	}
}
