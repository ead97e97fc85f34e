package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// What reads the work tree, the index, references and objects fails at the n-th time, in the
// kernel's own words: strace makes the call fail. Whatever it was, the run ends with its
// verdict, for which it was not needed, or with 3: a fault is never drift, never green, and
// never a mistake in the call.
//
// A few of all places are tried; with REPLAY_GATE_REQUIRE_FAULTS, as in .ci/run, each of them.
func (f faults) systemCalls(t *testing.T) {
	t.Parallel()
	both := scenes(t, 0)
	const inject = `exec strace -f -qq -o /dev/null -e trace=%s -e inject=%[1]s:error=%s:when=%d "$@"`
	if got := f.run(t, both[0], `exec strace -f -qq -o /dev/null -e trace=none "$@"`, nil); got.code != 0 {
		cannot(t, "strace can't make calls fail here: exit %d, %s", got.code, got.chatty)
	}
	step := 17
	if os.Getenv("REPLAY_GATE_REQUIRE_FAULTS") != "" {
		step = 1
	}
	turn, failed := 0, 0
	for _, call := range []struct {
		name, fault string
		most        int // calls of a thread, and a few more
	}{
		{"openat", "EIO", 60}, {"openat", "EMFILE", 60}, {"openat", "EACCES", 60}, {"openat", "ENOMEM", 60},
		{"read", "EIO", 40}, {"pread64", "EIO", 10}, {"newfstatat", "EIO", 70}, {"fstat", "EIO", 20},
		{"getdents64", "EIO", 10}, {"readlinkat", "EIO", 5},
	} {
		for own, s := range both {
			for _, head := range []string{"", " --head HEAD"} {
				for n := 1 + turn%step; n <= call.most; n += step {
					where := fmt.Sprintf("%s %s at %d%s", call.name, call.fault, n, head)
					got := f.run(t, s, fmt.Sprintf(inject, call.name, call.fault, n)+head, []string{"GOMAXPROCS=1"}, append(gateArgs, "--json")...)
					if got.code == 3 {
						failed++
					}
					if got.code != own && got.code != 3 {
						t.Errorf("%s: exit %d, want %d or 3\n%s", where, got.code, own, got.chatty)
						continue
					}
					var r greenReport
					if err := json.Unmarshal([]byte(got.out), &r); err != nil {
						t.Errorf("%s: no report: %v\n%s", where, err, got.out)
						continue
					}
					fails, _ := r.rows()
					for _, row := range fails {
						if drifted := strings.Contains(row, " hash-differs "); drifted && (own == 0 || !strings.HasPrefix(row, "a token.hash ")) {
							t.Errorf("%s: it is taken for drift: %s", where, row)
						}
					}
				}
				turn += 5
			}
		}
	}
	if failed < 5 {
		t.Errorf("%d runs failed: nothing was injected", failed)
	}
}
