package repo

import (
	"context"
	"slices"
	"strings"
)

// Differences are the paths that differ between two states, sorted.
type Differences []string

// Has reports whether a path differs.
func (d Differences) Has(path string) bool {
	_, ok := slices.BinarySearch(d, path)
	return ok
}

// Below reports whether something in a folder differs, "." for all.
func (d Differences) Below(dir string) bool {
	if dir == "." {
		return len(d) > 0
	}
	i, _ := slices.BinarySearch(d, dir+"/")
	return i < len(d) && strings.HasPrefix(d[i], dir+"/")
}

// Touch reports whether any of some paths differs, or something below it. With the
// trails of a name in both states ([Snapshot.Trail]) it tells whether opening the name can give
// another file, another folder or other content.
func (d Differences) Touch(paths ...string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return d.Has(p) || d.Below(p) })
}

// Differing returns every path whose entry is not surely the same in two states: files, links
// and submodules that are on one side only, or have another kind, content, target or commit.
// [Snapshot.Unusable] paths are not among them ([Snapshot.UnusableSince]). A path that moved is there
// twice, and unlike [Repository.Diff] this reads no file but those of the work tree that
// the index does not vouch for.
//
// What can't be read in the work tree counts as differing, and so does a submodule that is not
// as its recorded commit has it. The error is that of the context.
func (r *Repository) Differing(ctx context.Context, base, head *Snapshot) (Differences, error) {
	if base == head || base.disk == nil && head.disk == nil && base.repo == head.repo && base.commit.tree == head.commit.tree {
		return nil, nil
	}
	var all Differences
	err := eachPair(ctx, base.files, head.files, func(was, is *entry) {
		switch {
		case was == nil:
			all = append(all, is.path)
		case is == nil, !sameEntry(ctx, base, *was, head, *is):
			all = append(all, was.path)
		}
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
