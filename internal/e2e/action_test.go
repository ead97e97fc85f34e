//go:build e2e

package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The verdict of a pull request, as the workflow and its readers get it.
func TestPullRequest(t *testing.T) {
	tests := []struct {
		name    string
		onBase  []edits
		change  edits
		exit    int
		outputs map[string]string
		summary []string
		marked  bool // the drift is annotated in the sidecar or the input
	}{
		{
			name:   "nothing affected",
			change: edits{"README.md": "# Consumer, renamed\n"},
			outputs: map[string]string{
				"verdict": "intact", "exit-code": "0", "affected": "0", "failed": "0", "introduced": "0", "bundles": "[]",
			},
		},
		{
			name:   "an input reworded, its value kept",
			change: edits{tokenPath: tokenReworded},
			outputs: map[string]string{
				"verdict": "intact", "exit-code": "0", "affected": "1", "failed": "0", "introduced": "0",
			},
			summary: []string{"2026-05-01-swiss"},
		},
		{
			name:   "drift introduced by an edit of an input",
			change: edits{tokenPath: tokenEdited},
			exit:   1,
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "1", "affected": "1", "failed": "1", "introduced": "1",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "introduced"},
			marked:  true,
		},
		{
			name:   "drift that the base has already",
			onBase: []edits{{tokenPath: tokenEdited}},
			change: edits{reportPath: "# Swiss, n = 30\n\nIt went very well.\n"},
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "0", "affected": "1", "failed": "1", "introduced": "0",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "pre-existing"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newConsumer(t, test.onBase...)
			got := c.run(c.pullRequest(test.change))
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("log:\n%s\nsummary:\n%s", got.log, got.summary)
				}
			})
			if got.exit != test.exit {
				t.Errorf("exit code %d, want %d", got.exit, test.exit)
			}
			for name, want := range test.outputs {
				if got.outputs[name] != want {
					t.Errorf("output %s is %q, want %q", name, got.outputs[name], want)
				}
			}
			if got.summary == "" {
				t.Error("no step summary")
			}
			for _, want := range test.summary {
				if !strings.Contains(got.summary, want) {
					t.Errorf("the step summary does not say %q", want)
				}
			}
			marked := slices.ContainsFunc(got.annotations, func(a annotation) bool {
				return a.level == "error" && (a.file == sidecarPath || a.file == tokenPath)
			})
			if marked != test.marked {
				t.Errorf("error annotations: %v, want some on the evidence: %t", got.annotations, test.marked)
			}
			c.checkReport(got.outputs)
			c.checkBundles(got.outputs)
		})
	}
}

// A sidecar can't speak to the engine in the gate's name: its strings set no
// output, open no annotation and hide no line.
func TestHostileSidecar(t *testing.T) {
	c := newConsumer(t)
	hostile, err := json.Marshal("linux\n::set-output name=forged::yes\r\n##[set-output name=forged;]yes\n" +
		"::error file=README.md::forged\nx ##[error]forged\n::add-mask::drift\n::stop-commands::forged")
	if err != nil {
		t.Fatal(err)
	}
	got := c.run(c.pullRequest(edits{
		sidecarPath: strings.ReplaceAll(sidecar(t), `"linux-x64"`, string(hostile)),
		tokenPath:   tokenEdited,
	}))
	if got.exit != 1 || got.outputs["verdict"] != "drift" {
		t.Errorf("exit code %d, verdict %q, want 1 and drift", got.exit, got.outputs["verdict"])
	}
	names := slices.Sorted(maps.Keys(got.outputs))
	if want := []string{"affected", "bundles", "exit-code", "failed", "introduced", "report", "verdict"}; !slices.Equal(names, want) {
		t.Errorf("outputs %q, want %q", names, want)
	}
	for _, a := range got.annotations {
		if a.file == "README.md" || strings.HasPrefix(a.message, "forged") {
			t.Errorf("a forged annotation: %+v", a)
		}
	}
	if t.Failed() {
		t.Logf("log:\n%s", got.log)
	}
}

// checkReport: the output "report" names the JSON report, and that says the same.
func (c *consumer) checkReport(outputs map[string]string) {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(c.root, outputs["report"]))
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
	if report.Schema != "replay-gate.report/v1" || report.Verdict != outputs["verdict"] || report.Change.Base != c.base {
		c.t.Errorf("the report says %+v, want verdict %q and base %s", report, outputs["verdict"], c.base)
	}
}

// checkBundles: each bundle that the output lists lies where it says, has the hash it
// says, and passes "bundle check". Affected evidence has a bundle each.
func (c *consumer) checkBundles(outputs map[string]string) {
	c.t.Helper()
	var bundles []struct {
		Path   string `json:"path"`
		RunID  string `json:"run_id"`
		SHA256 string `json:"sha256"`
	}
	if err := json.Unmarshal([]byte(outputs["bundles"]), &bundles); err != nil {
		c.t.Errorf("output bundles: %v", err)
		return
	}
	want := 0
	if outputs["affected"] == "1" {
		want = 1
	}
	if len(bundles) != want {
		c.t.Errorf("%d bundles, want %d", len(bundles), want)
	}
	for _, b := range bundles {
		if wantPath := ".assay/bundles/" + b.RunID + ".tar.gz"; b.Path != wantPath {
			c.t.Errorf("bundle %s lies at %s, want %s", b.RunID, b.Path, wantPath)
		}
		content, err := os.ReadFile(filepath.Join(c.root, b.Path))
		if err != nil {
			c.t.Error(err)
			continue
		}
		if got := sum(string(content)); got != b.SHA256 {
			c.t.Errorf("bundle %s has the hash %s, the output says %s", b.RunID, got, b.SHA256)
		}
		if out, exit := c.docker("bundle", "check", b.Path); exit != 0 {
			c.t.Errorf("bundle check %s: exit code %d\n%s", b.Path, exit, out)
		}
	}
}
