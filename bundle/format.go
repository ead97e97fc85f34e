package bundle

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Format is a replay bundle that is committed, as a kind of evidence: each rule
// of [Check] is a row.
type Format struct{}

// Kind is [Kind].
func (Format) Kind() string { return Kind }

// Title is "replay bundle".
func (Format) Title() string { return "replay bundle" }

// Patterns matches what lies where bundles are written (Replay Bundle v1,
// section 2), and the legacy name.
func (Format) Patterns() []string {
	return []string{"**/.assay/bundles/*.tar.gz", "**/.assay/replay.bundle"}
}

// Inputs is empty: a bundle holds what it needs.
func (Format) Inputs(*verify.Evidence) []string { return nil }

// Verify checks the bundle at e.Path.
func (Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxInput)
	if err != nil {
		reason := "could not be read: " + err.Error()
		return verify.Result{Unchecked: reason, Checks: []verify.Check{{
			Field: "evidence", Status: verify.Fail, Code: "unreadable", Reason: reason,
			Location: verify.Location{Path: e.Path},
		}}}
	}
	r := Check(bytes.NewReader(data), e.Path, DefaultLimits())
	r.SHA256 = digest(data)
	r.Recording.Name = strings.TrimSuffix(path.Base(e.Path), ".tar.gz")
	return r
}
