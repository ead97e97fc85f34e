package bundle

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Assay, replay/bundle/paths: validate_entry_path and its tests.
func TestNormalizeName(t *testing.T) {
	for _, name := range []string{
		"files/trace.jsonl", "outputs/run.json", "cassettes/openai/embed.json", "files/a..b.txt", "files/deep/nested/dir/file.json",
	} {
		if got, err := normalizeName(name); got != name || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{`files\trace.jsonl`, "/files/trace.jsonl", `\files\trace.jsonl`, "///files/trace.jsonl"} {
		if got, err := normalizeName(name); got != "files/trace.jsonl" || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{
		"", "/", "files//x.json", "files/./x.json", "files/../x.json", "outputs/..", "../secrets.txt", "files/../../etc/passwd",
		"outputs/../leak", "C:/foo", `C:\foo`, "D:bar", "evil.txt", "x/y/z", "output/run.json", "file/x.json",
		"files", "files/", "files/x/", "Files/x", "./files/x", "./manifest.json", "/manifest.json", "/etc/passwd", `\\server\share`,
	} {
		if got, err := normalizeName(name); err == nil {
			t.Errorf("%q is accepted as %q", name, got)
		}
	}
}

// Issue "Accepted by Assay": no file under files/ but the trace ends in .jsonl;
// names are at most 256 bytes; what a bundle path can't hold is escaped.
func TestBundleName(t *testing.T) {
	for repo, want := range map[string]string{
		"docs/a b.md":            "files/inputs/docs/a b.md",
		"x/trace.jsonl":          "files/inputs/x/trace.json%6C",
		"x/trace.JSONL":          "files/inputs/x/trace.JSONL",
		"100%.yml":               "files/inputs/100%25.yml",
		"back\\slash~.yml":       "files/inputs/back%5Cslash%7E.yml",
		"nl\n.yml":               "files/inputs/nl%0A.yml",
		"\xff.yml":               "files/inputs/%FF.yml",
		"C:/x.yml":               "files/inputs/C:/x.yml",
		"\u00fc\u2028\U0001F600": "files/inputs/\u00fc\u2028\U0001F600",
	} {
		got, shortened := bundleName("files/inputs", repo)
		if got != want || shortened {
			t.Errorf("%q: %q, %v; want %q", repo, got, shortened, want)
		}
		if back, ok := repoPath(got, nil); !ok || back != repo {
			t.Errorf("%q comes back as %q", repo, back)
		}
	}
}

func TestBundleNameLength(t *testing.T) {
	exact := strings.Repeat("d/", 120) + "abc" // 243 bytes, 256 with the folder
	if name, shortened := bundleName("files/inputs", exact); len(name) != 256 || shortened {
		t.Errorf("256 bytes are shortened to %q", name)
	}
	seen := make(map[string]bool)
	for _, repo := range []string{
		exact + "d", exact + "e", exact + "%%%%%%.yml", exact + "~.jsonl",
		strings.Repeat("ü", 300), strings.Repeat("%", 300), strings.Repeat("%", 301), "x." + strings.Repeat("e", 300),
		strings.Repeat("a/", 116) + "\xf0\x9f\x98\x80\xf0\x9f\x98\x80.json", strings.Repeat("a/", 200) + "x.jsonl",
	} {
		name, shortened := bundleName("files/inputs", repo)
		if len(name) > 256 || !shortened || seen[name] {
			t.Errorf("%q: %q of %d bytes, shortened %v", repo, name, len(name), shortened)
		}
		seen[name] = true
		if got, err := normalizeName(name); got != name || err != nil {
			t.Errorf("%q is no bundle path: %v", name, err)
		}
		if strings.HasSuffix(name, ".jsonl") {
			t.Errorf("%q would be taken for a trace", name)
		}
		if back, ok := repoPath(name, map[string]string{name: escapeName(repo)}); !ok || back != repo {
			t.Errorf("%q comes back as %q", repo, back)
		}
	}
}

func FuzzBundleName(f *testing.F) {
	for _, s := range []string{"a", "a.jsonl", "%", "~", "\\", "\xff", strings.Repeat("é", 200), strings.Repeat("%/", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, repo string) {
		name, shortened := bundleName("outputs/report", repo)
		paths := map[string]string{}
		if shortened {
			paths[name] = escapeName(repo)
		}
		if len(name) > maxName {
			t.Fatalf("%d bytes", len(name))
		}
		if back, ok := repoPath(name, paths); !ok || back != repo {
			t.Fatalf("%q comes back as %q", repo, back)
		}
		if fs.ValidPath(repo) && repo != "." {
			if got, err := normalizeName(name); got != name || err != nil {
				t.Fatalf("%q is no bundle path: %v", name, err)
			}
		}
	})
}

// Issue "Bundle": the report's base name made safe, "-", 12 hex of the sidecar.
func TestRunID(t *testing.T) {
	sum := "sha256:0123456789abcdef" + strings.Repeat("0", 48)
	for name, want := range map[string]string{
		"2026-04-22-swiss-n30":   "2026-04-22-swiss-n30-0123456789ab",
		"a b/c\nü":               "a-b-c---0123456789ab",
		"..":                     "evidence-0123456789ab",
		"-rf":                    "rf-0123456789ab",
		".hidden":                "hidden-0123456789ab",
		"\xff\x00":               "evidence-0123456789ab",
		strings.Repeat("x", 500): strings.Repeat("x", 80) + "-0123456789ab",
	} {
		r := verify.Result{Path: "p/fallback.json", SHA256: sum, Recording: verify.Recording{Name: name}}
		if got := RunID(r); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := RunID(verify.Result{Path: "p/fallback.json", SHA256: sum}); got != "fallback-0123456789ab" {
		t.Errorf("without a name: %q", got)
	}
	if got := RunID(verify.Result{Path: "p/fallback.json"}); got != "fallback-unread" {
		t.Errorf("unread: %q", got)
	}
}
