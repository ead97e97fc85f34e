package gate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/summary"
)

// forge replaces text in one member of a bundle and makes every digest agree, as one would
// who forges it.
func forge(t *testing.T, a *bundle.Archive, member, old, new string) *bundle.Archive {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(a.RawManifest(), &m); err != nil {
		t.Fatal(err)
	}
	files := m["files"].(map[string]any)
	content := make(map[string][]byte)
	for _, e := range a.Entries {
		data, err := io.ReadAll(e.Open())
		if err != nil {
			t.Fatal(err)
		}
		if e.Name == member {
			if !strings.Contains(string(data), old) {
				t.Fatalf("%s does not hold %q", member, old)
			}
			data = []byte(strings.Replace(string(data), old, new, 1))
			f := files[e.Name].(map[string]any)
			f["sha256"], f["size"] = bundle.Digest(data), len(data)
		}
		content[e.Name] = data
	}
	m["trace_digest"] = bundle.Digest(content["files/trace.jsonl"])
	m["config_digest"] = bundle.Digest(content["files/assay.yaml"])
	manifest, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	content["manifest.json"] = manifest
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for name, data := range content {
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	forged, err := bundle.Read(&buf, bundle.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { forged.Close() })
	return forged
}

// Issue 12, "Outputs are vouched for": each could be replaced, with its digest, and check
// and replay were content.
func TestReplayVouchesForOutputs(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	edit(t, g, swissToken, "id:", "was: x\nid:")
	g.Commit("drift")
	r := gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	i := slices.IndexFunc(r.Evidence, func(e summary.Entry) bool { return e.Path == swiss })
	a, _ := readBundle(t, g, &r.Evidence[i])
	for _, tc := range []struct{ member, old, new string }{
		{"outputs/report.html", "FAIL", "ok"},
		{"outputs/junit.xml", "failure", "success"},
		{"outputs/sarif.json", `"error"`, `"note"`},
		{"outputs/summary.json", `"failed": 1`, `"failed": 0`},
		{"outputs/summary.json", `"reason": "`, `"reason": "never mind: `},
		{"outputs/summary.json", `"exit_code": 1`, `"exit_code": 0`},
		{"files/trace.jsonl", "observed", "recorded"},
		{"files/assay.yaml", "must_contain", "must_not_contain"},
	} {
		replayed, err := Replay(context.Background(), forge(t, a, tc.member, tc.old, tc.new), time.Time{})
		if err != nil {
			t.Errorf("%s: %v", tc.member, err)
			continue
		}
		found := slices.ContainsFunc(replayed.Differences, func(d bundle.Difference) bool { return d.Field == tc.member && d.Part == "output" })
		if replayed.Outcome != bundle.Differs || !found {
			t.Errorf("%s, %q: %s, %+v", tc.member, tc.new, replayed.Outcome, replayed.Differences)
		}
	}

	// A name twice is refused, in any JSON of the bundle's own.
	for member, edit := range map[string][2]string{
		"outputs/summary.json": {"{", `{"exit_code": 0,`}, "outputs/sarif.json": {"{", `{"version": "2.1.0",`},
		"files/trace.jsonl": {`{"prompt":`, `{"prompt":"x","prompt":`},
	} {
		_, err := Replay(context.Background(), forge(t, a, member, edit[0], edit[1]), time.Time{})
		if err == nil || !strings.Contains(err.Error(), "more than once") && !strings.Contains(err.Error(), "twice") && !strings.Contains(err.Error(), "uplicate") {
			t.Errorf("%s with a name twice: %v", member, err)
		}
	}

	// What another release rendered is said not to be compared; the commit is never vouched for.
	other := forge(t, a, "outputs/report.html", "FAIL", "ok")
	other.Manifest.ReplayGate.Rendering++
	replayed, err := Replay(context.Background(), other, time.Time{})
	if err != nil || replayed.Outcome != bundle.Holds || replayed.Outputs != 0 || !strings.Contains(strings.Join(replayed.Notes, "\n"), "were not compared") {
		t.Errorf("%+v, %v", replayed, err)
	}
	if !strings.Contains(strings.Join(replayed.Notes, "\n"), "is not proven: replay-gate bundle check --rebuild proves it") {
		t.Errorf("notes %q", replayed.Notes)
	}
}

// What may not go in is left out, and the rows that rest on it are said not to be replayed.
func TestBaseWithASecret(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	secret := "Authorization: Bearer " + strings.Repeat("a1b2", 8)
	edit(t, g, swiss, `"kind": "eval-live"`, `"kind": "eval-live", "x_note": "`+secret+`"`)
	g.Git("commit", "-qam", "a secret")
	g.Git("branch", "-f", "main")
	edit(t, g, swiss, secret, "[REDACTED]")
	edit(t, g, swiss, `"n": 30`, `"n": 31`)
	g.Commit("masked, and rewritten")
	r := gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	i := slices.IndexFunc(r.Evidence, func(e summary.Entry) bool { return e.Path == swiss })
	a, _ := readBundle(t, g, &r.Evidence[i])
	for _, e := range a.Entries {
		data, err := io.ReadAll(e.Open())
		if err != nil || strings.Contains(string(data), "a1b2a1b2") {
			t.Errorf("%s holds the secret (%v)", e.Name, err)
		}
	}
	c := a.Manifest.Coverage
	if len(c.Incomplete) == 0 || !strings.Contains(c.Reason[c.Incomplete[0]], "looks like a secret") {
		t.Errorf("coverage %+v", c)
	}
	replayed, err := Replay(context.Background(), a, time.Time{})
	if err != nil || replayed.Outcome != bundle.MissingDependency {
		t.Errorf("%+v, %v", replayed, err)
	}
}
