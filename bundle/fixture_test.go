package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// The fixture is a repository with one sidecar, its two inputs and its report,
// and the verdict on it. Nothing in it is a real recording.
const (
	sidecarPath = "docs/evals/2026-04-22-swiss.replay.json"
	reportPath  = "docs/evals/2026-04-22-swiss.md"
	tokenPath   = "tokens/swiss.yml"
	briefPath   = "briefs/landing.yml"
)

func fixtureFiles() fstest.MapFS {
	return fstest.MapFS{
		sidecarPath: {Data: []byte(`{"schema_version":1,"kind":"eval-live"}` + "\n")},
		reportPath:  {Data: []byte("# swiss\n")},
		tokenPath:   {Data: []byte("name: swiss\ngrid: 12\n")},
		briefPath:   {Data: []byte("page: landing\n")},
	}
}

func fixtureResult(files fstest.MapFS) verify.Result {
	return verify.Result{
		Path: sidecarPath, Kind: "ahd", SHA256: digest(files[sidecarPath].Data),
		Checks: []verify.Check{
			{Field: "schema_version", Status: verify.OK, Recorded: "1"},
			{Field: "ahd_version", Status: verify.Warn, Code: "odd", Reason: "odd", Recorded: "0.8.3"},
			{Field: "token.hash", Status: verify.OK, Recorded: "sha256:aa", Observed: "sha256:aa", Input: tokenPath},
			{Field: "brief.hash", Status: verify.OK, Recorded: "sha256:bb", Observed: "sha256:bb", Input: briefPath},
			{Field: "backfilled", Status: verify.Info, Reason: "not backfilled"},
		},
		Inputs: []verify.Input{
			{Role: "token", Path: tokenPath, Place: verify.PlaceInputs},
			{Role: "brief", Path: briefPath, Place: verify.PlaceInputs},
			{Role: "report", Path: reportPath, Place: verify.PlaceReport},
		},
		Recording: verify.Recording{
			Name: "2026-04-22-swiss", Tool: "ahd", ToolVersion: "0.8.3", RunKind: "eval-live",
			Platform: "darwin-arm64", Runtime: "v22.22.2", Seed: "42",
		},
	}
}

func fixtureSource(files fstest.MapFS) Source {
	return Source{
		Result: fixtureResult(files), Tree: verify.NewTree(files),
		GitSHA: strings.Repeat("ab", 20), Created: time.Date(2026, 4, 23, 10, 0, 0, 0, time.UTC),
		Outputs: Outputs{
			Summary: []byte(`{"verdict":"intact"}`), JUnit: []byte("<testsuite/>"), SARIF: []byte("{}"),
			HTML: []byte("<!doctype html>"),
		},
	}
}

func mustBuild(t *testing.T, src Source) *Bundle {
	t.Helper()
	b, err := Build(src)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustRead(t *testing.T, data []byte) *Archive {
	t.Helper()
	a, err := Read(bytes.NewReader(data), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// raw is an entry of an archive that is made for a test, with the standard
// library's writers: they share no code with ours.
type raw struct {
	header tar.Header
	data   string
}

func file(name, data string) raw {
	return raw{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Format: tar.FormatPAX}, data}
}

// minimal is the smallest manifest that Assay parses, and one that says enough
// to be a bundle by Replay Bundle v1, section 3.3.
const (
	minimal  = `{"schema_version":1,"assay_version":"5.4.0"}`
	adequate = `{"schema_version":1,"assay_version":"5.4.0","trace_digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}`
)

func tarOf(t testing.TB, entries ...raw) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, e := range entries {
		h := e.header
		if h.Size == 0 {
			h.Size = int64(len(e.data))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func gzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func archiveOf(t testing.TB, entries ...raw) []byte {
	t.Helper()
	return gzipOf(t, tarOf(t, entries...))
}

func gunzip(t testing.TB, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func row(t *testing.T, checks []verify.Check, field string) verify.Check {
	t.Helper()
	for _, c := range checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no row %q in %+v", field, checks)
	return verify.Check{}
}
