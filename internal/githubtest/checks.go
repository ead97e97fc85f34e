package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// CheckRun is a check run as it stands on the server.
type CheckRun struct {
	ID         int64       `json:"id"`
	Name       string      `json:"name"`
	HeadSHA    string      `json:"head_sha"`
	ExternalID string      `json:"external_id"`
	Status     string      `json:"status"`
	Conclusion string      `json:"conclusion"`
	Output     CheckOutput `json:"output"`
}

// CheckOutput is what people see of a check run.
type CheckOutput struct {
	Title       string            `json:"title"`
	Summary     string            `json:"summary"`
	Text        string            `json:"text"`
	Annotations []CheckAnnotation `json:"annotations"`
}

// CheckAnnotation is a message at a place in a file.
type CheckAnnotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn int    `json:"start_column"`
	EndColumn   int    `json:"end_column"`
	Level       string `json:"annotation_level"`
	Title       string `json:"title"`
	Message     string `json:"message"`
	RawDetails  string `json:"raw_details"`
}

// CheckRuns returns the check runs on the server, oldest first.
func (g *GitHub) CheckRuns() []CheckRun {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []CheckRun
	for _, c := range g.checkRuns {
		run := *c
		run.Output.Annotations = slices.Clone(c.Output.Annotations)
		all = append(all, run)
	}
	return all
}

func (g *GitHub) createCheckRun(body []byte) reply {
	var c CheckRun
	if err := json.Unmarshal(body, &c); err != nil {
		return g.refuse("check run: %v", err)
	}
	if c.Name == "" || !isCommitID(c.HeadSHA) {
		return g.refuse("check run: name %q, head_sha %q", c.Name, c.HeadSHA)
	}
	if why := checkOutput(c); why != "" {
		return g.refuse("check run: %s", why)
	}
	c.ID = g.nextID()
	g.checkRuns = append(g.checkRuns, &c)
	return reply{status: http.StatusCreated, body: g.showCheckRun(c)}
}

// updateCheckRun replaces what is given, and appends annotations.
func (g *GitHub) updateCheckRun(id string, body []byte) reply {
	i := slices.IndexFunc(g.checkRuns, func(c *CheckRun) bool { return strconv.FormatInt(c.ID, 10) == id })
	if i < 0 {
		return failed(http.StatusNotFound, "Not Found")
	}
	run := g.checkRuns[i]
	earlier := run.Output.Annotations
	changed := *run
	changed.Output.Annotations = nil
	if err := json.Unmarshal(body, &changed); err != nil {
		return g.refuse("check run: %v", err)
	}
	if why := checkOutput(changed); why != "" {
		return g.refuse("check run: %s", why)
	}
	changed.ID, changed.HeadSHA = run.ID, run.HeadSHA
	changed.Output.Annotations = append(slices.Clone(earlier), changed.Output.Annotations...)
	*run = changed
	return reply{status: http.StatusOK, body: g.showCheckRun(*run)}
}

// refuse answers 422 and notes which rule was broken.
func (g *GitHub) refuse(format string, args ...any) reply {
	g.problem(format, args...)
	return invalid(fmt.Sprintf(format, args...))
}

// checkOutput holds the rules that GitHub's description does not express.
func checkOutput(c CheckRun) string {
	o := c.Output
	switch {
	case c.Status == "completed" && c.Conclusion == "":
		return "completed without a conclusion"
	case c.Conclusion == "stale":
		return "only GitHub concludes stale"
	case o.Title == "" || o.Summary == "":
		return "no title or no summary"
	// GitHub says characters; whether it counts bytes is not documented, so the
	// narrower reading holds.
	case len(o.Summary) > 65535 || len(o.Text) > 65535:
		return fmt.Sprintf("summary of %d and text of %d bytes", len(o.Summary), len(o.Text))
	}
	for _, a := range o.Annotations {
		if broken := checkAnnotation(a); broken != "" {
			return broken
		}
	}
	return ""
}

func checkAnnotation(a CheckAnnotation) string {
	switch {
	case a.Path == "" || strings.HasPrefix(a.Path, "/") || path.Clean(a.Path) != a.Path || strings.HasPrefix(a.Path, "../"):
		return fmt.Sprintf("annotation with path %q", a.Path)
	case a.StartLine < 1 || a.EndLine < a.StartLine:
		return fmt.Sprintf("annotation from line %d to %d", a.StartLine, a.EndLine)
	case a.StartLine != a.EndLine && (a.StartColumn != 0 || a.EndColumn != 0):
		return "annotation of several lines with a column"
	case a.StartColumn < 0 || a.EndColumn < a.StartColumn:
		return fmt.Sprintf("annotation from column %d to %d", a.StartColumn, a.EndColumn)
	case a.Message == "" || len(a.Message) > 64<<10 || len(a.RawDetails) > 64<<10 || len([]rune(a.Title)) > 255:
		return "annotation with no message, or a text too long"
	}
	return ""
}

func (g *GitHub) showCheckRun(c CheckRun) map[string]any {
	address := "https://github.com/" + g.Repository + "/runs/" + strconv.FormatInt(c.ID, 10)
	return map[string]any{
		"id": c.ID, "node_id": "CR_1", "head_sha": c.HeadSHA, "name": c.Name, "url": address, "html_url": address,
		// What was asked for as details_url is not kept for GITHUB_TOKEN.
		"details_url": address, "status": c.Status, "conclusion": orNull(c.Conclusion), "external_id": c.ExternalID,
		"started_at": now(), "completed_at": now(), "check_suite": nil, "app": nil, "pull_requests": []any{},
		"output": map[string]any{
			"title": c.Output.Title, "summary": c.Output.Summary, "text": c.Output.Text,
			"annotations_count": len(c.Output.Annotations), "annotations_url": address + "/annotations",
		},
	}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func isCommitID(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}
