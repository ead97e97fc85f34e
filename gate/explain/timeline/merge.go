package timeline

import (
	"cmp"
	"slices"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// merge puts the commits of several histories into one line, the oldest first, and
// returns the place of each by its hash. places are those of [repo.Repository.Order]; a
// commit that has none there is older than what has one, and dates order such commits.
func merge(histories [][]repo.Version, places map[string]int) ([]verify.TimelineCommit, map[string]int) {
	var all []*repo.Commit
	at := make(map[string]int)
	for _, h := range histories {
		for i := range h {
			c := &h[i].Commit
			if _, known := at[c.Hash]; !known {
				at[c.Hash] = 0
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b *repo.Commit) int {
		return cmp.Or(cmp.Compare(places[a.Hash], places[b.Hash]), a.When.Compare(b.When), cmp.Compare(a.Hash, b.Hash))
	})
	commits := make([]verify.TimelineCommit, len(all))
	for i, c := range all {
		at[c.Hash] = i
		commits[i] = verify.TimelineCommit{
			Commit: c.Hash, Date: c.When,
			Author:  verify.Shorten(c.AuthorName, verify.MaxValue),
			Subject: verify.Shorten(c.Subject, verify.MaxValue),
		}
	}
	return commits, at
}
