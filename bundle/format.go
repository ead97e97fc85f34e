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

// Marks is true of every file: at such a place nothing but a bundle is expected, so what
// does not begin like one is a broken bundle.
func (Format) Marks(string, []byte) bool { return true }

// Verify checks the bundle at e.Path.
func (Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxInput)
	if err != nil {
		return verify.Unreadable(e, "evidence", verify.Recording{}, err)
	}
	r := Check(bytes.NewReader(data), e.Path, DefaultLimits())
	r.SHA256 = digest(data)
	r.Recording.Name = strings.TrimSuffix(path.Base(e.Path), ".tar.gz")
	return r
}
