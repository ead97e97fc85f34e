package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Issue "Bundle": what goes in, where, in which order; every entry is listed.
func TestBuildContents(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	a := mustRead(t, b.Bytes())
	var names []string
	for _, e := range a.Entries {
		names = append(names, e.Name)
	}
	want := []string{
		"files/assay.yaml", "files/evidence/" + sidecarPath, "files/inputs/" + briefPath, "files/inputs/" + tokenPath,
		"files/trace.jsonl", "outputs/junit.xml", "outputs/report.html", "outputs/report/" + reportPath,
		"outputs/sarif.json", "outputs/summary.json",
	}
	if !slices.Equal(names, want) {
		t.Errorf("entries\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	if len(a.Findings) > 0 {
		t.Errorf("findings: %+v", a.Findings)
	}
	if !reflect.DeepEqual(a.Manifest, b.Manifest) {
		t.Errorf("the manifest reads as\n%+v, was\n%+v", a.Manifest, b.Manifest)
	}
	m := a.Manifest
	for _, c := range []struct{ field, got, want string }{
		{"created_at", m.CreatedAt, "2026-04-23T10:00:00Z"},
		{"source_run_path", m.SourceRunPath, sidecarPath},
		{"selection_method", m.SelectionMethod, "explicit-from"},
		{"assay_version", m.AssayVersion, "none (replay-gate, in the format of 5.4.0)"},
		{"config_digest (suite)", m.ConfigDigest, m.Files["files/assay.yaml"].SHA256},
		{"policy_digest", m.PolicyDigest, ""},
		{"trace_digest", m.TraceDigest, m.Files["files/trace.jsonl"].SHA256},
		{"evidence_digest", m.ReplayGate.EvidenceDigest, hashOf(`{"schema_version":1,"kind":"eval-live"}` + "\n")},
		{"inputs", fmt.Sprint(m.ReplayGate.Inputs), fmt.Sprint(map[string]string{
			tokenPath: hashOf("name: swiss\ngrid: 12\n"), briefPath: hashOf("page: landing\n"), reportPath: hashOf("# swiss\n"),
		})},
		{"include_prompts", fmt.Sprint(*m.ScrubPolicy.IncludePrompts), "true"},
		{"trace_path", m.TracePath, "files/trace.jsonl"},
		{"runner", m.Toolchain.Runner.OS + " " + m.Toolchain.Runner.Arch, "macos aarch64"},
		{"order_seed", m.Seeds.OrderSeed, "42"},
		{"complete", fmt.Sprint(m.Coverage.Complete), "[schema_version ahd_version token.hash brief.hash]"},
		{"incomplete", fmt.Sprint(m.Coverage.Incomplete), "[]"},
		{"evidence", m.ReplayGate.Evidence, sidecarPath},
		{"run id", b.RunID, "2026-04-22-swiss-" + strings.TrimPrefix(m.ReplayGate.EvidenceDigest, "sha256:")[:12]},
		{"archive", b.SHA256(), a.Digest},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.field, c.got, c.want)
		}
	}
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// The manifest of the fixture as text: the order of its members, what is left
// out, and how it escapes (notes on Assay's core/manifest.rs).
func TestManifestText(t *testing.T) {
	manifest, err := mustBuildManifest(t).encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(manifest)
	const start = `{"schema_version":1,"assay_version":"none (replay-gate, in the format of 5.4.0)","source_run_path":"a\u0001<&>` + "\u2028" + `\\u2028\"é.json","selection_method":"explicit-from","git_dirty":true,"config_digest":"sha256:`
	if !strings.HasPrefix(text, start) {
		t.Errorf("manifest\n%s\nwant\n%s", text, start)
	}
	for _, absent := range []string{"null", "created_at", "git_sha", "seeds", "toolchain", "policy_digest", "\n", ": "} {
		if strings.Contains(text, absent) {
			t.Errorf("%q in %s", absent, text)
		}
	}
	at := 0
	for _, key := range []string{"trace_path", "replay_coverage", "complete_tests", "incomplete_tests", "scrub_policy", "files", "replay_gate"} {
		i := strings.Index(text, `"`+key+`":`)
		if i < at {
			t.Errorf("%s is at %d, behind what follows it", key, i)
		}
		at = i
	}
}

func mustBuildManifest(t *testing.T) *Manifest {
	t.Helper()
	const name = "a\x01<&>\u2028\\u2028\"é.json"
	files := fstest.MapFS{name: {Data: []byte("{}")}}
	b := mustBuild(t, Source{
		Result: verify.Result{Path: name, SHA256: hashOf("{}")}, Tree: verify.NewTree(files), GitDirty: true,
	})
	return &b.Manifest
}

