//go:build e2e

package e2e

import (
	"encoding/json"
	"maps"
	"os"
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
		shallow bool
		exit    int
		outputs map[string]string
		summary []string
		check   checkRun
	}{
		{
			name:   "nothing affected",
			change: edits{"README.md": "# Consumer, renamed\n"},
			outputs: map[string]string{
				"verdict": "intact", "exit-code": "0", "affected": "0", "failed": "0", "introduced": "0", "bundles": "[]",
			},
			check: checkRun{conclusion: "neutral", title: "nothing affected"},
		},
		{
			name:   "an input reworded, its value kept",
			change: edits{tokenPath: tokenReworded},
			outputs: map[string]string{
				"verdict": "intact", "exit-code": "0", "affected": "1", "failed": "0", "introduced": "0",
			},
			summary: []string{"2026-05-01-swiss"},
			check:   checkRun{conclusion: "success", title: "tokens/swiss.yml changed, and nothing in it that evidence rests on: 1 published result still holds"},
		},
		{
			name:   "drift introduced by an edit of an input",
			change: edits{tokenPath: tokenEdited},
			exit:   1,
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "1", "affected": "1", "failed": "1", "introduced": "1",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "introduced"},
			check: checkRun{conclusion: "failure", title: "tokens/swiss.yml changed, and 1 published result no longer describes it", marks: []mark{
				{"failure", tokenPath, tokenEditedLine}, {"failure", sidecarPath, tokenHashLine(t)},
			}},
		},
		{
			name:   "drift that the base has already",
			onBase: []edits{{tokenPath: tokenEdited}},
			change: edits{reportPath: "# Swiss, n = 30\n\nIt went very well.\n"},
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "0", "affected": "1", "failed": "1", "introduced": "0",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "pre-existing"},
			check: checkRun{conclusion: "success", title: "nothing new: 1 published result did not hold before this change either", marks: []mark{
				{"warning", sidecarPath, tokenHashLine(t)}, {"warning", reportPath, 3},
			}},
		},
		// With actions/checkout as it is by default the clone holds no base: the
		// gate fetches it, or else it could acquit nobody.
		{
			name: "drift that the base has already, in a clone of depth 1", shallow: true,
			onBase: []edits{{tokenPath: tokenEdited}},
			change: edits{reportPath: "# Swiss, n = 30\n\nIt went very well.\n"},
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "0", "affected": "1", "failed": "1", "introduced": "0",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "pre-existing"},
			check: checkRun{conclusion: "success", title: "nothing new: 1 published result did not hold before this change either", marks: []mark{
				{"warning", sidecarPath, tokenHashLine(t)}, {"warning", reportPath, 3},
			}},
		},
		{
			name: "drift introduced, in a clone of depth 1", shallow: true,
			change: edits{tokenPath: tokenEdited},
			exit:   1,
			outputs: map[string]string{
				"verdict": "drift", "exit-code": "1", "affected": "1", "failed": "1", "introduced": "1",
			},
			summary: []string{"2026-05-01-swiss", "token.hash", "FAIL", "introduced"},
			check: checkRun{conclusion: "failure", title: "tokens/swiss.yml changed, and 1 published result no longer describes it", marks: []mark{
				{"failure", tokenPath, tokenEditedLine}, {"failure", sidecarPath, tokenHashLine(t)},
			}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newConsumer(t, test.onBase...)
			event := c.pullRequest(test.change)
			if test.shallow {
				c.makeShallow()
			}
			got := c.run(event)
			if got.exit != test.exit {
				t.Errorf("exit code %d, want %d", got.exit, test.exit)
			}
			for name, want := range test.outputs {
				if got.outputs[name] != want {
					t.Errorf("output %s is %q, want %q", name, got.outputs[name], want)
				}
			}
			for _, want := range append(test.summary, test.check.title, "what this page means") {
				// On the page paths are code, and its first word has a capital.
				if !strings.Contains(strings.ToLower(strings.ReplaceAll(got.summary, "`", "")), strings.ToLower(want)) {
					t.Errorf("the step summary does not say %q", want)
				}
			}
			// What the check run marks is not marked once more by the log.
			if i := slices.IndexFunc(got.annotations, func(a annotation) bool { return a.file != "" }); i >= 0 {
				t.Errorf("besides the check run, the log marks %+v", got.annotations[i])
			}
			c.expectCheckRun(got, test.check)
			c.expectReport(got)
			c.expectBundles(got)
			c.expectArtifact(got)
		})
	}
}

