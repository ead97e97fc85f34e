//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// several is a caller of the workflow for several machines, as docs/shards.md has it.
const several = `name: Evidence
on: pull_request
permissions: {}
jobs:
  evidence:
    permissions:
      contents: read
      checks: write
    uses: ./.github/workflows/replay-gate.yml
    with:
      shards: '4'
      runner: ubuntu-latest
`

// Issue 17: the jobs of the workflow, with four shards, come to what one job comes to; with
// one of them killed nothing is green, and the one that is missing is named.
func TestShards(t *testing.T) {
	reports := edits{workflow: several}
	reusable, err := os.ReadFile(actionFile(t, ".github/workflows/replay-gate.yml"))
	if err != nil {
		t.Fatal(err)
	}
	reports[".github/workflows/replay-gate.yml"] = string(reusable)
	for i := range 9 {
		name := fmt.Sprintf("docs/evals/2026-05-%02d-run", 2+i)
		reports[name+".md"] = "# Another run\n"
		reports[name+".replay.json"] = strings.NewReplacer(
			"2026-05-01T", fmt.Sprintf("2026-05-%02dT", 2+i), "req_1", fmt.Sprint("req_", 2+i), "model-a", fmt.Sprint("model-", i),
		).Replace(sidecar(t))
	}
	change := edits{tokenPath: tokenEdited}

	one := newConsumer(t, reports, edits{workflow: workflowWith(t, "")})
	want := one.run(one.pullRequest(change))
	if want.exit != 1 || want.outputs["affected"] != "10" {
		t.Fatalf("one machine exits with %d, and %s are affected", want.exit, want.outputs["affected"])
	}

	for _, test := range []struct {
		name    string
		shallow bool
	}{{"whole", false}, {"depth 1", true}} {
		t.Run(test.name, func(t *testing.T) {
			c := newConsumer(t, reports)
			event := c.pullRequest(change)
			if test.shallow {
				c.makeShallow()
			}
			c.machines = newMachines(t, "")
			got := c.run(event)
			// Bundles and causes are of other commits.
			for _, name := range []string{"verdict", "exit-code", "affected", "failed", "introduced", "claims-failed"} {
				if got.outputs[name] != want.outputs[name] {
					t.Errorf("output %s is %q, and %q on one machine", name, got.outputs[name], want.outputs[name])
				}
			}
			if n := bundlesIn(t, got.outputs); n != bundlesIn(t, want.outputs) || n != 10 {
				t.Errorf("%d bundles, and %d on one machine", n, bundlesIn(t, want.outputs))
			}
			parts, _ := filepath.Glob(filepath.Join(c.machines.handed, "replay-gate-part-*", "part.json"))
			if len(parts) != 4 {
				t.Errorf("%d parts were handed on", len(parts))
			}
			fetched, _ := filepath.Glob(filepath.Join(c.machines.handed, "replay-gate-plan", "*.pack"))
			if (len(fetched) > 0) != test.shallow {
				t.Errorf("%d packs were handed on", len(fetched))
			}
			if n := strings.Count(got.summary, "what this page means"); n != 1 {
				t.Errorf("the verdict is on the page %d times", n)
			}
		})
	}

	t.Run("one killed", func(t *testing.T) {
		c := newConsumer(t, reports)
		event := c.pullRequest(edits{"README.md": "# Nothing that evidence rests on\n"})
		c.machines = newMachines(t, "replay-gate-part-3-of-4")
		got := c.run(event)
		if got.exit != 3 || got.outputs["exit-code"] != "3" || got.outputs["verdict"] != "unchecked" {
			t.Errorf("exit %d, outputs %v", got.exit, got.outputs)
		}
		if !strings.Contains(got.log, "shard 3/4 is missing") {
			t.Error("the log does not name the shard that is missing")
		}
	})
}

func bundlesIn(t *testing.T, outputs map[string]string) int {
	t.Helper()
	var list []any
	if err := json.Unmarshal([]byte(outputs["bundles"]), &list); err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// machines are what jobs on machines of their own have in common: the service for artifacts,
// here a folder. GitHub's two actions for it are stood in for.
type machines struct {
	handed string
	flags  []string
}

// newMachines kills the job that hands on the artifact of a name.
func newMachines(t *testing.T, killed string) *machines {
	t.Helper()
	m := &machines{handed: t.TempDir()}
	if err := os.Chmod(m.handed, 0o777); err != nil {
		t.Fatal(err)
	}
	m.flags = []string{"--container-options", "--volume " + m.handed + ":/handed"}
	release, err := os.ReadFile(actionFile(t, ".github/workflows/replay-gate.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, action := range map[string]string{"actions/upload-artifact": fmt.Sprintf(uploads, killed), "actions/download-artifact": downloads} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "action.yml"), []byte(action), 0o644); err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(string(release), name+"@")
		if !ok {
			t.Fatalf("the workflow does not use %s", name)
		}
		m.flags = append(m.flags, "--local-repository", name+"@"+strings.Fields(rest)[0]+"="+dir)
	}
	return m
}

const uploads = `name: Upload
description: Stands in for actions/upload-artifact.
inputs:
  name: { required: true }
  path: { required: true }
  if-no-files-found: {}
runs:
  using: composite
  steps:
    - shell: bash
      env:
        NAME: ${{ inputs.name }}
        FROM: ${{ inputs.path }}
        MISSING: ${{ inputs.if-no-files-found }}
        KILLED: '%s'
      run: |
        if [ "$NAME" = "$KILLED" ]; then kill -9 $$; fi
        if [ ! -d "$FROM" ]; then [ "$MISSING" = ignore ]; exit; fi
        mkdir "/handed/$NAME"
        cp -r "$FROM/." "/handed/$NAME/"
`

const downloads = `name: Download
description: Stands in for actions/download-artifact.
inputs:
  pattern: { required: true }
  path: { required: true }
  merge-multiple: {}
runs:
  using: composite
  steps:
    - shell: bash
      env:
        PATTERN: ${{ inputs.pattern }}
        TO: ${{ inputs.path }}
        MERGE: ${{ inputs.merge-multiple }}
      run: |
        for artifact in /handed/$PATTERN; do
          [ -d "$artifact" ] || continue
          mkdir -p "$TO"
          if [ "$MERGE" = true ]; then artifact=$artifact/.; fi
          cp -r "$artifact" "$TO/"
        done
`
