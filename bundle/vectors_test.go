package bundle

import (
	"bytes"
	"os"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// The vectors of Assay's own tests (crates/assay-core, replay/bundle/tests);
// testdata/bundle/README.md says where they come from.

// V1: golden_digest_snapshot. The archive is read and checked, and our writer
// makes the same tar from the same values.
func TestVectorGoldenDigestSnapshot(t *testing.T) {
	archive, err := os.ReadFile("../testdata/bundle/assay-v1.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := digest(archive), "sha256:e982d2dd1d7cf56df6b417c7af1bc3f7f334ecfc47298bf5d240f4485f3b7a7c"; got != want {
		t.Fatalf("the vector is %s, want %s", got, want)
	}
	a := mustRead(t, archive)
	if a.Digest != digest(archive) {
		t.Errorf("digest of the source: %s", a.Digest)
	}
	if a.Manifest.AssayVersion != "2.15.0" || len(a.Entries) != 1 || a.Entries[0].Name != "files/trace.jsonl" {
		t.Errorf("read %+v, %+v", a.Manifest, a.Entries)
	}
	if data, err := a.Entries[0].bytes(); err != nil || string(data) != "[]" {
		t.Errorf("trace: %q, %v", data, err)
	}
	// Assay accepts it. By Replay Bundle v1, section 3.3, it lacks the minimum,
	// and it lists no file: those two rows, and no other, say so.
	for _, c := range Check(bytes.NewReader(archive), "v1", DefaultLimits()).Checks {
		bad := c.Status == verify.Fail || c.Status == verify.Warn
		expected := c.Field == "minimum contents" || c.Field == "manifest.files" || c.Field == `files["files/trace.jsonl"]`
		if bad != expected {
			t.Errorf("unexpected row %+v", c)
		}
	}

	manifest, err := (&Manifest{SchemaVersion: 1, AssayVersion: "2.15.0", ScrubPolicy: assayScrubPolicy()}).encode()
	if err != nil {
		t.Fatal(err)
	}
	checkTar(t, manifest, map[string]string{"files/trace.jsonl": "[]"}, 3072,
		"sha256:ac15f205e0b40d299934febe78549abbfbe5156cadb31e2bb31d8b4fe51da5a5")
}

// V2: audit_full_manifest_and_canonical_layout.
func TestVectorFullManifest(t *testing.T) {
	dirty, version := false, uint32(1)
	m := Manifest{
		SchemaVersion: 1, AssayVersion: "2.15.0", CreatedAt: "2025-01-27T12:00:00Z",
		SourceRunPath: ".assay/run_abc123", SelectionMethod: "run-id",
		GitSHA: "a1b2c3d4e5f6", GitDirty: &dirty, TracePath: "files/trace.jsonl",
		Outputs: &OutputPaths{Run: "outputs/run.json", Summary: "outputs/summary.json"},
		Seeds:   &Seeds{SeedVersion: &version, OrderSeed: "42"},
		Coverage: &Coverage{
			Complete: []string{"test_a"}, Incomplete: []string{"test_b"},
			Reason: map[string]string{"test_b": "judge response not cached"},
		},
		ScrubPolicy: assayScrubPolicy(),
	}
	manifest, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	if got := digest(manifest); len(manifest) != 545 || got != "sha256:4acc9eb7d5f0257de04d8800e09fa771f59a999668e063443825432ed1ca3fd9" {
		t.Errorf("manifest of %d bytes, %s:\n%s", len(manifest), got, manifest)
	}
	checkTar(t, manifest, map[string]string{
		"cassettes/.gitkeep": "", "files/trace.jsonl": "[]", "outputs/run.json": "{}", "outputs/summary.json": "{}",
	}, 6144, "sha256:05de4045e51917d211b5fdf40450405c10bc8e3d521be6be2c5dc83a05723782")
}

// assayScrubPolicy is what Assay's own command writes, whatever was scrubbed.
func assayScrubPolicy() *ScrubPolicy {
	include, scrub := false, true
	return &ScrubPolicy{IncludePrompts: &include, ScrubCassettes: &scrub, Name: "default"}
}

func checkTar(t *testing.T, manifest []byte, files map[string]string, size int, want string) {
	t.Helper()
	var entries []Entry
	for name, data := range sorted(files) {
		entries = append(entries, Entry{Name: name, Size: int64(len(data)), at: bytes.NewReader([]byte(data))})
	}
	var buf bytes.Buffer
	if err := writeTar(&buf, manifest, entries); err != nil {
		t.Fatal(err)
	}
	if got := digest(buf.Bytes()); buf.Len() != size || got != want {
		t.Errorf("tar of %d bytes, %s; want %d bytes, %s", buf.Len(), got, size, want)
	}
}

// The gzip header is ten bytes without name, time or flags (Assay's
// replay/bundle/io: mtime 0, OS 255).
func TestGzipHeader(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	if got := b.Bytes()[:10]; string(got) != "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" {
		t.Errorf("header % x", got)
	}
}

// A bundle that Assay's own command wrote: every rule holds, and it can't be
// replayed, because what judges it is Assay's engine (issue "replay").
func TestVectorCreatedByAssay(t *testing.T) {
	archive, err := os.ReadFile("../testdata/bundle/assay-created.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := digest(archive), "sha256:72e84615ee98e50178c873c3f9681bc793d59e273ae21e341cf2da9adbef40fd"; got != want {
		t.Fatalf("the vector is %s, want %s", got, want)
	}
	for _, c := range Check(bytes.NewReader(archive), "created", DefaultLimits()).Checks {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			t.Errorf("unexpected row %+v", c)
		}
	}
	r := mustReplay(t, mustRead(t, archive))
	if r.Outcome != MissingDependency || r.Digests != 4 || len(r.Missing) != 1 || r.Missing[0].Where != "assay replay --bundle repeats it" {
		t.Errorf("%+v", r)
	}
}
