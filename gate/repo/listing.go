package repo

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Bounds for one tree. They keep a hostile tree, in which few objects unfold to
// billions of paths, under some 200 MB.
const (
	maxEntries   = 1_000_000 // folders too
	maxPathBytes = 64 << 20
	maxTreeDepth = 256 // folders inside one another
)

// tooDeep is the error for a folder that is deeper than any that is looked into. To leave it
// out would hide what is in it.
func tooDeep(dir string) error {
	const most = 60
	dir = strings.TrimSuffix(dir, "/")
	if len(dir) > most {
		dir = strings.ToValidUTF8(dir[:most], "") + "..."
	}
	return fmt.Errorf("folders nested deeper than %d, at %q: %w", maxTreeDepth, dir, ErrTooLarge)
}

// entry is one path of a state, in the terms of a git tree.
type entry struct {
	path  string
	mode  filemode.FileMode // Regular, Executable, Symlink or Submodule
	id    plumbing.Hash     // of the blob, or the submodule's commit
	known bool              // false: the file has to be read to know its id
	// sparse: in the index but, by a sparse checkout, not on disk.
	sparse bool
	// misplaced: the path can't be trusted to mean this entry (a name with a
	// slash, a name that its folder holds twice).
	misplaced bool
}

// listing is entries sorted by path, each path once.
type listing []entry

// newListing sorts entries and parts those that can be opened by their path from
// those that can't.
func newListing(entries []entry) (usable, unusable listing) {
	if !slices.IsSortedFunc(entries, byPath) {
		slices.SortStableFunc(entries, byPath)
	}
	bad := func(e entry) bool { return e.misplaced || !usablePath(e.path) }
	for _, e := range entries {
		if bad(e) {
			unusable = append(unusable, e)
		}
	}
	return slices.DeleteFunc(entries, bad), unusable
}

func byPath(a, b entry) int { return strings.Compare(a.path, b.path) }

// usablePath reports whether a path can be opened: valid for [fs.ValidPath], and
// with nothing of a .git folder in it.
func usablePath(path string) bool {
	if !fs.ValidPath(path) || path == "." {
		return false
	}
	for name := range strings.SplitSeq(path, "/") {
		if isGitDir(name) {
			return false
		}
	}
	return true
}

// isGitDir reports whether a name may be .git on some file system: the cases of
// the letters differ, and Windows drops trailing dots and blanks and has short names.
func isGitDir(name string) bool {
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// search returns where path is, or would be.
func (l listing) search(path string) (int, bool) {
	return slices.BinarySearchFunc(l, path, func(e entry, path string) int { return strings.Compare(e.path, path) })
}

func (l listing) find(path string) (entry, bool) {
	i, ok := l.search(path)
	if !ok {
		return entry{}, false
	}
	return l[i], true
}

// below returns the entries inside a folder, "." for all.
func (l listing) below(dir string) listing {
	if dir == "." {
		return l
	}
	i, j := l.searchIn(dir, '/'), l.searchIn(dir, '0') // '0' is the byte after '/'
	return l[i:j]
}

// searchIn returns where the path dir with another byte behind it is, or would be. It is
// asked for every folder on the way to a file that is not there, and allocates nothing.
func (l listing) searchIn(dir string, end byte) int {
	i, _ := slices.BinarySearchFunc(l, dir, func(e entry, dir string) int {
		if len(e.path) <= len(dir) {
			return cmp.Or(strings.Compare(e.path, dir), -1)
		}
		return cmp.Or(strings.Compare(e.path[:len(dir)], dir), cmp.Compare(e.path[len(dir)], end), cmp.Compare(len(e.path), len(dir)+1))
	})
	return i
}
