package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
)

// Order gives commits in the history of from their places in one line: a child's is
// greater than those of its parents, and where neither descends from the other the
// younger one's is, as in git log --date-order. It knows the max commits (0 means
// [DefaultMaxCommits]) that are found first when the younger are looked at first; the
// places of the others are missing.
func (r *Repository) Order(ctx context.Context, from Commit, max int) (map[string]int, error) {
	max = cmp.Or(max, DefaultMaxCommits)
	children := map[plumbing.Hash]int{from.id: 0} // of all that was found, still to be placed
	var found, free queue[queuedCommit]
	start := queuedCommit{from.id, from.When.Unix()}
	found.add(start)
	for n := 0; len(found) > 0 && n < max; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parents, err := r.parentsAtHand(found.take().id)
		if err != nil {
			return nil, err
		}
		for _, p := range parents {
			if _, known := children[p.id]; !known {
				found.add(p)
			}
			children[p.id]++
		}
	}
	unknown := make(map[plumbing.Hash]bool) // found, and not looked at
	for _, c := range found {
		unknown[c.id] = true
	}
	places := make(map[string]int)
	free.add(start)
	for place := max; len(free) > 0; place-- {
		id := free.take().id
		if unknown[id] {
			continue
		}
		places[id.String()] = place
		parents, err := r.parentsAtHand(id)
		if err != nil {
			return nil, err
		}
		for _, p := range parents {
			if children[p.id]--; children[p.id] == 0 {
				free.add(p)
			}
		}
	}
	return places, nil
}

// parentsAtHand are the parents of a commit that a shallow clone has.
func (r *Repository) parentsAtHand(id plumbing.Hash) ([]queuedCommit, error) {
	n, err := r.node(id)
	if err != nil {
		return nil, err
	}
	var parents []queuedCommit
	for _, p := range n.parents {
		parent, err := r.node(p)
		if errors.Is(err, ErrMissingObject) && r.isShallow() {
			continue
		}
		if err != nil {
			return nil, err
		}
		parents = append(parents, queuedCommit{p, parent.when})
	}
	return parents, nil
}

type queuedCommit struct {
	id   plumbing.Hash
	when int64
}

// before: the youngest commit is next.
func (c queuedCommit) before(other queuedCommit) bool {
	if c.when != other.when {
		return c.when > other.when
	}
	return bytes.Compare(c.id[:], other.id[:]) > 0
}
