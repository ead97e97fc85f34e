package pin

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// envelope signs a statement, as far as anybody here can tell.
func envelope(t testing.TB, statement []byte) *fstest.MapFile {
	t.Helper()
	text, err := json.MarshalIndent(map[string]any{
		"payloadType": payloadType, "payload": base64.StdEncoding.EncodeToString(statement),
		"signatures": []map[string]string{{"keyid": "", "sig": "MEUCIQ"}},
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: text}
}

// The payload of an envelope is checked, and its signature is not (issue 16, Checking).
func TestEnvelope(t *testing.T) {
	t.Parallel()
	fsys := pinned(t, repo(), request())
	fsys[pinPath] = envelope(t, fsys[pinPath].Data)
	r := check(t, fsys)
	if s := said(r); s != "info signature not-verified" {
		t.Error(s)
	}
	want := "cosign verify-blob-attestation --key cosign.pub --type " + linkType + " --signature " + pinPath + " " + reportPath
	if c := row(t, r, "signature"); strings.Join(c.Command, " ") != want {
		t.Errorf("%q", c.Command)
	}
	if c := row(t, r, "subject:evals/report.md"); c.Location.Line == 0 {
		t.Errorf("%+v", c)
	}
	s := said(check(t, write(fsys, map[string]string{reportPath: "# 50 of 50\n"})))
	if s != "info signature not-verified\nFAIL subject:evals/report.md edited" {
		t.Error(s)
	}
	bundle := `{"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "dsseEnvelope": ` + string(fsys[pinPath].Data) + `}`
	if s := said(check(t, write(fsys, map[string]string{pinPath: bundle}))); s != "info signature not-verified" {
		t.Error(s)
	}
	for text, want := range map[string]string{
		`{"payloadType": "application/vnd.in-toto+json", "payload": "%%"}`:   "FAIL payload malformed-payload",
		`{"payloadType": "application/vnd.in-toto+json", "payload": 1}`:      "FAIL payload malformed-payload",
		`{"payloadType": "application/vnd.in-toto+json", "payload": "eyI="}`: "FAIL payload truncated",
		`{"payloadType": "application/vnd.in-toto+json", "payload": "W10="}`: "FAIL payload wrong-type",
		`{"payloadType": "text/plain", "payload": "in-toto.io/Statement"}`:   "FAIL payloadType not-a-statement",
		`{"payload": "e30=", "x": "in-toto.io/Statement"}`:                   "FAIL payloadType not-a-statement",
		`{"payloadType": "application/vnd.in-toto+json"}`:                    "FAIL payload malformed-payload",
	} {
		r := check(t, write(fsys, map[string]string{pinPath: text}))
		if s := said(r); s != want || r.Unchecked == "" {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
	}
}

// SLSA provenance: subjects and dependencies that are files of the tree are checked, and
// the rest is listed.
func TestProvenance(t *testing.T) {
	t.Parallel()
	sum := func(text string) string { return sumsOf([]byte(text)).sha256 }
	fsys := tree(map[string]string{"out/a.txt": "A", "in/b.txt": "B"})
	write := func(dependencies string) verify.Result {
		f := write(fsys, map[string]string{"out/a.pin.json": `{"_type": "https://in-toto.io/Statement/v1",
			"subject": [{"name": "out/a.txt", "digest": {"sha256": "` + sum("A") + `"}}, {"name": "pkg:oci/x", "digest": {"sha256": "` + sum("A") + `"}}],
			"predicateType": "https://slsa.dev/provenance/v1",
			"predicate": {"buildDefinition": {"resolvedDependencies": ` + dependencies + `}}}`})
		return checkAt(t, f, "out/a.pin.json")
	}
	for _, tc := range []struct{ dependencies, want string }{
		{`[{"name": "in/b.txt", "digest": {"sha256": "` + sum("B") + `"}}]`, ""},
		{`[{"name": "in/b.txt", "digest": {"sha256": "` + sum("C") + `"}}]`, "FAIL dependency:in/b.txt hash-differs"},
		{`[{"name": "in/c.txt", "digest": {"sha256": "` + sum("C") + `"}}]`, "FAIL dependency:in/c.txt dependency-missing"},
		{`[{"uri": "git+https://example.com/x", "digest": {"gitCommit": "00"}}]`, "info dependency: not-local"},
		{`[{"name": "in/b.txt", "digest": {"gitCommit": "00"}}]`, "FAIL dependency:in/b.txt.digest unknown-digest"},
		{`[{"name": "step", "digest": {"gitCommit": "00"}}]`, "info dependency:step unknown-digest"},
		{`[{"name": "in/b.txt", "uri": "git+https://example.com/x", "digest": {"sha256": "` + sum("C") + `"}}]`, "FAIL dependency:in/b.txt hash-differs"},
		{`[{"name": "in/c.txt", "uri": "git+https://example.com/x", "digest": {"sha256": "` + sum("C") + `"}}]`, "info dependency:in/c.txt not-local"},
		{`[{"name": "in/b.txt", "digest": {"sha256": "00"}}]`, "FAIL dependency:in/b.txt.digest malformed-digest"},
		{`[1]`, "FAIL resolvedDependencies[0] wrong-type"},
		{`{}`, "FAIL resolvedDependencies wrong-type"},
	} {
		want := strings.TrimSuffix("info subject:pkg:oci/x not-local\n"+tc.want, "\n")
		if s := said(write(tc.dependencies)); s != want {
			t.Errorf("%s: %s, want %s", tc.dependencies, s, want)
		}
	}
}

// A statement that names nothing of this tree is unchecked, never ok (DESIGN, section 2).
func TestNothingChecked(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 64)
	fsys := tree(map[string]string{"a.pin.json": `{"_type": "https://in-toto.io/Statement/v1",
		"subject": [{"name": "https://example.com/x", "digest": {"sha256": "` + zeros + `"}}],
		"predicateType": "https://example.com/predicate", "predicate": {}}`})
	r := checkAt(t, fsys, "a.pin.json")
	if s := said(r); !strings.HasSuffix(s, "FAIL evidence nothing-checked") || r.Unchecked == "" {
		t.Errorf("%q\n%s", r.Unchecked, s)
	}
}

// What a result needs stands in its inputs: subjects first, then what was read.
func TestInputs(t *testing.T) {
	t.Parallel()
	r := check(t, write(pinned(t, repo(), request()), map[string]string{"evals/prompts/new.md": "New.\n"}))
	var got []string
	for _, in := range r.Inputs {
		got = append(got, in.Role+" "+in.Path)
		wantField := in.Role == roleInput || in.Role == roleSubject
		if in.Subject != (in.Role == roleSubject) || (in.Hash != "") != wantField || (in.Hashes == verify.HashRaw) != wantField {
			t.Errorf("%+v", in)
		}
	}
	want := []string{"subject evals/report.md", "input evals/cases.json", "input evals/config.yml", "input evals/prompts/answer.md",
		"input evals/prompts/ask.md", "input pyproject.toml", "note uv.lock", "new evals/prompts/new.md"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if key := r.Inputs[2].Key; key != "model,temperature" {
		t.Errorf("key %q", key)
	}
}
