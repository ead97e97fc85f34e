//go:build interop_assay

package assay

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/bundle"
)

// run runs a program in an empty folder and returns its exit code and all that it
// printed.
func run(t *testing.T, dir, name string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// assay is the command under test; INTEROP_ASSAY names it.
func assay(t *testing.T, args ...string) (int, string) {
	t.Helper()
	bin := os.Getenv("INTEROP_ASSAY")
	if bin == "" {
		t.Fatal("INTEROP_ASSAY names no assay command; start this test with make interop-assay")
	}
	return run(t, t.TempDir(), bin, args...)
}

// gateBinary builds the command line that is checked.
func gateBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "replay-gate")
	if code, out := run(t, ".", "go", "build", "-o", bin, "github.com/replay-gate/replay-gate"); code != 0 {
		t.Fatal(out)
	}
	return bin
}

// repositories are the demo's, one with evidence of every other kind beside it, and
// one in which that evidence was edited.
func repositories(t *testing.T, gate string) []string {
	t.Helper()
	var dirs []string
	for range 3 {
		scratch := t.TempDir()
		cmd := exec.Command(gate, "demo", "-q")
		cmd.Env = append(os.Environ(), "TMPDIR="+scratch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		found, err := filepath.Glob(filepath.Join(scratch, "replay-gate-demo-*"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%q, %v", found, err)
		}
		dirs = append(dirs, found[0])
	}
	testdata := filepath.Join("..", "..", "..", "testdata")
	for i, dir := range dirs[1:] {
		err := errors.Join(
			os.CopyFS(filepath.Join(dir, ".eval-fixtures"), os.DirFS(filepath.Join(testdata, "evalkit/vectors/valid/.eval-fixtures"))),
			os.CopyFS(filepath.Join(dir, "traces"), os.DirFS(filepath.Join(testdata, "aos/vectors/sdk-trace"))),
			os.CopyFS(filepath.Join(dir, "pinned"), os.DirFS(filepath.Join("..", "..", "..", "examples", "pin"))),
			stage(filepath.Join(dir, "pipeline"), i == 1),
			prompted(filepath.Join(dir, "results"), i == 1),
		)
		if err != nil {
			t.Fatal(err)
		}
		vectors, err := filepath.Glob(filepath.Join(testdata, "decision/traces/*.json"))
		if err != nil || len(vectors) == 0 {
			t.Fatalf("%q, %v", vectors, err)
		}
		for _, name := range vectors {
			split(t, name, filepath.Join(dir, "decisions"), i == 1)
		}
	}
	return dirs
}

// stage lays out a DVC pipeline that ran once; edited, its script is another one now.
func stage(dir string, edited bool) error {
	files := map[string]string{
		"dvc.yaml":     "stages:\n  train:\n    cmd: python train.py\n    deps:\n    - train.py\n    outs:\n    - metrics.json:\n        cache: false\n",
		"train.py":     "print('trained')\n",
		"metrics.json": "{\"accuracy\": 0.71}\n",
	}
	pin := func(name string) string {
		return fmt.Sprintf("    - path: %s\n      hash: md5\n      md5: %x\n      size: %d\n", name, md5.Sum([]byte(files[name])), len(files[name]))
	}
	files["dvc.lock"] = "schema: '2.0'\nstages:\n  train:\n    cmd: python train.py\n    deps:\n" + pin("train.py") + "    outs:\n" + pin("metrics.json")
	if edited {
		files["train.py"] = "print('trained again')\n"
	}
	return lay(dir, files)
}

// prompted lays out what promptfoo wrote of one prompt, which is edited now or as it was.
func prompted(dir string, edited bool) error {
	files := map[string]string{"ask.txt": "Ask {{question}}\n", "results.json": `{
  "evalId": "eval-VnB-2026-11-22T02:22:57",
  "results": {"version": 3, "prompts": [{"raw": "Ask {{question}}", "label": "ask.txt: Ask {{question}}", "provider": "echo"}], "results": []},
  "config": {"prompts": ["file://ask.txt"], "providers": ["echo"]}
}
`}
	if edited {
		files["ask.txt"] = "Ask {{question}} twice\n"
	}
	return lay(dir, files)
}

func lay(dir string, files map[string]string) error {
	err := os.MkdirAll(dir, 0o755)
	for name, content := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return err
}

// split lays a vector out as evidence and snapshot, as a user has them; edited, the
// snapshot is not the one that was recorded.
func split(t *testing.T, name, dir string, edited bool) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var vector map[string]json.RawMessage
	if err := json.Unmarshal(data, &vector); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".json"))
	decision := vector["result"]
	if edited {
		decision = bytes.Replace(decision, []byte("-v4-pro"), []byte("-v4-prx"), 1)
	}
	err = errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(base+".decision.json", decision, 0o644), os.WriteFile(base+".snapshot.json", vector["snapshot"], 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// Issue "Accepted by Assay": `assay bundle verify` says OK for every bundle that we
// write, and `assay replay` comes to our verdict: 0 for intact, 1 for drift. Where
// an input was left out it says so with exit code 2, as ours does.
func TestAssayComesToOurVerdict(t *testing.T) {
	gate := gateBinary(t)
	seen := make(map[string]int)
	for _, dir := range repositories(t, gate) {
		if code, out := run(t, dir, gate, "gate", "--scope", "all", "--fail-on", "never"); code != 0 && code != 2 {
			t.Fatalf("%s: exit %d: %s", dir, code, out)
		}
		data, err := os.ReadFile(filepath.Join(dir, ".assay", "bundles", "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		var report struct {
			Evidence []struct {
				Path, Kind, Verdict string
				Bundle              *struct{ Path, Note string }
			}
		}
		if err := json.Unmarshal(data, &report); err != nil {
			t.Fatal(err)
		}
		for _, e := range report.Evidence {
			if e.Bundle == nil || e.Bundle.Path == "" {
				t.Logf("%s has no bundle: %+v", e.Path, e.Bundle)
				continue
			}
			seen[e.Kind+" "+e.Verdict]++
			file := filepath.Join(dir, filepath.FromSlash(e.Bundle.Path))
			code, out := assay(t, "bundle", "verify", "--bundle", file)
			if code != 0 || !strings.Contains(out, "bundle verify: OK (") {
				t.Errorf("%s: bundle verify exits with %d: %s", e.Path, code, out)
			}
			ours, said := run(t, dir, gate, "replay", "--bundle", file)
			want := map[string]int{"intact": 0, "drift": 1, "unchecked": 1}[e.Verdict]
			if ours == 2 {
				want = 2
				seen["incomplete"]++
				t.Logf("%s: %s", e.Path, said)
			} else if ours != 0 {
				t.Errorf("%s: our own replay exits with %d: %s", e.Path, ours, said)
			}
			if code, out := assay(t, "replay", "--bundle", file); code != want {
				t.Errorf("%s is %s, and replay exits with %d: %s", e.Path, e.Verdict, code, out)
			}
		}
	}
	t.Logf("bundles by kind and verdict: %v", seen)
	for _, kind := range []string{"ahd", "aos", "decision", "dvc", "evalkit", "pin", "promptfoo"} {
		if seen[kind+" intact"] == 0 || seen[kind+" drift"] == 0 && kind != "evalkit" {
			t.Errorf("no bundle of the kind %s with each verdict in %v", kind, seen)
		}
	}
}

// archive makes a bundle with the standard library, one file beside a manifest.
func archive(t *testing.T, name, content string) string {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for _, e := range []struct{ name, content string }{{"manifest.json", `{"schema_version":1,"assay_version":"5.4.0"}`}, {name, content}} {
		err := tw.WriteHeader(&tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = tw.Write([]byte(e.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Our patterns for secrets find what Assay's find (its replay/scrub): the table is
// that of package bundle's own test, judged by the real scan.
func TestSecretRulesAgree(t *testing.T) {
	for _, text := range []string{
		"Authorization: Bearer x", "authorization : y", "  Authorization:z", "x Authorization: y", `"Authorization": "x"`, "Authorization:", "Authorization: ",
		"\x00Authorization: x", "Authorization:\n x", "a\n\n\tAuthorization: b", "\u00a0Authorization: b", "\u0085Authorization\u2003:\u3000b", "Authorization: \xff",
		"Authorization: \xffabc", "Author\xffization: x", "bearer token", "the bearer of", "bearer\u00a0token", "bearer\u0085token", "bearer\vtoken", "bearer\u180etoken", "bearer\u200btoken", "bearer", "bearer ", "forbearer x",
		"Bearer [REDACTED]", "[REDACTED]", "BEARER\nx", "bearer\r\nx", "bearer \xff",
		"sk-" + strings.Repeat("a", 19), "sk-" + strings.Repeat("a", 20), "sk_live_" + strings.Repeat("b", 14), "sk_live_" + strings.Repeat("b", 15),
		"sk- " + strings.Repeat("a", 20), "SK-" + strings.Repeat("a", 20), "task-" + strings.Repeat("a", 20), "risk_" + strings.Repeat("a", 20),
		"c2stYWFhYWFhYWFhYWFhYWFhYWFhYWE=", `{"hash":"sha256:` + strings.Repeat("0a", 32) + `"}`, "\xffsk-" + strings.Repeat("a", 20),
	} {
		code, out := assay(t, "bundle", "verify", "--bundle", archive(t, "files/x", text))
		if code != 0 && !strings.Contains(out, "forbidden pattern") {
			t.Fatalf("%q: %s", text, out)
		}
		// At bytes that are not UTF-8 ours find more, and nowhere less.
		if ours := len(bundle.AssaySecrets([]byte(text))) > 0; ours != (code != 0) && (utf8.ValidString(text) || !ours) {
			t.Errorf("%q: Assay finds something: %v, we: %v", text, code != 0, ours)
		}
		scrubbed := string(bundle.Scrub([]byte(text)))
		if code, out := assay(t, "bundle", "verify", "--bundle", archive(t, "cassettes/x", scrubbed)); code != 0 {
			t.Errorf("%q is scrubbed to %q, and Assay says %s", text, scrubbed, out)
		}
	}
}

// The path rules are Assay's (its replay/bundle/paths), judged by the real reader.
func TestPathRulesAgree(t *testing.T) {
	for _, name := range []string{
		"files/trace.jsonl", "outputs/run.json", "cassettes/openai/embed.json", "files/a..b.txt", "files/deep/nested/dir/file.json",
		`files\trace.jsonl`, "/files/trace.jsonl", `\files\trace.jsonl`, "files/a:b", "files/" + strings.Repeat("é", 120),
		"files//x.json", "files/./x.json", "files/../x.json", "outputs/..", "../secrets.txt", "files/../../etc/passwd", "outputs/../leak",
		"C:/foo", `C:\foo`, "D:bar", "evil.txt", "x/y/z", "output/run.json", "file/x.json", "Files/x", "./files/x", "files", strings.Repeat("files/", 43) + "x",
	} {
		file := archive(t, name, "x")
		code, out := assay(t, "bundle", "verify", "--bundle", file)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		a, err := bundle.Read(f, bundle.DefaultLimits())
		f.Close()
		if a != nil {
			a.Close()
		}
		if (err == nil) != (code == 0) {
			t.Errorf("%q: Assay exits with %d (%s), we say %v", name, code, strings.TrimSpace(out), err)
		}
	}
}
