package valuediff

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"a line changed", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"--- b.md\n+++ b.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"from nothing", "", "a\nb\n", "--- b.md\n+++ b.md\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"no newline at the end", "a\n", "a", "--- b.md\n+++ b.md\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"line ends count", "a\r\n", "a\n", "--- b.md\n+++ b.md\n@@ -1 +1 @@\n-a\r\n+a\n"},
		{"not UTF-8", "a\n", "\xff\n", "--- b.md\n+++ b.md\n@@ -1 +1 @@\n-a\n+\uFFFD\n"},
		{"binary", "a\n", "a\x00\n", "binary content differs: 2 bytes before, 3 bytes after\n"},
		{"secrets", "api_key: abc\ntoken: x\n", "export DB_PASSWORD=abc\n\"clientSecret\": \"s\"\ntoken: y\n",
			"--- b.md\n+++ b.md\n@@ -1,2 +1,3 @@\n-api_key: (masked)\n-token: x\n+export DB_PASSWORD=(masked)\n+\"clientSecret\": (masked)\n+token: y\n"},
		{"long lines", "a\n", strings.Repeat("x", 200) + "\n",
			"--- b.md\n+++ b.md\n@@ -1 +1 @@\n-a\n+" + strings.Repeat("x", 120) + cutNote + "\n"},
	} {
		if got := Unified([]byte(tt.before), []byte(tt.after), "b.md", 0); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	if got := Unified([]byte("a"), []byte("b"), "x\n+++ y", 0); !strings.HasPrefix(got, "--- \"x\\n+++ y\"\n+++ \"x\\n+++ y\"\n@@") {
		t.Errorf("a name left its line: %s", got)
	}
	big := bytes.Repeat([]byte("a\n"), maxText)
	if got := Unified(big, []byte("a"), "b.md", 0); got != "too large to compare by lines: 2097152 bytes before, 1 bytes after\n" {
		t.Errorf("got %s", got)
	}
}

// At most 20 lines, then "N more lines".
func TestUnifiedIsCut(t *testing.T) {
	before := strings.Repeat("a\n", 50)
	after := strings.Repeat("b\n", 30)
	got := strings.Split(strings.TrimSuffix(Unified([]byte(before), []byte(after), "b.md", 0), "\n"), "\n")
	// Two lines of names, one of the place, 80 of content: 83.
	if len(got) != 21 || got[20] != "63 more lines" {
		t.Errorf("got %d lines, the last %q", len(got), got[len(got)-1])
	}
}

// git diff --minimal is the oracle for how short the script is, and git apply for
// whether it is right.
func TestUnifiedAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("this test compares with git: install the git binary")
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteString("line " + strconv.Itoa(r.IntN(6)) + "\n")
		}
		return b.String()
	}
	dir := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		return string(out), err
	}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed := func(diff string) (n int) {
		for line := range strings.Lines(diff) {
			if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
				n++
			}
		}
		return n
	}
	for range 60 {
		a, b := text(), text()
		if a == b {
			continue
		}
		got := Unified([]byte(a), []byte(b), "f", 1000)
		write("f", a)
		write("g", b)
		want, _ := run("diff", "--no-index", "--minimal", "f", "g")
		if changed(got) != changed(want) {
			t.Errorf("%d lines, git %d\n%s\n%s", changed(got), changed(want), got, want)
		}
		write("p", strings.Replace(strings.Replace(got, "--- f", "--- a/f", 1), "+++ f", "+++ b/f", 1))
		if out, err := run("apply", "p"); err != nil {
			t.Fatalf("git can't apply it: %v %s\n%s", err, out, got)
		}
		if now, _ := os.ReadFile(filepath.Join(dir, "f")); string(now) != b {
			t.Errorf("applied it gives\n%s\nwant\n%s", now, b)
		}
	}
}
