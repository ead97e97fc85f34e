package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full at one point or another of writing, and a workspace that can't be
// written: the verdict is shown, with what could not be written, and the exit code is 3.
func (f faults) disk(t *testing.T) {
	t.Parallel()
	both := scenes(t, 4)
	inside := `unshare --mount`
	if os.Geteuid() != 0 {
		inside = `unshare --map-root-user --mount`
	}
	if got := f.run(t, both[0], inside+` mount -t tmpfs tmpfs .git`, nil); got.code != 0 {
		cannot(t, "no file system can be mounted here: %s", got.chatty)
	}
	for own, s := range both {
		verdict := "intact"
		if own == 1 {
			verdict = "drift"
		}
		s.Mkdir(".assay")
		check := func(name, script, next string, exit int, args ...string) {
			t.Helper()
			got := f.run(t, s, inside+` sh -c '`+script+`; "$@"; code=$?; ls .assay/bundles/SHA256SUMS >&2; exit $code' sh "$@"`, nil, args...)
			if got.code != exit || exit == 3 && (!strings.Contains(got.out, "reason: E_IO") || !strings.Contains(got.out, next)) {
				t.Errorf("%s: exit %d\n%s\n%s", name, got.code, got.out, got.chatty)
			}
			if !strings.HasPrefix(got.out, verdict) {
				t.Errorf("%s: no verdict %q:\n%s", name, verdict, got.out)
			}
			// What is there is whole, or not yet: nobody takes it for a finished run's.
			if finished := !strings.Contains(got.chatty, "cannot access"); finished != (exit != 3) {
				t.Errorf("%s: exit %d, and a list of digests: %v\n%s", name, exit, finished, got.chatty)
			}
		}
		// Some of these end in the bundles, some in the pages behind them.
		for _, kib := range []int{4, 8, 24, 48, 64, 96} {
			check(fmt.Sprintf("%d KiB", kib), fmt.Sprintf("mount -t tmpfs -o size=%dk tmpfs .assay", kib), "make room on the disk", 3, append(gateArgs, "--color", "never")...)
		}
		check("no bundles", "mount -t tmpfs -o size=8k tmpfs .assay", "make room on the disk", 3, append(gateArgs, "--bundle-for", "none")...)
		check("enough", "mount -t tmpfs -o size=4m tmpfs .assay", "", own)
		check("read-only", "mount --bind . . && mount -o remount,bind,ro . && cd .", "can be written", 3)
	}
	if os.Geteuid() != 0 {
		return // the last one is somebody else's workspace, which root alone can make
	}
	for _, s := range both {
		for _, dir := range []string{filepath.Dir(filepath.Dir(s.Dir)), filepath.Dir(filepath.Dir(f.bin))} {
			if err := os.Chmod(dir, 0o755); err != nil { // others may not look into a test's folders
				t.Fatal(err)
			}
		}
		cmd := f.command(s, `"$@"`, nil)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(out), "run it as a user who may") {
			t.Errorf("somebody else's: exit %d, not 3: %v\n%s", code, err, out)
		}
	}
}