// Complete with zero write permissions, as for a fork or Dependabot: the verdict
// decides, the log marks what the check run would have, and one line says what is
// missing.
func TestReadOnlyToken(t *testing.T) {
	for _, test := range []struct {
		name   string
		change edits
		exit   int
		marks  []string
	}{
		{"intact", edits{tokenPath: tokenReworded}, 0, nil},
		{"drift introduced", edits{tokenPath: tokenEdited}, 1, []string{tokenPath, sidecarPath}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newConsumer(t)
			c.github.ReadOnly = true
			got := c.run(c.pullRequest(test.change))
			if got.exit != test.exit {
				t.Errorf("exit code %d, want %d", got.exit, test.exit)
			}
			if runs := c.github.CheckRuns(); len(runs) > 0 || got.outputs["check-run-url"] != "" {
				t.Errorf("check runs %+v, output check-run-url %q, want none", runs, got.outputs["check-run-url"])
			}
			var missing, marks []string
			for _, a := range got.annotations {
				if strings.Contains(a.message, "checks: write") {
					missing = append(missing, a.level+" "+a.message)
				}
				if a.level == "error" {
					marks = append(marks, a.file)
				}
			}
			if len(missing) != 1 || !strings.HasPrefix(missing[0], "notice ") {
				t.Errorf("what names the missing permission is %q, want one notice", missing)
			}
			if !strings.Contains(got.summary, "checks: write") {
				t.Error("the step summary does not name the missing permission")
			}
			if !slices.Equal(marks, test.marks) {
				t.Errorf("errors on %q, want %q", marks, test.marks)
			}
			// The artifact needs no permission of the token.
			c.expectReport(got)
			c.expectBundles(got)
			c.expectArtifact(got)
		})
	}
}

// The comment is made once and brought up to date by the next run.
func TestComment(t *testing.T) {
	c := newConsumer(t, edits{workflow: workflowWith(t, "comment: on-failure\nupload: never")})
	event := c.pullRequest(edits{tokenPath: tokenEdited})
	for range 2 {
		if got := c.run(event); got.exit != 1 {
			t.Errorf("exit code %d, want 1", got.exit)
		}
	}
	all := c.github.Comments()
	if len(all) != 1 || all[0].Number != 7 || all[0].Hidden || !strings.Contains(all[0].Body, "token.hash") {
		t.Errorf("comments %+v, want one on pull request 7, with the FAIL", all)
	}
}

