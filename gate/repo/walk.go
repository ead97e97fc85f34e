package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// walker collects the entries of the work tree.
type walker struct {
	repo      *Repository
	index     index
	seen      []bool // of index.entries: something of its kind is on disk
	found     []entry
	pathBytes int
}

// search returns the first tracked path in [from, to) that is not below name.
func (w *walker) search(from, to int, name string) int {
	i, _ := slices.BinarySearchFunc(w.index.entries[from:to], name, func(e indexEntry, name string) int {
		return strings.Compare(e.path, name)
	})
	return from + i
}

// folder is one folder of the walk, open: what is in it is looked up from there, not
// from the top again and again.
type folder struct {
	*os.Root
	path    string
	depth   int
	ignores ignoreFiles
	hidden  bool // ignored, so that only what is tracked belongs to the state
}

// dir walks one folder. The tracked paths in it are index.entries[from:to].
func (w *walker) dir(ctx context.Context, f folder, from, to int) error {
	if f.depth > maxTreeDepth {
		return tooDeep(f.path)
	}
	entries, err := f.readDir()
	if err != nil {
		return err
	}
	if !f.hidden {
		if f.ignores, err = w.addIgnores(f, from, to); err != nil {
			return err
		}
	}
	for _, d := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if isGitDir(d.Name()) {
			continue
		}
		if err := w.entry(ctx, f, d, from, to); err != nil {
			return err
		}
	}
	return nil
}

// entry records what is in a folder, or walks it.
func (w *walker) entry(ctx context.Context, f folder, d fs.DirEntry, from, to int) error {
	name := path.Join(f.path, d.Name())
	at := w.search(from, to, name)
	tracked := at < to && w.index.entries[at].path == name
	switch kind := d.Type(); {
	case kind == 0, kind == fs.ModeSymlink:
		if tracked || !f.hidden && !f.ignores.ignored(name, false) {
			return w.file(f, name, at, tracked)
		}
		return nil
	case kind != fs.ModeDir:
		return nil // a named pipe, socket or device belongs to no state
	case tracked && w.index.entries[at].mode == filemode.Submodule:
		return nil // recorded by addUnseen, as the index has it: its own folder is not looked into
	}
	first, end := w.search(from, to, name+"/"), w.search(from, to, name+"0")
	hidden := f.hidden || f.ignores.ignored(name, true)
	if first == end && (hidden || f.holdsRepository(d.Name())) {
		return nil
	}
	return w.below(ctx, f, name, hidden, first, end)
}

// below walks a folder in another one.
func (w *walker) below(ctx context.Context, above folder, name string, hidden bool, from, to int) error {
	root, err := above.OpenRoot(path.Base(name))
	if err != nil {
		if from == to && errors.Is(err, fs.ErrPermission) {
			return nil // untracked and closed to us, as git skips it
		}
		return err
	}
	defer root.Close()
	return w.dir(ctx, folder{root, name, above.depth + 1, above.ignores, hidden}, from, to)
}

func (f folder) readDir() ([]fs.DirEntry, error) {
	dir, err := f.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// holdsRepository reports whether an untracked folder is another repository; like
// git, its files are not ours.
func (f folder) holdsRepository(name string) bool {
	_, err := f.Lstat(filepath.Join(name, ".git"))
	return err == nil
}

// addIgnores adds the .gitignore of a folder. One that a sparse checkout left out
// is taken from the index; one that is a link is not followed, as git does not.
func (w *walker) addIgnores(f folder, from, to int) (ignoreFiles, error) {
	dir, name, ignores := f.path, path.Join(f.path, ".gitignore"), f.ignores
	var text string
	switch info, err := f.Lstat(".gitignore"); {
	case err == nil && info.Mode().IsRegular():
		patterns, err := readPatterns(f.Open(".gitignore"))
		if err != nil {
			return nil, err
		}
		return append(slices.Clip(ignores), ignoreFile{dir, patterns}), nil
	case errors.Is(err, fs.ErrNotExist):
		at := w.search(from, to, name)
		if at == to || w.index.entries[at].path != name || !w.index.entries[at].skipWorktree {
			return ignores, nil
		}
		content, err := w.repo.objects.readAs(plumbing.BlobObject, w.index.entries[at].id)
		if err != nil && !errors.Is(err, ErrMissingObject) {
			return nil, err
		}
		text = string(content[:min(len(content), maxIgnore)])
		return append(slices.Clip(ignores), ignoreFile{dir, parseIgnore(text)}), nil
	}
	return ignores, nil
}

// file records a regular file or link, with its id where the index vouches for it.
func (w *walker) file(f folder, name string, at int, tracked bool) error {
	info, err := f.Lstat(path.Base(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed just now
	}
	if err != nil {
		return err
	}
	if w.pathBytes += len(name); w.pathBytes > maxPathBytes || len(w.found) == maxEntries {
		return fmt.Errorf("more than %d files: %w", maxEntries, ErrTooLarge)
	}
	e := entry{path: name, mode: diskMode(info)}
	if tracked {
		w.seen[at] = true
		old := &w.index.entries[at]
		if !w.repo.fileMode && isPlain(old.mode) && isPlain(e.mode) {
			e.mode = old.mode
		}
		if w.index.vouches(old, info) {
			e.id, e.known = old.id, true
		}
	}
	w.found = append(w.found, e)
	return nil
}

func diskMode(info fs.FileInfo) filemode.FileMode {
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return filemode.Symlink
	case info.Mode()&0o100 != 0:
		return filemode.Executable
	}
	return filemode.Regular
}

// submodule is the entry of a submodule, none where its folder was removed. Which commit it has is
// looked up when it is asked for, unless nothing was checked out there.
func (w *walker) submodule(e indexEntry) []entry {
	found := entry{path: e.path, mode: e.mode, id: e.id, known: true, sparse: e.skipWorktree}
	_, err := w.repo.dir.Lstat(filepath.FromSlash(e.path))
	switch {
	case e.skipWorktree:
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		found.known = !w.repo.hasSubmodule(e.path)
	}
	return []entry{found}
}

// addUnseen adds what belongs to the state without being walked: submodules, and
// files that a sparse checkout left out.
func (w *walker) addUnseen() {
	for i, e := range w.index.entries {
		switch {
		case w.seen[i] || e.unsettled:
		case e.mode == filemode.Submodule:
			w.found = append(w.found, w.submodule(e)...)
		case e.skipWorktree:
			w.found = append(w.found, entry{path: e.path, mode: e.mode, id: e.id, known: true, sparse: true})
		}
	}
}
