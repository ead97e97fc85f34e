package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// Streams that are closed, or whose disk is full. The verdict goes where it can: the exit
// code, the other stream, the folder of bundles.
func (f faults) streams(t *testing.T) {
	t.Parallel()
	both := scenes(t, 0)
	for _, tc := range []struct {
		name, script string
		exit         int // -1: the scene's own
		out, chatty  string
	}{
		{"nothing is wrong", `"$@"`, -1, "published result", ""},
		{"no standard input", `"$@" <&-`, -1, "published result", ""},
		{"no standard output", `"$@" >&-`, -1, "", ""},
		{"no standard error", `"$@" 2>&-`, -1, "published result", ""},
		{"no stream at all", `"$@" <&- >&- 2>&-`, -1, "", ""},
		{"standard output full", `"$@" >/dev/full`, 3, "", "reason: E_IO\nnext:   check where standard output goes\n"},
		{"standard error full", `"$@" 2>/dev/full`, -1, "published result", ""},
		{"both full", `"$@" >/dev/full 2>&1`, 3, "", ""},
		{"a report that does not fit", `"$@" --json >/dev/full`, 3, "", "reason: E_IO\n"},
		{"a file that does not fit", `"$@" --report /dev/full`, 3, "published result", "reason: E_IO\nnext:   give a file in a folder that exists and can be written\n"},
		{"a file nowhere", `"$@" --junit /nonexistent/junit.xml`, 3, "published result", "reason: E_IO\n"},
	} {
		for own, s := range both {
			exit := tc.exit
			if exit < 0 {
				exit = own
			}
			got := f.run(t, s, tc.script, nil)
			want := tc.out
			if own == 0 && want != "" {
				want = "intact"
			}
			if got.code != exit || !strings.Contains(got.out, want) || !strings.Contains(got.chatty, tc.chatty) {
				t.Errorf("%s: exit %d, want %d\n%s\n%s", tc.name, got.code, exit, got.out, got.chatty)
			}
			if !whole(t, s.Repo) {
				t.Errorf("%s: the folder of bundles is not whole", tc.name)
			}
		}
	}
	// Every command that prints says so when it can't: none exits with 0, or blames the call.
	names, err := filepath.Glob(both[0].Path(".assay/bundles/*.tar.gz"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, args := range [][]string{
		{"help"}, {"gate", "--help"}, {"--version"}, {"version"}, {"completion", "bash"}, {"explain", "hash-differs"}, {"status"}, {"verify"},
		{"timeline", "--input", "tokens/swiss.yml"}, {"bundle", "check", names[0]}, {"init", "--help"}, {"manual", "--help"}, {"demo"},
	} {
		if got := f.run(t, both[0], `"$@" >/dev/full`, []string{"TMPDIR=" + t.TempDir()}, args...); got.code != 3 || !strings.Contains(got.chatty, "reason: E_IO\n") {
			t.Errorf("%q: exit %d\n%s", args, got.code, got.chatty)
		}
	}
}
