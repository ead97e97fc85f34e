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
	w := Written{Path: path.Join(dir, b.RunID+".tar.gz"), SHA256: b.sha256, Size: int64(len(b.archive))}
	if err := WriteFile(root, w.Path, b.archive); err != nil {
		return Written{}, err
	}
	return w, nil
}

// WriteFile writes data as the file name below root. The name is slash-separated;
// its folders are created where they are missing, and it is an error if it leads
// out of root, by ".." or by a symbolic link.
//
// The file appears whole or not at all: it is written under a temporary name,
// synced and renamed. A file that is already what would be written is left
// alone. Folders get mode 0755 and the file 0644, whatever the umask; a process
// that runs as root, as in a container, gives them to the owner of root's top
// folder, so that whoever owns the workspace can delete them.
func WriteFile(root *os.Root, name string, data []byte) error {
	native := filepath.FromSlash(name)
	if !filepath.IsLocal(native) {
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("path leaves the root")}
	}
	if err := makeFolders(root, path.Dir(path.Clean(name))); err != nil {
		return err
	}
	if same, err := holds(root, native, data); err != nil || same {
		return err
	}
	temp := filepath.Join(filepath.Dir(native), "."+rand.Text()+".tmp")
	if err := writeTemp(root, temp, data); err != nil {
		_ = root.Remove(temp)
		return err
	}
	if err := root.Rename(temp, native); err != nil {
		_ = root.Remove(temp)
		return err
	}
	syncFolder(root, filepath.Dir(native))
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

func writeTemp(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = settle(root, f, 0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// holds reports whether name is a regular file with exactly data in it.
func holds(root *os.Root, name string, data []byte) (bool, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, fmt.Errorf("%s is a folder", filepath.ToSlash(name))
	case !info.Mode().IsRegular() || info.Size() != int64(len(data)):
		return false, nil
	}
	f, err := root.Open(name)
	if err != nil {
		return false, nil // unreadable; the rename replaces it
	}
	defer f.Close()
	found := make([]byte, len(data))
	_, err = io.ReadFull(f, found)
	return err == nil && bytes.Equal(found, data), nil
}

// syncFolder makes a rename durable where the system can; where it can't, the
// bundle is complete all the same.
func syncFolder(root *os.Root, dir string) {
	if f, err := root.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
