package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/demo"
)

// BenchmarkProcess is the whole process, from start to exit, over 25 sidecars
// that share a token: what a reviewer's machine waits for.
func BenchmarkProcess(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "replay-gate")
	if out, err := exec.Command("go", "build", "-o", bin, "../..").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	repo, base := evals(b, 25)
	sidecars, err := filepath.Glob(filepath.Join(repo, "docs/evals/run-*.replay.json"))
	if err != nil || len(sidecars) != 25 {
		b.Fatalf("%d sidecars, %v", len(sidecars), err)
	}
	for name, args := range map[string][]string{
		"start":                {"version"},
		"verify-25":            append([]string{"verify"}, sidecars...),
		"gate-25":              {"gate", "--root", repo, "--base", base, "--bundle-for", "none"},
		"gate-25-with-bundles": {"gate", "--root", repo, "--base", base},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// evals makes a repository with n reports of one token, and a change on top that
// touches each sidecar. It returns the folder and the base.
func evals(b *testing.B, n int) (dir, base string) {
	b.Helper()
	dir = b.TempDir()
	if _, err := demo.Make(dir); err != nil {
		b.Fatal(err)
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("checkout", "-q", "main")
	data, err := os.ReadFile(filepath.Join(dir, "docs/evals/2026-05-02-green-critique.replay.json"))
	if err != nil {
		b.Fatal(err)
	}
	for _, n30 := range []string{`"n": 5`, `"n": 6`} {
		for i := range n {
			name := fmt.Sprintf("docs/evals/run-%02d", i)
			one := bytes.ReplaceAll(data, []byte("docs/evals/2026-05-02-green-critique"), []byte(name))
			one = bytes.ReplaceAll(one, []byte(`"n": 5`), []byte(n30))
			for ending, content := range map[string][]byte{".replay.json": one, ".md": []byte("# Run\n")} {
				if err := os.WriteFile(filepath.Join(dir, name+ending), content, 0o644); err != nil {
					b.Fatal(err)
				}
			}
		}
		git("add", "-A")
		git("commit", "-qm", n30)
	}
	return dir, "HEAD~1"
}
