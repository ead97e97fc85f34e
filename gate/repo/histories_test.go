//go:build unix

package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// However many walks began, few hold on to what they visited; one that rested finds the
// same again, and goes on.
func TestWalksThatRest(t *testing.T) {
	t.Parallel()
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
	if w := all.Of(name(0)); w.End() != Unfinished || w.Visited() != 1 {
		t.Errorf("at rest: %v, %d", w.End(), w.Visited())
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

// DESIGN, "untrusted input": memory is bounded, however many versions a history has.
// What was forgotten is found again, and what was over stays over.
func TestWalksThatForget(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const files = maxLive + 3
	name := func(i int) string { return fmt.Sprintf("f%d", i) }
	for v := range 3 {
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
	walk := func(i int) {
		t.Helper()
		w := all.Of(name(i))
		for at := range 4 {
			v, ok, err := w.At(context.Background(), at)
			if err != nil || ok != (at < 3) || ok && v.Commit.Subject != fmt.Sprint(2-at) {
				t.Errorf("%d, %d: got %+v, %v, %v", i, at, v, ok, err)
			}
		}
		if w.End() != Complete || w.Visited() != 3 {
			t.Errorf("%d: %v after %d", i, w.End(), w.Visited())
		}
	}
	for i := range files - 1 {
		walk(i)
	}
	if got := all.kept.Load(); got != 3*(files-1) {
		t.Errorf("%d versions are kept", got)
	}
	all.kept.Add(maxKept)
	walk(files - 1)
	if w := all.Of(name(0)); w.versions != nil || w.history != nil || w.End() != Complete || w.Visited() != 3 {
		t.Errorf("not forgotten: %+v", w)
	}
	if got := all.kept.Load() - maxKept; got != 3*maxLive {
		t.Errorf("%d versions are kept", got)
	}
	for i := range files {
		walk(i)
	}
}

// What an author wrote is bounded, and a commit does not hold on to the rest.
func TestCommitOfManyWords(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("f", "x")
	long := "subject " + strings.Repeat("ä", maxWords)
	hash := g.Commit(long)
	c, err := g.open().Resolve(hash)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Subject) > maxWords || len(c.Subject) < maxWords-1 || !strings.HasPrefix(long, c.Subject) {
		t.Errorf("%d bytes of subject, ends in %q", len(c.Subject), c.Subject[len(c.Subject)-4:])
	}
}
