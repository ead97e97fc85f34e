package explain

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Issue 14: explain knows every code that a run ends with, wherever in the source it stands.
func TestTheTableHasEveryCodeOfARun(t *testing.T) {
	t.Parallel()
	var want, have []string
	for _, name := range []string{"../reason/reason.go", "../../internal/cli/replay_live.go", "../../internal/cli/capture.go", "../../bundle/replay.go", "../../bundle/limits.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(E_[A-Z_]+)"`).FindAllStringSubmatch(string(data), -1) {
			want = append(want, m[1])
		}
	}
	for _, r := range RunTable() {
		have = append(have, r.Code)
	}
	slices.Sort(want)
	slices.Sort(have)
	if want = slices.Compact(want); !slices.Equal(have, want) {
		t.Errorf("the table has\n%s\nthe source\n%s", strings.Join(have, " "), strings.Join(want, " "))
	}
}
