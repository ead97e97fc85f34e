package repo

import (
	"context"
	"slices"
	"strings"
)

// ChangeKind is how a path differs between two states.
type ChangeKind int

// The kinds of change. A file that became a link, or executable, is Modified.
const (
	Added ChangeKind = iota + 1
	Modified
	Deleted
	Renamed
)

// String returns added, modified, deleted or renamed.
func (k ChangeKind) String() string {
	switch k {
	case Added:
		return "added"
	case Modified:
		return "modified"
	case Deleted:
		return "deleted"
	case Renamed:
		return "renamed"
	}
	return "unknown"
}

// Change is one path that differs between two states.
type Change struct {
	Path    string
	OldPath string // for Renamed, where the file was; its content may differ too
	Kind    ChangeKind
}

// Diff returns what turns base into head, sorted by Path: files, links and
// submodules. [Snapshot.Unusable] paths are not among them.
//
// A deleted and an added file are one Renamed if they are the same or at least 50 %
// similar, as git diff -M has it. Where there are very many or very large
// candidates, only identical files are paired; the others stay Deleted and Added.
func (r *Repository) Diff(base, head *Snapshot) ([]Change, error) {
	return r.DiffContext(context.Background(), base, head)
}

// DiffContext is Diff that ends with its context.
func (r *Repository) DiffContext(ctx context.Context, base, head *Snapshot) ([]Change, error) {
	var changes []Change
	var added, deleted []*candidate
	err := eachPair(ctx, base.files, head.files, func(was, is *entry) {
		switch {
		case is == nil:
			deleted = append(deleted, &candidate{tree: base, entry: *was})
		case was == nil:
			added = append(added, &candidate{tree: head, entry: *is})
		case !sameEntry(ctx, base, *was, head, *is):
			changes = append(changes, Change{Path: is.path, Kind: Modified})
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := pairRenames(ctx, deleted, added); err != nil {
		return nil, err
	}
	for _, c := range added {
		if c.pair != nil {
			changes = append(changes, Change{Path: c.entry.path, OldPath: c.pair.entry.path, Kind: Renamed})
		} else {
			changes = append(changes, Change{Path: c.entry.path, Kind: Added})
		}
	}
	for _, c := range deleted {
		if c.pair == nil {
			changes = append(changes, Change{Path: c.entry.path, Kind: Deleted})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// eachPair goes through two listings side by side. A path that is on one side only
// comes with nil for the other.
func eachPair(ctx context.Context, old, now listing, pair func(was, is *entry)) error {
	for len(old) > 0 || len(now) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		order := 0
		switch {
		case len(old) == 0:
			order = 1
		case len(now) == 0:
			order = -1
		default:
			order = strings.Compare(old[0].path, now[0].path)
		}
		switch {
		case order < 0:
			pair(&old[0], nil)
			old = old[1:]
		case order > 0:
			pair(nil, &now[0])
			now = now[1:]
		default:
			pair(&old[0], &now[0])
			old, now = old[1:], now[1:]
		}
	}
	return ctx.Err()
}

// sameEntry reports whether an entry is surely the same on both sides: what can't be
// read may be anything.
func sameEntry(ctx context.Context, base *Snapshot, old entry, head *Snapshot, now entry) bool {
	switch {
	case old.mode != now.mode:
		return false
	case old.known:
		return head.holds(ctx, now, old.id)
	case now.known:
		return base.holds(ctx, old, now.id)
	}
	was, err := base.id(ctx, old)
	return err == nil && head.holds(ctx, now, was)
}
