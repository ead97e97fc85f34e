package bundle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// fuzzLimits keep one execution small, whatever the input claims.
func fuzzLimits() Limits {
	return Limits{
		Source: 1 << 20, Decoded: 4 << 20, Manifest: 64 << 10, Member: 1 << 20,
		Path: 256, Entries: 1000, Depth: 64, Values: 10_000, Headers: 16 << 10, Memory: 64 << 10,
	}
}

// Whatever the bytes are: a typed error or an archive whose parts agree with each
// other, and the same answer from Check.
func FuzzRead(f *testing.F) {
	v1, err := os.ReadFile("../testdata/bundle/assay-v1.tar.gz")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(v1)
	for _, c := range malformed(f) {
		if len(c.data) < 64<<10 {
			f.Add(c.data)
		}
	}
	b, err := Build(fixtureSource(fixtureFiles()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data) })
}

// FuzzTar is FuzzRead behind the compression, which hides most changes from the
// fuzzer.
func FuzzTar(f *testing.F) {
	for _, c := range malformed(f) {
		if zr, err := decompress(bytes.NewReader(c.data)); err == nil {
			if inner, err := io.ReadAll(io.LimitReader(zr, 64<<10)); err == nil {
				f.Add(inner)
			}
		}
	}
	b, err := Build(fixtureSource(fixtureFiles()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(gunzip(f, b.Bytes()))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, gzipOf(t, data)) })
}

func checkRead(t *testing.T, data []byte) {
	res := Check(bytes.NewReader(data), "b", fuzzLimits())
	a, err := Read(bytes.NewReader(data), fuzzLimits())
	if err != nil {
		var fe *FormatError
		if !errors.As(err, &fe) && asLimit(err) == nil {
			t.Fatalf("untyped error %v", err)
		}
		if res.Count(verify.Fail) == 0 {
			t.Fatalf("Read says %v, and Check finds nothing", err)
		}
		return
	}
	defer a.Close()
	if res.Unchecked != "" || res.SHA256 != a.Digest || a.Digest != digest(data) {
		t.Fatalf("Read reads what Check calls %q; digests %s, %s", res.Unchecked, res.SHA256, a.Digest)
	}
	fails := 0
	for _, c := range a.Findings {
		if c.Status == verify.Fail {
			fails++
		}
	}
	for _, c := range res.Checks {
		if c.Field == FieldSecrets && c.Status == verify.Fail {
			fails++ // only Check looks for secrets
		}
	}
	if n := res.Count(verify.Fail); n != fails {
		t.Fatalf("Check counts %d FAILs, Read %d", n, fails)
	}
	for i, e := range a.Entries {
		content, err := e.bytes()
		if err != nil || digest(content) != e.SHA256 {
			t.Fatalf("%q: %v", e.Name, err)
		}
		if name, err := normalizeName(e.Name); err != nil || name != e.Name || i > 0 && a.Entries[i-1].Name >= name {
			t.Fatalf("entry %q: %v", e.Name, err)
		}
	}
	for _, name := range verify.NewTree(a.FS()).Files() {
		if !fs.ValidPath(name) {
			t.Fatalf("path %q", name)
		}
	}
}

// A manifest is refused, or is what its own encoding reads as.
func FuzzManifest(f *testing.F) {
	for _, c := range malformed(f) {
		if zr, err := decompress(bytes.NewReader(c.data)); err == nil {
			if inner, err := io.ReadAll(io.LimitReader(zr, 1<<20)); err == nil && len(inner) > 2*block {
				if text, _, ok := bytes.Cut(inner[block:], []byte{0}); ok {
					f.Add(text)
				}
			}
		}
	}
	for _, s := range []string{
		minimal, adequate, "", "{}", "null", strings.Repeat("[", 65), `{"schema_version":1,"schema_version":1,"assay_version":"x"}`,
		`{"schema_version":1,"assay_version":"x","files":{"files/x":{"sha256":"a","size":1,"mode":420,"content_type":"c"}}}`,
		`{"schema_version":1,"assay_version":"\u2028\\u2028\ud800","replay_coverage":{"complete_tests":["a"],"incomplete_tests":[],"reason":{"a":"b"}}}`,
	} {
		f.Add([]byte(s))
	}
	b, err := Build(fixtureSource(fixtureFiles()))
	if err != nil {
		f.Fatal(err)
	}
	full, err := b.Manifest.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _, wrong, err := parseManifest(data, fuzzLimits())
		if err != nil {
			if asLimit(err) == nil {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if len(wrong) > 0 {
			return
		}
		first, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, unknown, wrong, err := parseManifest(first, fuzzLimits())
		if err != nil || len(wrong) > 0 || len(unknown) > 0 {
			t.Fatalf("own encoding %s: %v, %v, %v", first, err, wrong, unknown)
		}
		second, err := again.encode()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s reads as %s, %v", first, second, err)
		}
	})
}

// Whatever manifest and summary say: a typed error, or an outcome that its own
// lists explain. Files come from elsewhere, so that a digest that holds is no luck.
func FuzzReplay(f *testing.F) {
	const evidence = "in/one sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed\n"
	const gate = `,"replay_gate":{"evidence":"e.pins","kind":"pins","strict":false}}`
	const head = `{"schema_version":1,"assay_version":"1","outputs":{"summary":"outputs/summary.json"}`
	const record = `{"record":{"kind":"pins","evidence":"e.pins","verdict":"intact","checks":[{"field":"in/one","status":"ok","input":"in/one"}]}}`
	f.Add([]byte(head+gate), []byte(record))
	f.Add([]byte(head+`,"replay_coverage":{"complete_tests":[],"incomplete_tests":["in/one","input pin %41","input  ","x"],"reason":{"x":"y"}}`+gate), []byte(record))
	f.Add([]byte(head+`,"created_at":"9999-12-31T23:59:59Z","git_sha":"x\u001b[2J","git_dirty":true,"files":{"files/none":{"sha256":"","size":0}}`+gate), []byte(`{"record":{}}`))
	f.Add([]byte(head+`}`), []byte(`{"record":{"kind":"pins","checks":null}}`))
	f.Add([]byte(head+`,"paths":{"files/inputs/in/one":"%2e%2e/x"}`+gate), []byte("[]"))
	f.Fuzz(func(t *testing.T, manifest, summary []byte) {
		data := archiveOf(t, file("files/evidence/e.pins", evidence), file("files/inputs/in/one", "one"), file(summaryName, string(summary)), file(manifestName, string(manifest)))
		a, err := Read(bytes.NewReader(data), fuzzLimits())
		if err != nil {
			return
		}
		defer a.Close()
		r, err := Replay(context.Background(), a, []verify.Format{pins{}}, ReplayOptions{Records: testRecords})
		var fe *FormatError
		switch {
		case errors.As(err, &fe), asLimit(err) != nil:
			return
		case err != nil:
			t.Fatalf("untyped error %v", err)
		}
		want := Holds
		if len(r.Missing) > 0 {
			want = MissingDependency
		} else if len(r.Differences) > 0 {
			want = Differs
		}
		if r.Outcome != want || r.Outcome != MissingDependency && (r.Recorded == nil || r.Observed == nil) {
			t.Fatalf("%+v", r)
		}
		for _, m := range r.Missing {
			if m.Why == "" || m.Where == "" {
				t.Fatalf("%+v explains nothing", m)
			}
		}
	})
}
