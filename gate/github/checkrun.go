package github

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	gh "github.com/google/go-github/v60/github"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// Conclusion is what a completed check run says.
type Conclusion string

// The conclusions that a gate comes to.
const (
	Success Conclusion = "success"
	Failure Conclusion = "failure"
	Neutral Conclusion = "neutral" // satisfies a required check too
)

// Limits of check runs ("REST API endpoints for check runs").
const (
	// MaxCheckText bounds summary and text of a check run, each. GitHub says
	// characters; bytes are safe in either reading.
	MaxCheckText   = 65535
	annotationsPer = 50 // in one request
	// maxCheckAnnotations bounds the requests of one check run to ten: the
	// token has 1,000 an hour for the whole repository.
	maxCheckAnnotations = 10 * annotationsPer
)

// CheckRunRequest is a check run to show on a commit.
type CheckRunRequest struct {
	// Name must not be a job's name, or the two hide each other.
	Name string
	// HeadSHA is the commit: a pull request's head, not the test merge.
	HeadSHA string
	// ExternalID is for recognising it later; GitHub only keeps it.
	ExternalID string
	Conclusion Conclusion
	Title      string
	Summary    string // markdown of at most [MaxCheckText] bytes
	Text       string // as Summary; may be empty
	// Annotations are shown in the diff, worst first. Places that are no path
	// of a repository are left out.
	Annotations []Annotation
}

// CheckRunResult is the check run that was made.
type CheckRunResult struct {
	ID  int64
	URL string // its page
	// Omitted counts annotations that it does not hold.
	Omitted int
}

// CheckRun makes a check run that is completed already, in one request, and
// adds to it the annotations that did not fit. It changes no check run but its
// own.
//
// When only adding failed, there is an error and a result with an ID.
func (c *Client) CheckRun(ctx context.Context, r CheckRunRequest) (CheckRunResult, error) {
	const doing, permission = "making the check run", "checks: write"
	switch {
	case r.Name == "" || !commitID.MatchString(r.HeadSHA):
		return CheckRunResult{}, fmt.Errorf("%s: name %q on commit %q", doing, r.Name, cut(r.HeadSHA, 100))
	case len(r.Summary) > MaxCheckText || len(r.Text) > MaxCheckText:
		return CheckRunResult{}, fmt.Errorf("%s: summary of %d and text of %d bytes, the limit is %d", doing, len(r.Summary), len(r.Text), MaxCheckText)
	}
	annotations := checkAnnotations(r.Annotations)
	first := min(len(annotations), annotationsPer)
	run, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.name, gh.CreateCheckRunOptions{
		Name: r.Name, HeadSHA: r.HeadSHA, ExternalID: optional(r.ExternalID),
		Status: gh.String("completed"), Conclusion: gh.String(string(r.Conclusion)),
		Output: r.output(annotations[:first]),
	})
	if err != nil {
		return CheckRunResult{}, apiError(doing, permission, err)
	}
	result := CheckRunResult{ID: run.GetID(), URL: run.GetHTMLURL(), Omitted: len(r.Annotations) - first}
	if result.ID == 0 {
		return CheckRunResult{}, fmt.Errorf("%s: GitHub's answer has no id", doing)
	}
	annotations = annotations[first:]
	for len(annotations) > 0 {
		n := min(len(annotations), annotationsPer)
		// A PATCH replaces the texts and appends the annotations, so the texts
		// come along.
		_, _, err := c.api.Checks.UpdateCheckRun(ctx, c.owner, c.name, result.ID, gh.UpdateCheckRunOptions{
			Name: r.Name, Output: r.output(annotations[:n]),
		})
		if err != nil {
			return result, apiError("adding annotations to the check run", permission, err)
		}
		result.Omitted -= n
		annotations = annotations[n:]
	}
	return result, nil
}

func (r CheckRunRequest) output(annotations []*gh.CheckRunAnnotation) *gh.CheckRunOutput {
	return &gh.CheckRunOutput{Title: &r.Title, Summary: &r.Summary, Text: optional(r.Text), Annotations: annotations}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// checkAnnotations puts annotations into the form of the Checks API, as many as
// are sent.
func checkAnnotations(as []Annotation) []*gh.CheckRunAnnotation {
	const maxTitle, maxText = 255, 16 << 10 // UTF-16 units; 64 KiB are at least 16 Ki characters
	var out []*gh.CheckRunAnnotation
	for _, a := range as {
		if len(out) == maxCheckAnnotations {
			break
		}
		if a.Path == "." || !fs.ValidPath(a.Path) {
			continue
		}
		line := max(a.Line, 1)
		end := max(a.EndLine, line)
		c := &gh.CheckRunAnnotation{
			Path: gh.String(a.Path), StartLine: &line, EndLine: &end, AnnotationLevel: gh.String(checkLevel(a.Level)),
			Message: gh.String(cut(visible.Lines(a.Message), maxText)), Title: optional(cut(oneLine(a.Title), maxTitle)),
		}
		if strings.TrimSpace(*c.Message) == "" {
			c.Message = gh.String("(no message)")
		}
		if a.Column > 0 && a.Line > 0 && line == end {
			c.StartColumn, c.EndColumn = &a.Column, &a.Column
		}
		out = append(out, c)
	}
	return out
}

func checkLevel(l Level) string {
	switch l {
	case LevelError:
		return "failure"
	case LevelWarning:
		return "warning"
	}
	return "notice"
}
