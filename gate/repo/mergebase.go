package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
// is taken: see [Repository.MergeBases].
func (r *Repository) MergeBase(ctx context.Context, a, b string) (Commit, error) {
	all, err := r.MergeBases(ctx, a, b)
	if err != nil {
		return Commit{}, err
	}
	return all[0], nil
}

// MergeBases returns all best common ancestors of two revisions, those that are no
// ancestors of another one, the newest first. Criss-cross merges make several. There is at
// least one, or the error is [ErrNoMergeBase].
//
// In a shallow clone only the commits at hand are searched, so an [ErrNoMergeBase] there may
// only mean that history is cut off; the message says so.
func (r *Repository) MergeBases(ctx context.Context, a, b string) ([]Commit, error) {
	first, err := r.Resolve(a)
	if err != nil {
		return nil, err
	}
	second, err := r.Resolve(b)
	if err != nil {
		return nil, err
	}
	best, err := r.bestOfBoth(ctx, first.id, second.id)
	if err != nil {
		return nil, fmt.Errorf("merge base of %s and %s: %w", a, b, err)
	}
	if len(best) == 0 {
		if r.isShallow() {
			return nil, fmt.Errorf("%s and %s: %w; the clone is shallow, fetch more history (with actions/checkout: fetch-depth: 0)", a, b, ErrNoMergeBase)
		}
		return nil, fmt.Errorf("%s and %s: %w", a, b, ErrNoMergeBase)
	}
	slices.SortFunc(best, func(x, y *painted) int {
		return cmp.Or(cmp.Compare(y.when, x.when), bytes.Compare(x.id[:], y.id[:]))
	})
	all := make([]Commit, len(best))
	for i, p := range best {
		if all[i], err = r.commit(p.id); err != nil {
			return nil, fmt.Errorf("merge base of %s and %s: %w", a, b, err)
		}
	}
	return all, nil
}

// bestOfBoth returns the best common ancestors of two commits.
func (r *Repository) bestOfBoth(ctx context.Context, first, second plumbing.Hash) ([]*painted, error) {
	all, err := r.paint(ctx, first, second)
	if err != nil {
		return nil, err
	}
	var best []*painted
	for _, p := range all {
		if p.paint == ofFirst|ofSecond {
			best = append(best, p)
		}
	}
	// Dates may lie, so one candidate may still be an ancestor of another.
	for i := 0; len(best) > 1 && i < len(best); {
		var others []plumbing.Hash
		for _, p := range slices.Delete(slices.Clone(best), i, i+1) {
			others = append(others, p.id)
		}
		below, err := r.paint(ctx, best[i].id, others...)
		if err != nil {
			return nil, err
		}
		if below[best[i].id].paint&ofSecond != 0 {
			best = slices.Delete(best, i, i+1)
		} else {
			i++
		}
	}
	return best, nil
}

// painted is a commit with what is known of it.
type painted struct {
	node
	id    plumbing.Hash
	paint int
	cut   bool // some parents are not in this shallow clone
}

// before: the newest commit is next.
func (p *painted) before(other *painted) bool { return p.when > other.when }

// paint walks down from the newest commit until all that is left to visit is below a
// common ancestor, and returns every commit it has seen. What is reachable from both
// sides it knows for the commits that it started at, whatever dates say: a walk ends
// early only where both sides have met.
func (r *Repository) paint(ctx context.Context, first plumbing.Hash, others ...plumbing.Hash) (map[plumbing.Hash]*painted, error) {
	seen := map[plumbing.Hash]*painted{}
	var queue queue[*painted]
	add := func(id plumbing.Hash, paint int) error {
		p := seen[id]
		if p == nil {
			n, err := r.node(id)
			if err != nil {
				return err
			}
			p = &painted{node: n, id: id}
			seen[id] = p
		} else if p.paint&paint == paint {
			return nil
		}
		p.paint |= paint
		queue.add(p)
		return nil
	}
	if err := add(first, ofFirst); err != nil {
		return nil, err
	}
	for _, id := range others {
		if err := add(id, ofSecond); err != nil {
			return nil, err
		}
	}
	for slices.ContainsFunc(queue, func(p *painted) bool { return p.paint&stale == 0 }) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := queue.take()
		give := c.paint
		if give&(ofFirst|ofSecond) == ofFirst|ofSecond {
			give |= stale
		}
		for _, id := range c.parents {
			if err := add(id, give); errors.Is(err, ErrMissingObject) {
				c.cut = true
			} else if err != nil {
				return nil, err
			}
		}
	}
	return seen, nil
}