// Determinism: the same commit and evidence give the same bytes, whatever the
// number of processors, the time zone, the times of the files and Go's map
// order. The hash pins them. It was checked by other means when it was first
// written down: gzip and GNU tar list and unpack the archive, sha256sum agrees
// with its manifest, and Assay 5.4.0 accepts and replays it.
func TestBuildIsDeterministic(t *testing.T) {
	const golden = "sha256:5c80ce1b34a7c862a5d106b18ac4528ba377ded4610d7dd126c2709e1d44ee8b"
	procs, local := runtime.GOMAXPROCS(0), time.Local
	defer func() {
		runtime.GOMAXPROCS(procs)
		time.Local = local
	}()
	for i := range 20 {
		runtime.GOMAXPROCS(1 + i%4)
		time.Local = time.FixedZone("test", i*3600)
		files := fixtureFiles()
		for _, f := range files {
			f.ModTime = time.Unix(int64(i)*1e6, 0)
			f.Mode = os.FileMode(0o600 + i)
		}
		src := fixtureSource(files)
		src.Created = src.Created.In(time.Local)
		if got := mustBuild(t, src).SHA256(); got != golden {
			t.Fatalf("build %d gives %s, want %s", i, got, golden)
		}
	}
}

// A change of anything that belongs to the run changes the bytes.
func TestBuildTellsRunsApart(t *testing.T) {
	seen := map[string]string{mustBuild(t, fixtureSource(fixtureFiles())).SHA256(): "the original"}
	for name, change := range map[string]func(*Source, fstest.MapFS){
		"commit": func(s *Source, _ fstest.MapFS) { s.GitSHA = strings.Repeat("cd", 20) },
		"dirty":  func(s *Source, _ fstest.MapFS) { s.GitDirty = true },
		"time":   func(s *Source, _ fstest.MapFS) { s.Created = s.Created.Add(time.Second) },
		"strict": func(s *Source, _ fstest.MapFS) { s.Strict = true },
		"token":  func(_ *Source, f fstest.MapFS) { f[tokenPath].Data = []byte("name: other\n") },
		"status": func(s *Source, _ fstest.MapFS) { s.Result.Checks[0].Status = verify.Fail },
	} {
		files := fixtureFiles()
		src := fixtureSource(files)
		change(&src, files)
		sum := mustBuild(t, src).SHA256()
		if other, ok := seen[sum]; ok {
			t.Errorf("%s gives the bytes of %s", name, other)
		}
		seen[sum] = name
	}
}

// No absolute path, no name of the machine, no clock.
func TestBuildLeaksNothing(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	content := string(gunzip(t, mustBuild(t, fixtureSource(fixtureFiles())).Bytes()))
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{wd, os.TempDir() + "/", filepath.Dir(wd), host, time.Now().Format("2006-01-02T15")} {
		if len(leak) > 4 && strings.Contains(content, leak) {
			t.Errorf("%q is in the archive", leak)
		}
	}
}

