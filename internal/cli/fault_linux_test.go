package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Faults of the machine, each with its verdict (issue 17, Limits, stated and held): the
// built binary runs in a process of its own on a real repository, and what fails is the
// disk, a stream, a limit of the system, or somebody's patience. Whatever it is, a run
// ends with the right exit code or with 3: no fault is ever drift, and none is ever green.

// faults is the built binary, and where it is tried.
type faults struct{ bin string }

func TestFaults(t *testing.T) {
	t.Parallel()
	f := faults{filepath.Join(t.TempDir(), "replay-gate")}
	build := exec.Command("go", "build", "-o", f.bin, "../..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released: nothing of it is loaded at the start
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("streams", f.streams)
	t.Run("disk", f.disk)
	t.Run("limits", f.limits)

	t.Run("runner", f.runner)
	t.Run("signals", f.signals)
	t.Run("two at once", f.twoAtOnce)
	t.Run("system calls", f.systemCalls)

}

// cannot ends a test that the machine has not the means for; where all has to be proven
// (.ci/run) that is a failure.
func cannot(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("REPLAY_GATE_REQUIRE_FAULTS") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf("NOT RUN: "+format, args...)
}

// scenes are a repository whose change drifts, and one whose change does not, by their exit
// code. Each has runs of its own besides the two of the house.
func scenes(t *testing.T, more int) map[int]*scene {
	t.Helper()
	base := func(h house) {
		for i := range more {
			h.record(fmt.Sprintf("r%02d", i), run{token: "tokens/swiss.yml", at: fmt.Sprintf("2026-05-%02dT10:00:00.000Z", i+3), model: fmt.Sprintf("model-%d", i)})
		}
	}
	both := make(map[int]*scene)
	for exit, edit := range map[int]func(*scene){0: func(s *scene) { s.edit("README.md", "A consumer", "A user") }, 1: blue} {
		s := greenRow{base: base, edit: edit}.play(t)
		s.Write(".git/info/exclude", ".assay/\n")
		s.Commit("the change")
		both[exit] = s
	}
	return both
}

// ended is how a process ended.
type ended struct {
	code        int // -1: by a signal
	out, chatty string
}

// gateArgs are those of all runs here.
var gateArgs = []string{"gate", "--base", "base", "--scope", "all"}

// run runs a command of the shell in the repository, in which "$@" is the gate.
func (f faults) run(t *testing.T, s *scene, script string, env []string, args ...string) ended {
	t.Helper()
	cmd := f.command(s, script, env, args...)
	var out, chatty bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &chatty
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ended{cmd.ProcessState.ExitCode(), out.String(), chatty.String()}
}

func (f faults) command(s *scene, script string, env []string, args ...string) *exec.Cmd {
	if args == nil {
		args = gateArgs
	}
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", f.bin}, args...)...)
	cmd.Dir = s.Dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GOMAXPROCS=2"}, env...)
	return cmd
}
