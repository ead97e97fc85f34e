//go:build unix

package since

import (
	"testing"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// Which commit a folder left its recorded state with; and states are listed up to a bound, which
// is a count, and which is said.
func TestFolder(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, text := range []string{"recorded", "another", "a third"} {
		g.Write("data/a", text)
		g.Git("add", ".")
		g.Commit(text)
	}
	f := g.finder(Options{MaxTime: -1})
	asked := 0
	q := Question{Input: "data", Recorded: "h", HoldsIn: func(folder *repo.Snapshot) bool {
		asked++
		data, err := folder.ReadFile("data/a")
		return err == nil && string(data) == "recorded"
	}}
	why := f.Why(t.Context(), q)
	if why.Since == nil || why.Since.Subject != "another" || why.Recorded == nil || why.Recorded.Subject != "recorded" {
		t.Errorf("%+v", why)
	}
	if asked != 3 || f.listed != 3 {
		t.Errorf("asked %d times, of %d files", asked, f.listed)
	}
	f.listed, q.Recorded = maxListed+1, "other"
	if why := f.Why(t.Context(), q); why.Case != verify.CaseUndetermined || why.Recorded != nil || asked != 3 {
		t.Errorf("beyond the bound: %+v, asked %d times", why, asked)
	}
}
