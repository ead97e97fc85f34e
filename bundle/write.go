package bundle

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Written is a bundle on disk.
type Written struct {
	Path   string // relative to the root, slash-separated
	SHA256 string // "sha256:" + hex
	Size   int64  // bytes
}

// WriteFile writes the bundle as <dir>/<run_id>.tar.gz below root, by the rules
// of the function [WriteFile].
func (b *Bundle) WriteFile(root *os.Root, dir string) (Written, error) {
	s, err := b.Stage(root, dir)
	if err != nil {
		return Written{}, err
	}
	return s.Written, s.Commit()
}

// Stage writes the bundle beside its place, under a temporary name: what belongs together
// appears together, or not at all. The caller commits or discards it.
func (b *Bundle) Stage(root *os.Root, dir string) (*Staged, error) {
	w := Written{Path: path.Join(dir, b.RunID+".tar.gz"), SHA256: b.sha256, Size: int64(len(b.archive))}
	s, err := stage(root, w.Path, b.archive)
	if err != nil {
		return nil, err
	}
	s.Written = w
	return s, nil
}

// StageFile is [Bundle.Stage] for a bundle that was made on another machine: data is the
// archive, and name where it goes below root.
func StageFile(root *os.Root, name string, data []byte) (*Staged, error) {
	s, err := stage(root, name, data)
	if err != nil {
		return nil, err
	}
	s.Written = Written{Path: name, SHA256: digest(data), Size: int64(len(data))}
	return s, nil
}

// Staged is a file that was written and has not yet got its name.
type Staged struct {
	Written
	root       *os.Root
	temp, name string // of this system; temp is empty when the file is there already
}

// Replaces reports whether committing changes a file that is there.
func (s *Staged) Replaces() bool {
	_, err := s.root.Lstat(s.name)
	return s.temp != "" && err == nil
}

// Commit gives the file its name.
func (s *Staged) Commit() error {
	if s.temp == "" {
		return nil
	}
	if err := s.root.Rename(s.temp, s.name); err != nil {
		s.Discard()
		return err
	}
	s.temp = ""
	return nil
}

// Discard removes a file that is not to get its name.
func (s *Staged) Discard() {
	if s.temp != "" {
		_ = s.root.Remove(s.temp)
		s.temp = ""
	}
}

// WriteFile writes data as the file name below root. The name is slash-separated;
// its folders are created where they are missing, and it is an error if it leads
// out of root by "..", or over a symbolic link at all: in a work tree, also a link that stays
// inside may lead to where git runs what it finds.
//
// The file appears whole or not at all: it is written under a temporary name
// and renamed. Nothing waits for the disk: a run that the power ended is repaired by the
// next, and until then its digest tells. A file that is already what would be written is left
// alone. Folders get mode 0755 and the file 0644, whatever the umask; a process
// that runs as root, as in a container, gives them to the owner of root's top
// folder, so that whoever owns the workspace can delete them.
func WriteFile(root *os.Root, name string, data []byte) error {
	s, err := stage(root, name, data)
	if err != nil {
		return err
	}
	return s.Commit()
}

func stage(root *os.Root, name string, data []byte) (*Staged, error) {
	s, err := place(root, name)
	if err != nil {
		return nil, err
	}
	if same, err := holds(root, s.name, data); err != nil || same {
		return s, err
	}
	return s, s.write(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// place makes the folders for a file that is still to be written.
func place(root *os.Root, name string) (*Staged, error) {
	native := filepath.FromSlash(name)
	if !filepath.IsLocal(native) {
		return nil, &fs.PathError{Op: "write", Path: name, Err: errors.New("path leaves the root")}
	}
	return &Staged{root: root, name: native}, makeFolders(root, path.Dir(path.Clean(name)))
}

// write writes it under a temporary name.
func (s *Staged) write(content func(io.Writer) error) error {
	s.temp = filepath.Join(filepath.Dir(s.name), "."+rand.Text()+".tmp")
	err := writeTemp(s.root, s.temp, content)
	if err != nil {
		s.Discard()
	}
	return err
}

// ErrLink says that the way to a folder leads over a link, or over something else that is
// no folder.
var ErrLink = errors.New("is no folder of its own: a link, or a file, stands in its place")

// CheckFolder reports whether dir, slash-separated below root, is a plain folder reached
// over plain folders: nil if it is, or [ErrLink]; [fs.ErrNotExist] if it is not there.
func CheckFolder(root *os.Root, dir string) error {
	at := ""
	for segment := range strings.SplitSeq(dir, "/") {
		if at = path.Join(at, segment); at == "." {
			continue
		}
		info, err := root.Lstat(filepath.FromSlash(at))
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return &fs.PathError{Op: "open", Path: at, Err: ErrLink}
		}
	}
	return nil
}

// makeFolders creates dir and the folders above it.
func makeFolders(root *os.Root, dir string) error {
	made := ""
	for segment := range strings.SplitSeq(dir, "/") {
		if made = path.Join(made, segment); made == "." {
			continue
		}
		name := filepath.FromSlash(made)
		switch err := root.Mkdir(name, 0o755); {
		case errors.Is(err, fs.ErrExist):
			if err := CheckFolder(root, made); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		err = errors.Join(settle(root, f, 0o755), f.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

// settle gives a new file or folder its mode and its owner, through the open
// file: its name may have come to mean something else.
func settle(root *os.Root, f *os.File, mode fs.FileMode) error {
	if err := f.Chmod(mode); err != nil {
		return err
	}
	top, err := root.Stat(".")
	if err != nil {
		return err
	}
	if uid, gid, ok := owner(top); ok && os.Geteuid() == 0 {
		return f.Chown(uid, gid)
	}
	return nil
}

func writeTemp(root *os.Root, name string, content func(io.Writer) error) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = content(f)
	if err == nil {
		err = settle(root, f, 0o644)
	}
	return errors.Join(err, f.Close())
}

// holds reports whether name is a regular file with exactly data in it.
func holds(root *os.Root, name string, data []byte) (bool, error) {
	f, err := standing(root, name, int64(len(data)))
	if f == nil {
		return false, err
	}
	defer f.Close()
	found := make([]byte, len(data))
	_, err = io.ReadFull(f, found)
	return err == nil && bytes.Equal(found, data), nil
}

// standing opens the regular file that name is, if it has a size; -1 is any. It is nil for any
// other, and for one that can't be read: the rename replaces it. A folder is an error.
func standing(root *os.Root, name string, size int64) (*os.File, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder", filepath.ToSlash(name))
	case !info.Mode().IsRegular() || size >= 0 && info.Size() != size:
		return nil, nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, nil
	}
	return f, nil
}
