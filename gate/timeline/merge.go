package timeline

import (
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// merge puts the commits of several histories, each the oldest first, into one order
// and returns the place of each by its hash. No commit stands before one that is older
// in any of the histories, as far as they agree; otherwise dates decide, then hashes.
func merge(histories [][]repo.Version) ([]verify.TimelineCommit, map[string]int) {
	commits := []verify.TimelineCommit{}
	placed := make(map[string]int)
	waiting := make(map[string]int) // by hash: histories in which the commit is still to come
	for _, h := range histories {
		inThis := make(map[string]bool)
		for _, v := range h {
			if !inThis[v.Commit.Hash] {
				inThis[v.Commit.Hash] = true
				waiting[v.Commit.Hash]++
			}
		}
	}
	next := make([]int, len(histories))
	for {
		first := make(map[string]int) // how many histories have the commit next
		for i, h := range histories {
			for next[i] < len(h) && has(placed, h[next[i]].Commit.Hash) {
				next[i]++
			}
			if next[i] < len(h) {
				first[h[next[i]].Commit.Hash]++
			}
		}
		var best *repo.Commit
		for i, h := range histories {
			if next[i] == len(h) {
				continue
			}
			c := &h[next[i]].Commit
			if best == nil || before(c, best, first[c.Hash] == waiting[c.Hash], first[best.Hash] == waiting[best.Hash]) {
				best = c
			}
		}
		if best == nil {
			return commits, placed
		}
		placed[best.Hash] = len(commits)
		commits = append(commits, verify.TimelineCommit{
			Commit: best.Hash, Date: best.When,
			Author:  verify.Shorten(best.AuthorName, verify.MaxValue),
			Subject: verify.Shorten(best.Subject, verify.MaxValue),
		})
	}
}

// before orders candidates: those that no history holds back, then the older ones.
func before(a, b *repo.Commit, aFree, bFree bool) bool {
	switch {
	case aFree != bFree:
		return aFree
	case !a.When.Equal(b.When):
		return a.When.Before(b.When)
	}
	return a.Hash < b.Hash
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}
