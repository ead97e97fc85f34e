package ahd

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// now is when the tests judge: after every run they record.
var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// Inputs whose hashes can be written down from the contract alone: SHA-256 of
// the canonical JSON, or of the bytes.
const (
	tokenText  = "# ink\nname: Quiet\nid: quiet\n"
	tokenValue = `{"id":"quiet","name":"Quiet"}`
	briefText  = "# Poster\n\nTwo inks.\n"
)

func sha(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// sidecarPath is where the sidecar under test lies.
const sidecarPath = "docs/run.replay.json"

// valid is a sidecar in which every check is ok. Its lines are numbered by the
// cases that expect a place.
var valid = strings.NewReplacer("TOKEN", sha(tokenValue), "BRIEF", sha(briefText)).Replace(`{
  "schema_version": 1,
  "kind": "eval-live",
  "ahd_version": "0.11.0",
  "ahd_commit": "0123456789abcdef0123456789abcdef01234567",
  "git_dirty": false,
  "node_version": "v22.22.2",
  "platform": "darwin-arm64",
  "invoked_at": "2026-04-22T23:52:25.380Z",
  "argv": ["node", "/w/ahd/bin/ahd.js", "eval-live", "quiet", "--brief", "briefs/poster.md", "--models", "cf:m-1,m-2", "--n", "30", "--report", "docs/run.md"],
  "token": {
    "path": "tokens/quiet.yml",
    "hash": "TOKEN"
  },
  "brief": {
    "path": "briefs/poster.md",
    "hash": "BRIEF"
  },
  "sampling": {"n": 30, "temperature": null, "seed": 7},
  "models": [
    {"id": "m-1", "provider": "p", "provider_request_ids": ["req_secret_1", "req_secret_2"]},
    {"id": "m-2", "provider": "p", "provider_request_ids": []}
  ],
  "conditions": {"requested": ["raw", "compiled"], "effective": ["raw", "compiled"]}
}
`)

// repo is a tree that holds the valid sidecar and what it needs.
func repo() fstest.MapFS {
	return tree(map[string]string{
		sidecarPath:        valid,
		"docs/run.md":      "# run\n",
		"tokens/quiet.yml": tokenText,
		"briefs/poster.md": briefText,
	})
}

func tree(files map[string]string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// edited is repo with one replacement made in the sidecar.
func edited(t *testing.T, old, with string) fstest.MapFS {
	t.Helper()
	if strings.Count(valid, old) != 1 {
		t.Fatalf("the sidecar holds %q %d times", old, strings.Count(valid, old))
	}
	fsys := repo()
	fsys[sidecarPath] = &fstest.MapFile{Data: []byte(strings.Replace(valid, old, with, 1))}
	return fsys
}

func check(fsys fstest.MapFS) verify.Result {
	return checkAt(fsys, sidecarPath)
}

func checkAt(fsys fstest.MapFS, path string) verify.Result {
	return Format{}.Verify(context.Background(), &verify.Evidence{Path: path, Tree: verify.NewTree(fsys), Now: verify.At(now)})
}

// bad writes the checks that are neither ok nor info, one a line, as
// "FAIL field code line:column".
func bad(r verify.Result) string {
	var b strings.Builder
	for _, c := range r.Checks {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			fmt.Fprintf(&b, "%s %s %s %d:%d\n", c.Status, c.Field, c.Code, c.Location.Line, c.Location.Column)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// row is the check of a field.
func row(t *testing.T, r verify.Result, field string) verify.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", field, r.Checks)
	return verify.Check{}
}
