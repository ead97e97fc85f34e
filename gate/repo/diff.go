package repo

import (
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
// submodules. [Tree.Unusable] paths are not among them.
//
// A deleted and an added file are one Renamed if they are the same or at least 50 %
// similar, as git diff -M has it. Where there are very many or very large
// candidates, only identical files are paired; the others stay Deleted and Added.
func (r *Repository) Diff(base, head *Tree) ([]Change, error) {
	var changes []Change
	var added, deleted []*candidate
	old, now := base.files, head.files
	for len(old) > 0 || len(now) > 0 {
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
			deleted = append(deleted, &candidate{tree: base, entry: old[0]})
			old = old[1:]
		case order > 0:
			added = append(added, &candidate{tree: head, entry: now[0]})
			now = now[1:]
		default:
			same, err := sameEntry(base, old[0], head, now[0])
			if err != nil {
				return nil, err
			}
			if !same {
				changes = append(changes, Change{Path: now[0].path, Kind: Modified})
			}
			old, now = old[1:], now[1:]
		}
	}
	if _, err := pairRenames(deleted, added); err != nil {
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

func sameEntry(base *Tree, old entry, head *Tree, now entry) (bool, error) {
	if old.mode != now.mode {
		return false, nil
	}
	was, err := base.id(old)
	if err != nil {
		return false, err
	}
	return head.holds(now, was), nil
}
