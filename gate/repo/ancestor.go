package repo

import (
	"context"
	"fmt"
)

// IsAncestor reports whether one commit is in the history of another, or is the
// same, whatever their dates say. Where only the part of the history that a shallow clone
// lacks could tell, the error is [ErrMissingObject].
func (r *Repository) IsAncestor(ctx context.Context, older, newer Commit) (bool, error) {
	all, err := r.paint(ctx, older.id, newer.id)
	if err != nil {
		return false, err
	}
	if all[older.id].paint&ofSecond != 0 {
		return true, nil
	}
	for _, p := range all {
		// Below what both have in common there is no older commit than the older one.
		if p.cut && p.paint&ofFirst == 0 {
			return false, fmt.Errorf("history of %s below %s: %w", newer.Hash, p.id, ErrMissingObject)
		}
	}
	return false, nil
}