// Replay Bundle v1, section 3.1, replay_coverage: what could not be included
// makes its tests incomplete, with the reason; what is missing in the tree is
// missing in the bundle too, and so complete.
func TestBuildCoverage(t *testing.T) {
	files := fixtureFiles()
	delete(files, briefPath)
	files["big.bin"] = &fstest.MapFile{Data: make([]byte, verify.MaxInput+1)}
	files["dir/x"] = &fstest.MapFile{}
	src := fixtureSource(files)
	src.Result.Inputs[1].Missing = true
	src.Result.Inputs = append(src.Result.Inputs,
		verify.Input{Role: "catalog", Path: "big.bin", Place: verify.PlaceInputs},
		verify.Input{Role: "policy", Path: "dir", Place: verify.PlaceInputs},
		verify.Input{Role: "report", Path: reportPath, Place: verify.PlaceReport}, // twice
		verify.Input{Role: "odd", Path: "dir/x", Place: "elsewhere"},
		verify.Input{Role: "token", Path: "", Missing: true, Place: verify.PlaceInputs})
	src.Result.Checks = append(src.Result.Checks, verify.Check{Field: "catalog.hash", Status: verify.OK, Input: "big.bin"})
	m := mustRead(t, mustBuild(t, src).Bytes()).Manifest
	if got := fmt.Sprint(m.Coverage.Complete); got != "[schema_version ahd_version token.hash brief.hash]" {
		t.Errorf("complete: %s", got)
	}
	if got := fmt.Sprint(m.Coverage.Incomplete); got != "[catalog.hash input policy dir input odd dir/x]" {
		t.Errorf("incomplete: %s", got)
	}
	for id, want := range map[string]string{
		"catalog.hash":     "left out: the file is larger than 64 MiB (67108865 bytes)",
		"input policy dir": "left out: the file is a folder",
		"input odd dir/x":  `left out: "elsewhere" is no folder of a bundle`,
	} {
		if got := m.Coverage.Reason[id]; got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if m.ConfigDigest == "" || m.PolicyDigest != "" {
		t.Errorf("digests of token %q and of the missing brief %q", m.ConfigDigest, m.PolicyDigest)
	}
}

// A bundle is bounded: what would make it larger is left out, and said.
func TestBuildIsBounded(t *testing.T) {
	files := fixtureFiles()
	src := fixtureSource(files)
	for i := range 3 {
		name := fmt.Sprintf("in/%d", i)
		files[name] = &fstest.MapFile{Data: make([]byte, maxContent/2)}
		src.Result.Inputs = append(src.Result.Inputs, verify.Input{Role: "x", Path: name, Place: verify.PlaceInputs})
	}
	b := mustBuild(t, src)
	if got := fmt.Sprint(b.Manifest.Coverage.Incomplete); got != "[input x in/1 input x in/2]" {
		t.Errorf("incomplete: %s", got)
	}
}

func TestBuildRefuses(t *testing.T) {
	files := fixtureFiles()
	src := fixtureSource(files)
	files[sidecarPath].Data = []byte("{}")
	if _, err := Build(src); err == nil || !strings.Contains(err.Error(), "changed since") {
		t.Errorf("changed evidence: %v", err)
	}
	delete(files, sidecarPath)
	var re *verify.ReadError
	if _, err := Build(fixtureSourceOf(src, files)); !errors.As(err, &re) {
		t.Errorf("missing evidence: %v", err)
	}
}

func fixtureSourceOf(src Source, files fstest.MapFS) Source {
	src.Tree = verify.NewTree(files)
	return src
}

// Long and hostile paths are renamed reversibly, and found again.
func TestBuildHostilePaths(t *testing.T) {
	long := strings.Repeat("folder/", 60) + "token.jsonl"
	files := fstest.MapFS{}
	src := fixtureSource(fixtureFiles())
	src.Result.Inputs = nil
	for _, name := range []string{sidecarPath, long, "x/trace.jsonl", "a\\b~%\n.yaml", "assay.yaml", "files/assay.yaml"} {
		files[name] = &fstest.MapFile{Data: []byte("of " + name)}
		if name != sidecarPath {
			src.Result.Inputs = append(src.Result.Inputs, verify.Input{Role: "r", Path: name, Place: verify.PlaceInputs})
		}
	}
	files[sidecarPath] = fixtureFiles()[sidecarPath]
	a := mustRead(t, mustBuild(t, fixtureSourceOf(src, files)).Bytes())
	if len(a.Findings) > 0 || len(a.Manifest.Paths) != 1 {
		t.Errorf("findings %+v, paths %v", a.Findings, a.Manifest.Paths)
	}
	fsys := a.FS()
	for name, f := range files {
		file, err := fsys.Open(name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if data, err := io.ReadAll(file); err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%q holds %q, %v", name, data, err)
		}
	}
	// Assay's replay takes the smallest YAML or JSON name under files/ for the
	// configuration, and the smallest .jsonl for the trace.
	for _, e := range a.Entries {
		lower := strings.ToLower(e.Name)
		if !strings.HasPrefix(e.Name, "files/") {
			continue
		}
		if strings.HasSuffix(e.Name, ".jsonl") && e.Name != traceName {
			t.Errorf("%s would be taken for the trace", e.Name)
		}
		for _, ext := range []string{".yaml", ".yml", ".json"} {
			if strings.HasSuffix(lower, ext) && e.Name < configName {
				t.Errorf("%s would be taken for the configuration", e.Name)
			}
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	src := fixtureSource(fixtureFiles())
	for b.Loop() {
		if _, err := Build(src); err != nil {
			b.Fatal(err)
		}
	}
}

// Issue 12, "One reading": what goes in is compared with what was judged, also where the
// manifest would not show the difference.
func TestBuildOfWhatWasJudged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(fstest.MapFS){
		"an input":        func(m fstest.MapFS) { m[tokenPath] = &fstest.MapFile{Data: []byte("name: swiss\ngrid: 13\n")} },
		"an input gone":   func(m fstest.MapFS) { delete(m, briefPath) },
		"the report":      func(m fstest.MapFS) { m[reportPath] = &fstest.MapFile{Data: []byte("# Swiss\n")} },
		"the evidence":    func(m fstest.MapFS) { m[sidecarPath] = &fstest.MapFile{Data: []byte("{}\n")} },
		"a cassette":      func(m fstest.MapFS) { m["cassettes/a.json"] = &fstest.MapFile{Data: []byte("[]")} },
		"the base's file": func(m fstest.MapFS) { m["base"] = &fstest.MapFile{Data: []byte("2")} },
	} {
		files := fixtureFiles()
		files["cassettes/a.json"] = &fstest.MapFile{Data: []byte("{}")}
		files["base"] = &fstest.MapFile{Data: []byte("1")}
		src := fixtureSource(files)
		src.Cassettes = []string{"cassettes/a.json"}
		src.Base = &BaseSource{Commit: strings.Repeat("cd", 20), Tree: verify.NewTree(files), Names: []string{"base"}}
		for n := range files { // as a judgement does
			for _, tree := range []*verify.Tree{src.Tree, src.Base.Tree} {
				if _, err := tree.ReadFile(n, verify.MaxInput); err != nil {
					t.Fatal(err)
				}
			}
		}
		change(files)
		if b, err := Build(src); !errors.Is(err, ErrChanged) {
			t.Errorf("%s changed: %v, %v", name, b, err)
		}
	}
}
