//go:build unix

package repo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mergeGraph is a graph for git fast-import in which most commits merge others, so that
// many pairs have several merge bases. Its clocks are up to skew days ahead.
func mergeGraph(random *rand.Rand, n, skew int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		date := 1_700_000_000 + i*10 + random.IntN(skew+1)*24*60*60
		fmt.Fprintf(&b, "commit refs/heads/c%d\nmark :%d\ncommitter G <g@example.org> %d +0000\ndata 1\nx\n", i, i, date)
		before := random.Perm(min(i-1, 6))
		for k, ago := range before[:min(len(before), 1+random.IntN(3))] {
			fmt.Fprintf(&b, "%s :%d\n", [...]string{"from", "merge", "merge"}[k], i-1-ago)
		}
	}
	return b.String()
}

// git merge-base --all is the oracle.
func TestMergeBasesAgreeWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 23))
	several := 0
	for _, skew := range []int{0, 0, 9} {
		g := newGitRepo(t)
		const n = 50
		g.GitWith(mergeGraph(random, n, skew), "fast-import", "--quiet", "--force")
		r := g.open()
		for range 60 {
			i := 10 + random.IntN(n-20)
			a, b := fmt.Sprint("c", i), fmt.Sprint("c", i+1+random.IntN(8))
			all, err := r.MergeBases(context.Background(), a, b)
			var got []string
			for j, c := range all {
				got = append(got, c.Hash)
				if j > 0 && c.When.After(all[j-1].When) {
					t.Errorf("%s %s: the newest is not first", a, b)
				}
			}
			if len(got) > 1 {
				several++
			}
			git := strings.Fields(g.Git("merge-base", "--all", a, b))
			slices.Sort(got)
			slices.Sort(git)
			if err != nil || !slices.Equal(got, git) {
				t.Errorf("%s %s: got %v, %v; git %v", a, b, got, err, git)
			}
		}
	}
	if several < 20 {
		t.Errorf("only %d pairs had several merge bases", several)
	}
}
