//go:build unix

package repo

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// However many walks began, few hold on to what they visited; one that rested finds the
// same again, and goes on.
func TestWalksThatRest(t *testing.T) {
	g := newGitRepo(t)
	const files = 3 * maxLive
	name := func(i int) string { return fmt.Sprintf("f%d", i) }
	for v := range 4 {
		for i := range files {
			g.Write(name(i), fmt.Sprint(v, i))
		}
		g.Commit(fmt.Sprint(v))
	}
	r := g.open()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	all := r.Histories(head, HistoryOptions{})
	ask := func(i, at int) (Version, bool) {
		v, ok, err := all.Of(name(i)).At(context.Background(), at)
		if err != nil {
			t.Error(err)
		}
		return v, ok
	}
	resting := func() (n int) {
		for _, w := range all.walks {
			if w.history == nil {
				n++
			}
		}
		return n
	}
	for i := range files {
		ask(i, 0)
	}
	if got := resting(); got != files-maxLive || len(all.live) != maxLive {
		t.Errorf("%d rest, %d are live", got, len(all.live))
	}
	if w := all.Of(name(0)); w.End() != Unfinished || w.Visited() != 1 || len(w.Seen()) != 1 {
		t.Errorf("at rest: %v, %d, %d", w.End(), w.Visited(), len(w.Seen()))
	}
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for i := range files {
				for at := range 4 {
					if v, ok := ask(i, at); !ok || v.Commit.Subject != fmt.Sprint(3-at) || v.Newer != at-1 {
						t.Errorf("%d, %d: got %+v", i, at, v)
					}
				}
				if _, ok := ask(i, 4); ok {
					t.Errorf("%d has too many versions", i)
				}
			}
		})
	}
	asking.Wait()
	if slices.ContainsFunc(all.live, func(w *Walk) bool { return w.history == nil }) || resting() > 0 {
		t.Errorf("%d rest", resting())
	}
	// What is over does not begin anew.
	if w := all.Of(name(0)); w.End() != Complete || w.Visited() != 4 {
		t.Errorf("over: %v, %d", w.End(), w.Visited())
	}
}
