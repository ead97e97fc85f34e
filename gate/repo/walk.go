package repo

import (
	"errors"
	"fmt"
	"io/fs"
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

// dir walks one folder. The tracked paths in it are index.entries[from:to];
// hidden says that the folder is ignored, so that only those belong to the state.
func (w *walker) dir(dir string, from, to int, ignores ignoreFiles, hidden bool, depth int) error {
	if depth > maxTreeDepth {
		return fmt.Errorf("folders nested deeper than %d: %w", maxTreeDepth, ErrTooLarge)
	}
	entries, err := w.readDir(dir)
	if err != nil {
		if from == to && errors.Is(err, fs.ErrPermission) {
			return nil // untracked and closed to us, as git skips it
		}
		return err
	}
	if !hidden {
		if ignores, err = w.addIgnores(dir, from, to, ignores); err != nil {
			return err
		}
	}
	for _, d := range entries {
		if isGitDir(d.Name()) {
			continue
		}
		name := path.Join(dir, d.Name())
		at := w.search(from, to, name)
		tracked := at < to && w.index.entries[at].path == name
		switch kind := d.Type(); {
		case kind == 0, kind == fs.ModeSymlink:
			if tracked || !hidden && !ignores.ignored(name, false) {
				err = w.file(name, d, at, tracked)
			}
		case kind != fs.ModeDir:
			// A named pipe, socket or device belongs to no state.
		case tracked && w.index.entries[at].mode == filemode.Submodule:
			// Recorded by addUnseen, as the index has it: its own folder is not looked into.
		default:
			first, end := w.search(from, to, name+"/"), w.search(from, to, name+"0")
			hidden := hidden || ignores.ignored(name, true)
			if first == end && (hidden || w.isRepository(name)) {
				continue
			}
			err = w.dir(name, first, end, ignores, hidden, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) readDir(dir string) ([]fs.DirEntry, error) {
	f, err := w.repo.dir.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// isRepository reports whether an untracked folder is another repository; like
// git, its files are not ours.
func (w *walker) isRepository(dir string) bool {
	_, err := w.repo.dir.Lstat(filepath.FromSlash(dir + "/.git"))
	return err == nil
}

// addIgnores adds the .gitignore of a folder. One that a sparse checkout left out
// is taken from the index; one that is a link is not followed, as git does not.
func (w *walker) addIgnores(dir string, from, to int, ignores ignoreFiles) (ignoreFiles, error) {
	name := path.Join(dir, ".gitignore")
	var text string
	switch info, err := w.repo.dir.Lstat(filepath.FromSlash(name)); {
	case err == nil && info.Mode().IsRegular():
		patterns, err := readPatterns(w.repo.dir.Open(filepath.FromSlash(name)))
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
func (w *walker) file(name string, d fs.DirEntry, at int, tracked bool) error {
	info, err := d.Info()
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

// addUnseen adds what belongs to the state without being walked: submodules, and
// files that a sparse checkout left out.
func (w *walker) addUnseen() {
	for i, e := range w.index.entries {
		switch {
		case w.seen[i] || e.unsettled:
		case e.mode == filemode.Submodule:
			w.found = append(w.found, entry{path: e.path, mode: e.mode, id: e.id, known: true})
		case e.skipWorktree:
			w.found = append(w.found, entry{path: e.path, mode: e.mode, id: e.id, known: true, sparse: true})
		}
	}
}
