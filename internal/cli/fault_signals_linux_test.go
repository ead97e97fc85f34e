package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal at every 10 ms of a run with 25 bundles over a folder that holds an earlier
// run's. Afterwards the folder verifies as the old state or as the new one; or it is
// plainly unfinished, and the next run makes it the new one. The exit code is the verdict's, or
// 3 with the reason E_INTERRUPTED. SIGKILL, which can't be answered, holds the folder alone.
func (f faults) signals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := scenes(t, 23)[1]
			f.run(t, s, `"$@"`, nil)
			old, content := bundlesOf(t, s.Repo), copyOf(t, s)
			s.edit("tokens/swiss.yml", "one accent", "two accents")
			s.Commit("another change") // of what is not committed a bundle holds the time
			f.run(t, s, `"$@"`, nil)
			new := bundlesOf(t, s.Repo)
			if len(new) < 25 || maps.Equal(old, new) || !whole(t, s.Repo) {
				t.Fatalf("the two states are no test: %d and %d files", len(old), len(new))
			}
			early := 0
			for wait := time.Duration(0); early < 2; wait += 10 * time.Millisecond {
				restore(t, s, content)
				cmd := exec.Command(f.bin, gateArgs...)
				cmd.Dir, cmd.Env = s.Dir, f.command(s, "", nil).Env
				var chatty bytes.Buffer
				cmd.Stderr = &chatty
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				gone := make(chan struct{})
				go func() { _ = cmd.Wait(); close(gone) }()
				select {
				case <-gone:
					early++
				case <-time.After(wait):
					_ = cmd.Process.Signal(signal)
					<-gone
				}
				code := cmd.ProcessState.ExitCode()
				is := bundlesOf(t, s.Repo)
				switch {
				case code == 1:
					if !maps.Equal(is, new) {
						t.Errorf("%v: it ended with its verdict, and the folder holds something else", wait)
					}
				case code == 3 && strings.Contains(chatty.String(), "reason: E_INTERRUPTED\n"):
					if whole(t, s.Repo) && !maps.Equal(is, old) {
						t.Errorf("%v: it was interrupted, and the folder is finished and not as it was", wait)
					}
				case code == -1: // killed, or before the program listened to signals at all
					if signal != syscall.SIGKILL && !maps.Equal(is, old) {
						t.Errorf("%v: it ended by the signal, with something written", wait)
					}
				default:
					t.Errorf("%v: exit %d\n%s", wait, code, chatty.String())
				}
				if maps.Equal(is, old) || maps.Equal(is, new) {
					continue
				}
				f.run(t, s, `"$@"`, nil)
				if now := bundlesOf(t, s.Repo); !maps.Equal(now, new) {
					t.Errorf("%v: the next run did not repair the folder:%s", wait, differing(now, new))
				}
			}
		})
	}
}

// differing names the files that are not the same in two folders.
func differing(is, want map[string]string) string {
	var names strings.Builder
	for name, sum := range is {
		if want[name] != sum {
			names.WriteString(" " + name)
		}
	}
	for name := range want {
		if is[name] == "" {
			names.WriteString(" (no " + name + ")")
		}
	}
	return names.String()
}

// copyOf and restore keep the folder of bundles and bring it back.
func copyOf(t *testing.T, s *scene) map[string][]byte {
	t.Helper()
	content := make(map[string][]byte)
	for name := range bundlesOf(t, s.Repo) {
		content[name] = []byte(s.read(".assay/bundles/" + name))
	}
	return content
}

func restore(t *testing.T, s *scene, content map[string][]byte) {
	t.Helper()
	s.remove(".assay")
	s.Mkdir(".assay/bundles")
	for name, data := range content {
		if err := os.WriteFile(s.Path(".assay/bundles/"+name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Two gates, and then some, at once in one workspace: each ends with its own verdict, and
// the folder holds what one of them wrote, all of it and nothing else.
func (f faults) twoAtOnce(t *testing.T) {
	t.Parallel()
	s := scenes(t, 10)[1]
	calls := [][]string{gateArgs, append(gateArgs, "--fail-on", "never"), append(gateArgs, "--bundle-for", "failed"), {"gate", "--base", "base", "--bundle-for", "none"}}
	var alone []map[string]string
	var codes []int
	for _, args := range calls {
		codes = append(codes, f.run(t, s, `"$@"`, nil, args...).code)
		alone = append(alone, bundlesOf(t, s.Repo))
	}
	for round := range 5 {
		ends := make(chan string, len(calls))
		for i, args := range calls {
			go func() {
				cmd := f.command(s, `exec "$@"`, nil, args...)
				out, _ := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); code != codes[i] {
					ends <- strings.Join(args, " ") + ":\n" + string(out)
					return
				}
				ends <- ""
			}()
		}
		for range calls {
			if wrong := <-ends; wrong != "" {
				t.Errorf("round %d: %s", round, wrong)
			}
		}
		is := bundlesOf(t, s.Repo)
		found := false
		for _, state := range alone {
			found = found || maps.Equal(is, state)
		}
		if !found {
			t.Errorf("round %d: the folder holds what none of the runs writes", round)
		}
	}
}
