package repo

import (
	"cmp"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
)

// gitFS is a git folder for go-git. It hides the list of alternates, which are opened once
// and here; and it remembers that the system could not read a file that may be there.
// go-git takes a reference that it can't read for one that isn't there, and then goes by
// what packed-refs says, which may be years old.
type gitFS struct {
	billy.Filesystem
	// What happened since somebody asked:
	fault  error    // the first
	opened []string // files that are no objects
}

// ask does something with the folder, and returns the first fault of the system on the way.
func (g *gitFS) ask(do func()) error {
	g.fault, g.opened = nil, nil
	do()
	return g.fault
}

// note remembers a fault.
func (g *gitFS) note(err error) {
	if isFault(err) {
		g.fault = cmp.Or(g.fault, err)
	}
}

func (g *gitFS) Open(name string) (billy.File, error) {
	slashed := filepath.ToSlash(filepath.Clean(name))
	if slashed == "objects/info/alternates" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := g.Filesystem.Open(name)
	g.note(err)
	if err != nil || strings.HasPrefix(slashed, "objects/") {
		return f, err // an error in an object is given on as it is
	}
	g.opened = append(g.opened, slashed)
	return &gitFile{f, g}, nil
}

// passedOver reports whether go-git looked for a reference in packed-refs although it has a
// file of its own, which is damaged then.
func (g *gitFS) passedOver(name string) bool {
	return slices.Contains(g.opened, name) && slices.Contains(g.opened, "packed-refs")
}

func (g *gitFS) Stat(name string) (fs.FileInfo, error) {
	info, err := g.Filesystem.Stat(name)
	g.note(err)
	return info, err
}

func (g *gitFS) ReadDir(name string) ([]fs.FileInfo, error) {
	infos, err := g.Filesystem.ReadDir(name)
	g.note(err)
	return infos, err
}

// gitFile is an open file of a git folder that is no object.
type gitFile struct {
	billy.File
	of *gitFS
}

func (f *gitFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err != io.EOF {
		f.of.note(err)
	}
	return n, err
}
