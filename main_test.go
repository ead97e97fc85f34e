package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// released is the program, built as a release is.
func released(t *testing.T) string {
	bin := filepath.Join(t.TempDir(), "replay-gate")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// The binary is under 20 MB (issue 12). It grows by seven at once when anything that is
// reached calls a method by a name that the linker can't see, as text/template does: then
// every exported method of every package stays. go build -ldflags=-dumpdep names the call
// (ReflectMethod).
func TestSize(t *testing.T) {
	t.Parallel()
	info, err := os.Stat(released(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > 20e6 {
		t.Errorf("%d bytes, want at most 20 MB", info.Size())
	}
}

// A process that does not come back ends all the same, within 5 s of the signal (issue 10,
// Nothing hangs): this one waits for a standard input on which nothing comes.
func TestSignal(t *testing.T) {
	t.Parallel()
	bin := released(t)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(bin, "bundle", "check", "-")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			time.Sleep(500 * time.Millisecond) // until it listens
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(time.Minute): // a busy machine; on a quiet one it takes 4 s
				_ = cmd.Process.Kill()
				t.Fatal("it did not end")
			}
			if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(said.String(), "E_INTERRUPTED") {
				t.Errorf("exit %d: %s", code, said.String())
			}
		})
	}
}
