package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Open opens a file or folder by its slash-separated path from the root.
func (t *Snapshot) Open(name string) (fs.File, error) {
	resolved, err := t.resolve(name)
	var f fs.File
	if err == nil {
		if t.isStored(resolved) {
			f, err = t.stored.open(resolved, name)
		} else {
			f, err = t.disk.open(resolved, name, t.stored.children(resolved))
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

// Stat describes the file or folder that Open would open.
func (t *Snapshot) Stat(name string) (fs.FileInfo, error) {
	resolved, err := t.resolve(name)
	var info fs.FileInfo
	if err == nil {
		if t.isStored(resolved) {
			info, err = t.stored.stat(resolved, name)
		} else {
			info, err = t.disk.stat(resolved, name)
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return info, nil
}

// ReadFile returns the content of a file of at most 64 MiB.
func (t *Snapshot) ReadFile(name string) ([]byte, error) { return t.ReadRegular(name, maxObject) }

// ReadRegular returns the content of a file of at most limit bytes, and no more than 64 MiB.
func (t *Snapshot) ReadRegular(name string, limit int64) ([]byte, error) {
	limit = min(limit, maxObject)
	resolved, err := t.resolve(name)
	var content []byte
	if err == nil {
		if t.isStored(resolved) {
			content, err = t.stored.readFile(resolved, limit)
		} else {
			content, err = t.disk.readFile(resolved, limit)
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return content, nil
}

// ReadDir lists a folder, sorted by name.
func (t *Snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	return dir.ReadDir(-1)
}

// Lstat is Stat, except that a link at the end of name is itself described.
func (t *Snapshot) Lstat(name string) (fs.FileInfo, error) {
	at, _, isLink, err := t.linkAt(name)
	var info fs.FileInfo
	switch {
	case err != nil:
	case !isLink:
		return t.Stat(name)
	case t.isStored(at):
		info, err = t.stored.stat(at, name)
	default:
		info, err = t.disk.root.Lstat(filepath.FromSlash(at))
	}
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: cause(err)}
	}
	return info, nil
}

// ReadLink returns the target of a link as it is written, wherever it leads.
func (t *Snapshot) ReadLink(name string) (string, error) {
	_, target, isLink, err := t.linkAt(name)
	if err == nil && !isLink {
		err = fs.ErrInvalid
	}
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return target, nil
}

// Target returns the path of the file or folder that opening a name opens: where
// links lead, or the name itself. It need not be there.
func (t *Snapshot) Target(name string) (string, error) {
	target, err := t.resolve(name)
	if err != nil {
		return "", &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return target, nil
}

// resolve checks a name and follows the links in it.
func (t *Snapshot) resolve(name string) (string, error) {
	switch {
	case !fs.ValidPath(name):
		return "", fs.ErrInvalid
	case strings.Count(name, "/") > maxTreeDepth:
		return "", ErrTooLarge
	case name != "." && !usablePath(name):
		return "", fs.ErrNotExist
	}
	// The entries were seen in folders that are no links.
	if e, ok := t.files.find(name); ok && isPlain(e.mode) {
		return name, nil
	}
	return follow(name, t.readlink)
}

// linkAt follows the links in a name up to its last element.
func (t *Snapshot) linkAt(name string) (at, target string, isLink bool, err error) {
	if !fs.ValidPath(name) {
		return "", "", false, fs.ErrInvalid
	}
	if name == "." {
		return name, "", false, nil
	}
	if at, err = t.resolve(path.Dir(name)); err != nil {
		return "", "", false, err
	}
	if at = path.Join(at, path.Base(name)); !usablePath(at) {
		return "", "", false, fs.ErrNotExist
	}
	target, isLink, err = t.readlink(at)
	return at, target, isLink, err
}

// readlink is what [follow] asks.
func (t *Snapshot) readlink(name string) (string, bool, error) {
	if t.disk == nil {
		return t.stored.readlink(name)
	}
	target, isLink, err := t.disk.readlink(name)
	if errors.Is(err, fs.ErrNotExist) {
		target, isLink, err = t.stored.readlink(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = t.absent(name)
	}
	return target, isLink, err
}

// absent is the error for a path that is not in the work tree: where a submodule was not
// checked out, nobody knows what is in it.
func (t *Snapshot) absent(name string) error {
	if link, ok := t.submoduleAbove(name); ok && t.repo.lacksBelow(link, name) {
		return fmt.Errorf("%s: %w", link, ErrSubmodule)
	}
	return fs.ErrNotExist
}

// isStored reports whether a resolved path is to be read from the object
// database: always in a commit; in the work tree, when a sparse checkout left it out.
func (t *Snapshot) isStored(resolved string) bool {
	if t.disk == nil {
		return true
	}
	if _, ok := t.stored.files.find(resolved); ok {
		return true
	}
	if len(t.stored.files) == 0 || len(t.stored.files.below(resolved)) == 0 {
		return false
	}
	_, err := t.disk.stat(resolved, resolved)
	return errors.Is(err, fs.ErrNotExist)
}
