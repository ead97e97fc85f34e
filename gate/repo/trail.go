package repo

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Trail returns the paths of the tree that decide what opening a name opens, sorted: the
// symbolic links on the way, the submodule in which it lies, and the path that is opened
// in the end, which need not be there. Where the way breaks off, it is the place where it
// does, and the path that would have been opened. For most names that is the name alone.
//
// What a name opens can differ between two states only if one of the paths of its
// trails does: see [Repository.Differing].
func (t *Snapshot) Trail(name string) []string {
	if e, ok := t.files.find(name); ok && isPlain(e.mode) || !fs.ValidPath(name) {
		return []string{name}
	}
	var all []string
	add := func(at string) {
		if at == "." || at == ".." || strings.HasPrefix(at, "../") {
			return
		}
		all = append(all, at)
		if link, ok := t.submoduleAbove(at); ok {
			all = append(all, link)
		}
	}
	end, rest, err := followTo(name, t.readlink, add)
	add(end)
	if err != nil {
		add(path.Join(end, path.Join(rest...)))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
