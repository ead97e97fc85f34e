package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/internal/demo"
)

// BenchmarkProcess is the whole process, from start to exit, over 25 sidecars
// that share a token: what a reviewer's machine waits for.
func BenchmarkProcess(b *testing.B) {
	bin := built(b)
	repo, base := evals(b, 25)
	sidecars, err := filepath.Glob(filepath.Join(repo, "docs/evals/run-*.replay.json"))
	if err != nil || len(sidecars) != 25 {
		b.Fatalf("%d sidecars, %v", len(sidecars), err)
	}
	for _, bench := range []struct {
		name string
		args []string
	}{
		{"start", []string{"version"}},
		{"verify-25", append([]string{"verify"}, sidecars...)},
		{"gate-25", []string{"gate", "--root", repo, "--base", base, "--bundle-for", "none"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var rss int64
			for b.Loop() {
				rss = max(rss, measured(b, exec.Command(bin, bench.args...)).rss)
			}
			b.ReportMetric(float64(rss)/(1<<20), "peak-MB")
		})
	}
}

// built is the program, as a release is built.
func built(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "replay-gate")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "../..").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// peak is what a process took.
type peak struct {
	took time.Duration
	cpu  time.Duration // user and system
	rss  int64         // the most memory that it had, in bytes; 0 where /proc does not tell
}

// measured runs a command that ends with 0, or with 1 for drift. Its memory is read while it
// runs: what the kernel says afterwards counts the process that started it, too.
func measured(b *testing.B, cmd *exec.Cmd) peak {
	b.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended, watched := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for tick := time.Tick(2 * time.Millisecond); ; {
			most = max(most, highWater(cmd.Process.Pid))
			select {
			case <-ended:
				watched <- most
				return
			case <-tick:
			}
		}
	}()
	err := cmd.Wait()
	p := peak{took: time.Since(start)}
	close(ended)
	p.rss = <-watched
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		b.Fatalf("%v\n%s", err, said.Bytes())
	}
	p.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return p
}

// highWater is the most memory that a process had so far, in bytes (proc_pid_status(5)).
func highWater(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
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
	report := "# Run\n\n" + strings.Repeat("The headline holds its weight, and the grid breathes at every width that was tried.\n", 100)
	for _, n30 := range []string{`"n": 5`, `"n": 6`} {
		for i := range n {
			name := fmt.Sprintf("docs/evals/run-%04d", i)
			one := bytes.ReplaceAll(data, []byte("docs/evals/2026-05-02-green-critique"), []byte(name))
			one = bytes.ReplaceAll(one, []byte(`"n": 5`), []byte(n30))
			for ending, content := range map[string][]byte{".replay.json": one, ".md": []byte(report)} {
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
