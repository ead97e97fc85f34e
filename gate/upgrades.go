package gate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Upgrades are what the gate shows on GitHub beyond what needs no permission. The
// zero value is the action's defaults.
type Upgrades struct {
	// CheckRun is "auto" (default), "never" or "required"; CheckName is the
	// check's name, default "Replay evidence".
	CheckRun, CheckName string
	// Comment is "never" (default), "on-failure" or "always".
	Comment string
	// Upload is "auto" (default), "never" or "required".
	Upload string
	// Raw uploads a single bundle as it is, instead of a zip of everything.
	Raw bool
	// RetentionDays is how long the artifact is kept; 0 is the repository's own
	// setting.
	RetentionDays int
	// HTTP is how the artifact service is reached; see github.HTTP.
	HTTP github.HTTP
}

// DefaultCheckName is the name of the check run.
const DefaultCheckName = "Replay evidence"

// Validate fills what was left empty and refuses what is not a choice.
func (u *Upgrades) Validate() error {
	for _, c := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"check-run", &u.CheckRun, []string{"auto", "never", "required"}},
		{"comment", &u.Comment, []string{"never", "on-failure", "always"}},
		{"upload", &u.Upload, []string{"auto", "never", "required"}},
	} {
		if err := choose(c.name, c.value, c.allowed); err != nil {
			return err
		}
	}
	if u.CheckName == "" {
		u.CheckName = DefaultCheckName
	}
	if u.RetentionDays < 0 || u.RetentionDays > 400 {
		return usageError(ReasonInvalidArgs, "give a whole number from 1 to 400, or leave it out",
			"retention-days %d is no number of days that GitHub knows", u.RetentionDays)
	}
	return nil
}

// publisher adds the upgrades to a report, one after the other. What can't be
// had becomes a notice of the report.
type publisher struct {
	Upgrades
	actions  *github.Actions
	out      io.Writer
	report   *summary.Report
	options  Options
	uploaded github.Artifact
}

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
		if p.report.ExitCode == ExitIntact {
			p.report.ExitCode, p.report.ReasonCode = ExitInfra, reasonFor(err)
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
	switch e := p.options.Event; {
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
		return ReasonPermission
	case errors.As(err, &unavailable):
		return ReasonNetwork
	case errors.As(err, &file):
		return ReasonIO
	}
	return ReasonRequired
}

// uploadRecipe is the step that uploads the bundles with GitHub's own action.
// Where there is no artifact service of version 4, that is version 3 of it.
func (p *publisher) uploadRecipe(old bool) string {
	dir := p.options.BundleDir
	if _, plain := summary.ShellQuote(dir); !plain || strings.ContainsAny(dir, "\"\\#:{}") {
		return ""
	}
	version := "v4"
	if old {
		version = "v3"
	}
	return `- uses: actions/upload-artifact@` + version + `
  if: always()
  with:
    name: replay-bundles
    path: ` + dir + `
    include-hidden-files: true
`
}

// artifact uploads the bundles and the report.
func (p *publisher) artifact(ctx context.Context) {
	if p.Upload == "never" || incomplete(p.report) {
		return
	}
	if err := p.upload(ctx); err != nil {
		p.missed("artifact", p.Upload, err, "the bundles lie in "+p.options.BundleDir+"; upload them with a step of their own")
		return
	}
	l := &p.report.Links
	l.Artifact, l.ArtifactID = p.uploaded.Name, fmt.Sprint(p.uploaded.ID)
	l.ArtifactDigest = p.uploaded.Digest
}

func (p *publisher) upload(ctx context.Context) error {
	root, err := openRoot(p.options)
	if err != nil {
		return err
	}
	defer root.Close()
	file := func(name string) github.ArtifactFile {
		return github.ArtifactFile{Name: path.Base(name), Open: func() (io.ReadCloser, error) {
			return root.Open(filepath.FromSlash(name))
		}}
	}
	var files []github.ArtifactFile
	for _, e := range p.report.Evidence {
		if e.Bundle != nil && e.Bundle.Path != "" {
			files = append(files, file(e.Bundle.Path))
		}
	}
	links := p.actions.Links()
	req := github.ArtifactRequest{
		Name: artifactName(links.Job, links.RunAttempt), RetentionDays: p.RetentionDays, HTTP: p.HTTP,
	}
	if p.Raw && len(files) == 1 {
		req.Raw, req.Files = true, files
	} else {
		if p.Raw {
			p.report.Notices = append(p.report.Notices, summary.Notice{
				Status: verify.Info, Code: "artifact-archived",
				Message: fmt.Sprintf("The artifact is a zip: there are %d bundles, and only a single one can be uploaded as it is", len(files)),
			})
		}
		beside := []string{ReportFile, SummaryFile, PageFile}
		if len(files) > 0 {
			beside = append(beside, SumsFile)
		}
		if p.report.Timeline != "" {
			beside = append(beside, TimelineFile)
		}
		for _, name := range beside {
			files = append(files, file(path.Join(p.options.BundleDir, name)))
		}
		req.Files = files
	}
	p.uploaded, err = p.actions.UploadArtifact(ctx, p.out, req)
	return err
}

