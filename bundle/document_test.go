package bundle

import (
	"bytes"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Replay Bundle v1, section 3.4: the example has its trace under traces/ and its outputs
// under reports/, which section 3 ("Canonical layout prefixes for data files: files/,
// outputs/, cassettes/") and Assay's reader refuse. So does check, with a sentence that names
// the sections.
func TestDocumentsOwnManifest(t *testing.T) {
	t.Parallel()
	const manifest = `{"schema_version":1,"created_at":"2026-01-28T14:00:00Z","assay_version":"2.12.0",` +
		`"trace_path":"traces/run.jsonl","outputs":{"junit":"reports/junit.xml","sarif":"reports/sarif.json","summary":"reports/summary.json"},` +
		`"env":{"runner":"ubuntu-latest","os":"linux"}}`
	res := Check(bytes.NewReader(archiveOf(t, file(manifestName, manifest))), "b", DefaultLimits())
	for _, field := range []string{"manifest.trace_path", "manifest.outputs.junit", "manifest.outputs.sarif", "manifest.outputs.summary"} {
		c := row(t, res.Checks, field)
		if c.Status != verify.Fail || c.Code != "bad-path" || !strings.Contains(c.Reason, "the example of section 3.4 is older") {
			t.Errorf("%s: %+v", field, c)
		}
	}
	// "env: Environment metadata (legacy/free-form)" (section 3.1) is no reason to refuse.
	for _, c := range res.Checks {
		if strings.HasPrefix(c.Field, "manifest.env") && c.Status != verify.OK && c.Status != verify.Info {
			t.Errorf("%+v", c)
		}
	}
}
