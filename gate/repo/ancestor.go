package repo

import (
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
)

// dateSlop is how far a commit's clock may be behind that of its descendants.
const dateSlop = 24 * 60 * 60

// IsAncestor reports whether one commit is in the history of another, or is the
// same. It trusts dates as far as a day: below commits that are older than that, it does not
// look. In a shallow clone only the commits at hand are looked at.
func (r *Repository) IsAncestor(ctx context.Context, older, newer Commit) (bool, error) {
	least := older.When.Unix() - dateSlop
	seen := map[plumbing.Hash]bool{newer.id: true}
	for queue := []plumbing.Hash{newer.id}; len(queue) > 0; {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if id == older.id {
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := r.node(id)
		if errors.Is(err, ErrMissingObject) && r.isShallow() {
			continue
		}
		if err != nil {
			return false, err
		}
		if n.when < least {
			continue
		}
		for _, p := range n.parents {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return false, nil
}