// artifactName is unique for a job and an attempt: the artifacts of a re-run
// stand beside those of the first run.
func artifactName(job, attempt string) string {
	safe := strings.Map(func(r rune) rune {
		if strings.ContainsRune("\":<>|*?\r\n\\/", r) || r < ' ' {
			return '-'
		}
		return r
	}, job)
	name := "replay-bundles"
	for _, part := range []string{safe, attempt} {
		if part != "" {
			name += "-" + part
		}
	}
	return name
}

// checkRun shows the verdict on the pull request's head. The step's exit code is
// the gate; the check run is its page.
func (p *publisher) checkRun(ctx context.Context) github.CheckRunResult {
	e := p.options.Event
	if p.CheckRun == "never" || e == nil { // without an event the run was never begun, which its error says
		return github.CheckRunResult{}
	}
	if p.options.GitHub == nil {
		p.missed("check-run", p.CheckRun, errNoClient, noClientStep)
		return github.CheckRunResult{}
	}
	links := p.actions.Links()
	res, err := p.options.GitHub.CheckRun(ctx, github.CheckRunRequest{
		Name: cmp.Or(p.CheckName, DefaultCheckName), HeadSHA: e.HeadSHA, ExternalID: links.RunID + "-" + links.RunAttempt,
		Conclusion:  conclusion(p.report),
		Title:       summary.CheckTitle(p.report),
		Summary:     summary.Markdown(p.report, summary.CheckRunLimit),
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
	case r.ExitCode != ExitIntact:
		return github.Failure
	case r.Policy.FailOn == "never" || len(r.Evidence) == 0:
		return github.Neutral
	}
	return github.Success
}

// comment keeps one comment on the pull request up to date.
func (p *publisher) comment(ctx context.Context) {
	e := p.options.Event
	if p.Comment == "never" || e == nil || e.Number == 0 {
		return
	}
	if p.options.GitHub == nil {
		p.missed("comment", p.Comment, errNoClient, noClientStep)
		return
	}
	fails := p.report.ExitCode != ExitIntact
	body := summary.Markdown(p.report, github.MaxComment)
	if !fails {
		body = summary.CheckTitle(p.report) + "\n"
	}
	_, err := p.options.GitHub.Comment(ctx, github.CommentRequest{
		Number: e.Number, Key: cmp.Or(p.CheckName, DefaultCheckName), Body: body, Hidden: !fails,
		OnlyUpdate: p.Comment == "on-failure" && !fails,
	})
	if err != nil {
		p.missed("comment", p.Comment, err, "the step summary says the same")
	}
}

// saveOutcome writes report and summary beside the bundles once more, now that
// they hold what came of the upgrades, and returns the report's path. Without a
// report on the disk the run exits with 3.
func (p *publisher) saveOutcome() string {
	err := p.writeOutcome()
	if err == nil {
		return path.Join(p.options.BundleDir, ReportFile)
	}
	r, e := p.report, infraError(err)
	r.ExitCode, r.ReasonCode, r.Message, r.NextStep = e.Exit, e.Reason, e.Error(), e.NextStep
	r.Notices = append(r.Notices, summary.Notice{Status: verify.Fail, Code: "no-report", Message: "No report on the disk: " + e.Error(), NextStep: e.NextStep})
	return ""
}

func (p *publisher) writeOutcome() error {
	root, err := openRoot(p.options)
	if err != nil {
		return err
	}
	defer root.Close()
	var data bytes.Buffer
	if err := summary.WriteJSON(&data, p.report); err != nil {
		return err
	}
	return writeBeside(root, p.options, map[string][]byte{
		ReportFile:  data.Bytes(),
		SummaryFile: []byte(summary.Markdown(p.report, summary.StepSummaryLimit)),
	})
}

// incomplete reports whether a run ended before it could judge.
func incomplete(r *summary.Report) bool { return len(r.Evidence) == 0 && r.ExitCode != ExitIntact }
