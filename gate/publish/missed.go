package publish

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// missed notes that an upgrade can't be had. When it is required, a run that
// would have passed exits with 3: not as drift.
func (p *publisher) missed(what, choice string, err error, next string) {
	n := summary.Notice{Status: verify.Info, Code: "no-" + what, NextStep: next, Message: "No " + strings.ReplaceAll(what, "-", " ") + ": " + err.Error()}
	var denied *github.PermissionError
	if errors.As(err, &denied) {
		n.NextStep = p.permissionStep(choice, denied)
	}
	if choice == "required" {
		n.Status = verify.Fail
		if p.report.ExitCode == reason.ExitIntact {
			p.report.ExitCode, p.report.ReasonCode = reason.ExitInfra, reasonFor(err)
			p.report.Message, p.report.NextStep = n.Message+", and the input asks for it", n.NextStep
		}
	}
	if what == "artifact" {
		n.Example = p.uploadRecipe(errors.Is(err, github.ErrNoArtifactService))
	}
	p.report.Notices = append(p.report.Notices, n)
}

// permissionStep is what to do about a token that may not do something. The
// token of a pull request from a fork can't be granted more; Dependabot's can.
func (p *publisher) permissionStep(choice string, denied *github.PermissionError) string {
	switch e := p.Event; {
	case denied.Missing == "":
		return "give the input token one that is valid; left out, it is the job's own"
	case e == nil || !e.Fork || e.Name != "pull_request":
		return "grant the job the permission " + denied.Missing
	case choice == "required":
		return "set check-run to auto: the token of a pull request from a fork can't write"
	}
	return "nothing: the token of a pull request from a fork can't write, and the verdict stands without it"
}

// reasonFor is the reason code of a run that lacks what an input requires.
func reasonFor(err error) string {
	var (
		denied      *github.PermissionError
		unavailable *github.UnavailableError
		file        *fs.PathError
	)
	switch {
	case errors.As(err, &denied):
		return reason.Permission
	case errors.As(err, &unavailable):
		return reason.Network
	case errors.As(err, &file):
		return reason.IO
	}
	return reason.Required
}
