package judge

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Overlay is one tree with some files of another: those that are named, and no others.
func Overlay(tree, files *verify.Tree, names ...string) *verify.Tree {
	named := func(name string) bool { return slices.Contains(names, name) }
	// What evidence looks for is its inputs, so the files are those of the tree below.
	return tree.Sibling(overlay{tree.FS(), files.FS(), named, tree.Files})
}

// Graft is a tree with another state of one folder in it.
func Graft(tree *verify.Tree, dir string, folder interface {
	fs.FS
	Files() []string
}) *verify.Tree {
	inside := func(name string) bool { return dir == "." || name == dir || strings.HasPrefix(name, dir+"/") }
	files := func() []string {
		all := slices.Concat(slices.DeleteFunc(slices.Clone(tree.Files()), inside), folder.Files())
		slices.Sort(all)
		return all
	}
	return tree.Sibling(overlay{tree.FS(), folder, inside, files})
}

type overlay struct {
	below, above fs.FS
	isAbove      func(name string) bool
	list         func() []string
}

func (o overlay) of(name string) fs.FS {
	if o.isAbove(name) {
		return o.above
	}
	return o.below
}

func (o overlay) Open(name string) (fs.File, error)     { return o.of(name).Open(name) }
func (o overlay) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.of(name), name) }
func (o overlay) Files() []string                       { return o.list() }

func (o overlay) ReadRegular(name string, limit int64) ([]byte, error) {
	return verify.ReadRegular(o.of(name), name, limit)
}
