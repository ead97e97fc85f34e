//go:build unix

package repo

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// git log is the oracle over random graphs with clocks that are days ahead: a child comes
// after its parents, and of two commits that are free to be next the younger is last.
func TestOrderAgreesWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 4 {
		g := newGitRepo(t)
		g.GitWith(randomGraph(random, 60, 9), "fast-import", "--quiet", "--force")
		g.Git("reset", "-q", "--hard", "main")
		r := g.open()
		head, err := r.Head()
		if err != nil {
			t.Fatal(err)
		}
		places, err := r.Order(context.Background(), head, 0)
		if err != nil {
			t.Fatal(err)
		}
		git := strings.Fields(g.Git("log", "--date-order", "--format=%H"))
		ours := slices.SortedFunc(maps.Keys(places), func(a, b string) int { return places[b] - places[a] })
		if !slices.Equal(ours, git) {
			t.Errorf("got\n%v\ngit says\n%v", ours, git)
		}

		// With less to look at no parent stands after its child either.
		few, err := r.Order(context.Background(), head, 20)
		if err != nil || len(few) != 20 {
			t.Fatalf("%d places, %v", len(few), err)
		}
		for line := range strings.Lines(g.Git("log", "--format=%H %P")) {
			ids := strings.Fields(line)
			for _, parent := range ids[1:] {
				if few[ids[0]] > 0 && few[parent] >= few[ids[0]] {
					t.Errorf("%s stands at %d, its parent at %d", ids[0], few[ids[0]], few[parent])
				}
			}
		}
	}
}