// In a merge queue base and head are those of the queue, and the check run is on
// the queue's commit.
func TestMergeQueue(t *testing.T) {
	for _, shallow := range []bool{false, true} {
		c := newConsumer(t)
		c.pullRequest(edits{tokenPath: tokenEdited})
		c.head = c.git("rev-parse", "HEAD")
		if shallow {
			c.makeShallow()
		}
		payload, err := json.Marshal(map[string]any{
			"action":      "checks_requested",
			"merge_group": map[string]any{"base_sha": c.base, "base_ref": "refs/heads/main", "head_sha": c.head, "head_ref": "refs/heads/gh-readonly-queue/main/pr-7"},
			"repository":  map[string]any{"full_name": repositoryName},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := c.runOn("merge_group", payload)
		if got.exit != 1 || got.outputs["introduced"] != "1" {
			t.Errorf("shallow %t: exit code %d, introduced %q, want 1 and 1", shallow, got.exit, got.outputs["introduced"])
		}
		c.expectCheckRun(got, checkRun{conclusion: "failure", title: "tokens/swiss.yml changed, and 1 published result no longer describes it", marks: []mark{
			{"failure", tokenPath, tokenEditedLine}, {"failure", sidecarPath, tokenHashLine(t)},
		}})
		c.expectReport(got)
	}
}

// Inputs arrive as the workflow gives them. A bundle that is uploaded as it is makes
// the artifact's digest the bundle's sha256; the engine's own server knows no such
// upload, so it goes to GitHub's, by GitHub's rules.
func TestInputs(t *testing.T) {
	c := newConsumer(t, edits{workflow: workflowWith(t, "artifact-archive: false\nupload: required\ncheck-name: Numbers\nfail-on: never")})
	c.remote = true
	got := c.run(c.pullRequest(edits{tokenPath: tokenEdited}))
	if got.exit != 0 || got.outputs["verdict"] != "drift" {
		t.Errorf("exit code %d, verdict %q, want 0 and drift", got.exit, got.outputs["verdict"])
	}
	if runs := c.github.CheckRuns(); len(runs) != 1 || runs[0].Name != "Numbers" || runs[0].Conclusion != "neutral" {
		t.Errorf("check runs %+v, want the neutral Numbers", runs)
	}
	bundles, stored := c.bundles(got), c.github.Artifacts()
	if len(bundles) != 1 || len(stored) != 1 {
		t.Fatalf("%d bundles and %d artifacts, want one of each", len(bundles), len(stored))
	}
	if digest := got.outputs["artifact-digest"]; digest != bundles[0].SHA256 || digest != sum(string(stored[0].Content)) {
		t.Errorf("output artifact-digest is %q, want %s", digest, bundles[0].SHA256)
	}
	if want := bundles[0].RunID + ".tar.gz"; stored[0].Name != want {
		t.Errorf("the artifact is named %q, want %q", stored[0].Name, want)
	}
}

// A sidecar can't speak to the engine in the gate's name: its strings set no
// output, open no annotation and hide no line, neither by the log nor by the check
// run.
func TestHostileSidecar(t *testing.T) {
	const hostile = `linux\n::set-output name=forged::yes\r\n##[set-output name=forged;]yes\n` +
		`::error file=README.md::forged\nx ##[error]forged\n::add-mask::drift\n::stop-commands::forged`
	action, err := os.ReadFile(actionFile(t, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		name := "check run"
		if readOnly {
			name = "log only"
		}
		t.Run(name, func(t *testing.T) {
			c := newConsumer(t)
			c.github.ReadOnly = readOnly
			got := c.run(c.pullRequest(edits{
				sidecarPath: strings.ReplaceAll(sidecar(t), `"linux-x64"`, `"`+hostile+`"`),
				tokenPath:   tokenEdited,
			}))
			if got.exit != 1 || got.outputs["verdict"] != "drift" {
				t.Errorf("exit code %d, verdict %q, want 1 and drift", got.exit, got.outputs["verdict"])
			}
			if names := slices.Sorted(maps.Keys(got.outputs)); !slices.Equal(names, declaredOutputs(action)) {
				t.Errorf("outputs %q, want %q", names, declaredOutputs(action))
			}
			for _, a := range got.annotations {
				if a.file == "README.md" || strings.HasPrefix(a.message, "forged") {
					t.Errorf("a forged annotation: %+v", a)
				}
			}
			for _, run := range c.github.CheckRuns() {
				for _, a := range run.Output.Annotations {
					if a.Path == "README.md" {
						t.Errorf("a forged annotation: %+v", a)
					}
				}
			}
		})
	}
}

// declaredOutputs are the names below "outputs:" in action.yml, sorted, without those of a step
// that plans.
func declaredOutputs(action []byte) []string {
	var names []string
	_, outputs, _ := strings.Cut(string(action), "\noutputs:\n")
	for line := range strings.Lines(outputs) {
		if !strings.HasPrefix(line, " ") && strings.TrimSpace(line) != "" {
			break
		}
		if name, ok := strings.CutSuffix(strings.TrimRight(line, "\n"), ":"); ok && strings.HasPrefix(name, "  ") && !strings.HasPrefix(name, "   ") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains([]string{"matrix", "plan", "shards"}, name) })
	slices.Sort(names)
	return names
}
