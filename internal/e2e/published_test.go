//go:build e2e

package e2e

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

// checkRun is what reviewers see of a check run.
type checkRun struct {
	conclusion string
	title      string // how it begins
	marks      []mark
}

// mark is an annotation's place.
type mark struct {
	level, path string
	line        int
}

// expectCheckRun: exactly one check run arrived, on the pull request's head, and
// the output leads to it.
func (c *consumer) expectCheckRun(got step, want checkRun) {
	c.t.Helper()
	runs := c.github.CheckRuns()
	if len(runs) != 1 {
		c.t.Errorf("%d check runs, want 1", len(runs))
		return
	}
	run := runs[0]
	if run.Name != "Replay evidence" || run.HeadSHA != c.head || run.Status != "completed" || run.ExternalID != runID+"-1" {
		c.t.Errorf("check run %q on %s is %s, with external id %q; want the completed Replay evidence on %s with %s-1",
			run.Name, run.HeadSHA, run.Status, run.ExternalID, c.head, runID)
	}
	if run.Conclusion != want.conclusion || !strings.HasPrefix(run.Output.Title, want.title) {
		c.t.Errorf("check run concluded %s: %s, want %s: %s...", run.Conclusion, run.Output.Title, want.conclusion, want.title)
	}
	var marks []mark
	for _, a := range run.Output.Annotations {
		marks = append(marks, mark{a.Level, a.Path, a.StartLine})
	}
	if !slices.Equal(marks, want.marks) {
		c.t.Errorf("annotations %v, want %v", marks, want.marks)
	}
	if address := got.outputs["check-run-url"]; !strings.HasPrefix(address, "https://github.com/"+repositoryName+"/runs/") {
		c.t.Errorf("output check-run-url is %q", address)
	}
	if made := slices.DeleteFunc(c.github.Requests(), func(r githubtest.Request) bool { return r.Method == "GET" }); len(made) != 1 {
		c.t.Errorf("%d requests that write, want 1", len(made))
	}
}

// expectReport: the output "report" names the JSON report, and that says the same.
func (c *consumer) expectReport(got step) {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(c.root, got.outputs["report"]))
	if err != nil {
		c.t.Errorf("output report: %v", err)
		return
	}
	var report struct {
		Schema  string `json:"schema"`
		Verdict string `json:"verdict"`
		Change  struct {
			Base string `json:"base"`
		} `json:"change"`
	}
	if err := json.Unmarshal(b, &report); err != nil {
		c.t.Errorf("output report: %v", err)
	}
	if report.Schema != "replay-gate.report/v2" || report.Verdict != got.outputs["verdict"] || report.Change.Base != c.base {
		c.t.Errorf("the report says %+v, want verdict %q and base %s", report, got.outputs["verdict"], c.base)
	}
}

// bundle is an entry of the output "bundles".
type bundle struct {
	Path   string `json:"path"`
	RunID  string `json:"run_id"`
	SHA256 string `json:"sha256"`
}

// bundles is the output of that name. Affected evidence has a bundle each.
func (c *consumer) bundles(got step) []bundle {
	c.t.Helper()
	var all []bundle
	if err := json.Unmarshal([]byte(got.outputs["bundles"]), &all); err != nil {
		c.t.Errorf("output bundles: %v", err)
	}
	want := 0
	if got.outputs["affected"] == "1" {
		want = 1
	}
	if len(all) != want {
		c.t.Errorf("%d bundles, want %d", len(all), want)
	}
	return all
}

// expectBundles: each bundle lies where the output says, as the step summary says.
func (c *consumer) expectBundles(got step) {
	c.t.Helper()
	for _, b := range c.bundles(got) {
		if want := ".assay/bundles/" + b.RunID + ".tar.gz"; b.Path != want {
			c.t.Errorf("bundle %s lies at %s, want %s", b.RunID, b.Path, want)
		}
		if got.outputs["failed"] != "0" && !strings.Contains(got.summary, b.SHA256[:len("sha256:")+12]) {
			c.t.Errorf("the step summary does not name the hash of bundle %s", b.RunID)
		}
		c.expectBundle(c.root, b.Path, b.SHA256)
	}
}

// expectBundle: a file is a bundle with this hash.
func (c *consumer) expectBundle(root, name, hash string) {
	c.t.Helper()
	content, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		c.t.Error(err)
		return
	}
	if sum := sum(string(content)); sum != hash {
		c.t.Errorf("bundle %s has the hash %s, the output says %s", name, sum, hash)
	}
	if out, exit := gate(c.t, root, "bundle", "check", name); exit != 0 {
		c.t.Errorf("bundle check %s: exit code %d\n%s", name, exit, out)
	}
}

// expectArtifact: the engine's server holds one artifact, of which the outputs
// speak, with the bundles as they lie on the disk and the report.
func (c *consumer) expectArtifact(got step) {
	c.t.Helper()
	const name = "replay-bundles-replay-gate-1"
	stored, err := filepath.Glob(filepath.Join(got.artifacts, runID, "*", "*"))
	if want := filepath.Join(got.artifacts, runID, name, name+".zip"); err != nil || !slices.Equal(stored, []string{want}) {
		c.t.Errorf("the engine's server holds %q, %v, want %s", stored, err, want)
		return
	}
	content, err := os.ReadFile(stored[0])
	if err != nil {
		c.t.Error(err)
		return
	}
	digest := sha256.Sum256(content)
	if want := "sha256:" + hex.EncodeToString(digest[:]); got.outputs["artifact-digest"] != want {
		c.t.Errorf("output artifact-digest is %q, want %s", got.outputs["artifact-digest"], want)
	}
	id := got.outputs["artifact-id"]
	address := c.server + "/" + repositoryName + "/actions/runs/" + runID + "/artifacts/" + id
	if id == "" || got.outputs["artifact-url"] != address {
		c.t.Errorf("outputs artifact-id and artifact-url are %q and %q", id, got.outputs["artifact-url"])
	}
	if !strings.Contains(got.summary, address) {
		c.t.Error("the step summary does not link the artifact")
	}

	folder := unpack(c.t, content)
	want := []string{"report.json", "summary.md", "report.html"}
	if got.outputs["verdict"] == "drift" {
		want = append(want, "timeline.svg")
	}
	if len(c.bundles(got)) > 0 {
		want = append(want, "SHA256SUMS")
	}
	for _, b := range c.bundles(got) {
		want = append(want, path.Base(b.Path))
		c.expectBundle(folder, path.Base(b.Path), b.SHA256)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	slices.Sort(files)
	slices.Sort(want)
	if !slices.Equal(files, want) {
		c.t.Errorf("the artifact holds %q, want %q", files, want)
	}
}

// unpack lays the files of a zip in a folder.
func unpack(t *testing.T, content []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, z); err != nil {
		t.Fatal(err)
	}
	return folder
}
