package repo

import (
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// What a commit is known to be while ancestors are painted.
const (
	ofFirst  = 1 << iota // reachable from the first commit
	ofSecond             // reachable from the others
	stale                // an ancestor of a common ancestor: can't be a best one
)

// MergeBase returns the best common ancestor of two revisions: one that is no
// ancestor of another. Where there are several (criss-cross merges), the newest
// is taken. In a shallow clone only the commits at hand are searched, so an
// [ErrNoMergeBase] there may only mean that history is cut off; the message says so.
func (r *Repository) MergeBase(a, b string) (Commit, error) {
	first, err := r.Resolve(a)
	if err != nil {
		return Commit{}, err
	}
	second, err := r.Resolve(b)
	if err != nil {
		return Commit{}, err
	}
	painted, err := r.paint(first, []Commit{second})
	if err != nil {
		return Commit{}, fmt.Errorf("merge base of %s and %s: %w", a, b, err)
	}
	var best []Commit
	for _, p := range painted {
		if p.paint == ofFirst|ofSecond {
			best = append(best, p.Commit)
		}
	}
	// Dates may lie, so one candidate may still be an ancestor of another.
	for i := 0; len(best) > 1 && i < len(best); {
		others := slices.Delete(slices.Clone(best), i, i+1)
		painted, err := r.paint(best[i], others)
		if err != nil {
			return Commit{}, fmt.Errorf("merge base of %s and %s: %w", a, b, err)
		}
		if painted[best[i].id].paint&ofSecond != 0 {
			best = others
		} else {
			i++
		}
	}
	if len(best) == 0 {
		if r.isShallow() {
			return Commit{}, fmt.Errorf("%s and %s: %w; the clone is shallow, fetch more history (with actions/checkout: fetch-depth: 0)", a, b, ErrNoMergeBase)
		}
		return Commit{}, fmt.Errorf("%s and %s: %w", a, b, ErrNoMergeBase)
	}
	slices.SortFunc(best, func(x, y Commit) int {
		if d := y.When.Compare(x.When); d != 0 {
			return d
		}
		return strings.Compare(x.Hash, y.Hash)
	})
	return best[0], nil
}

// painted is a commit with what is known of it.
type painted struct {
	Commit
	paint int
}

// paint walks from the newest commit down until all that is left to visit is
// below a common ancestor, and returns every commit it has seen.
func (r *Repository) paint(first Commit, others []Commit) (map[plumbing.Hash]*painted, error) {
	seen := map[plumbing.Hash]*painted{}
	var queue byDate
	add := func(c Commit, paint int) {
		p := seen[c.id]
		if p == nil {
			p = &painted{Commit: c}
			seen[c.id] = p
		}
		p.paint |= paint
		heap.Push(&queue, p)
	}
	add(first, ofFirst)
	for _, c := range others {
		add(c, ofSecond)
	}
	for slices.ContainsFunc(queue, func(p *painted) bool { return p.paint&stale == 0 }) {
		c := heap.Pop(&queue).(*painted)
		give := c.paint
		if give&(ofFirst|ofSecond) == ofFirst|ofSecond {
			give |= stale
		}
		for _, hash := range c.Parents {
			id := plumbing.NewHash(hash)
			if p := seen[id]; p != nil {
				if p.paint&give != give {
					add(p.Commit, give)
				}
				continue
			}
			parent, err := r.commit(id)
			if errors.Is(err, ErrMissingObject) {
				continue // below the cut of a shallow clone
			}
			if err != nil {
				return nil, err
			}
			add(parent, give)
		}
	}
	return seen, nil
}

// byDate is a heap with the newest commit on top.
type byDate []*painted

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return q[i].When.After(q[j].When) }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)        { *q = append(*q, x.(*painted)) }
func (q *byDate) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
