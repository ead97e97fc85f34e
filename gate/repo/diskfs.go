package repo

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// errIsDir is what reading a folder as a file gives.
var errIsDir = errors.New("is a directory")

// diskFS shows the files of the work tree, all but .git.
type diskFS struct{ root *os.Root }

// readlink is what [follow] asks.
func (d *diskFS) readlink(name string) (string, bool, error) {
	info, err := d.root.Lstat(filepath.FromSlash(name))
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		return "", false, cause(err)
	}
	target, err := d.root.Readlink(filepath.FromSlash(name))
	return filepath.ToSlash(target), true, cause(err)
}

// cause strips the path off an error that gets another one. A path below a file
// does not exist, as in a commit.
func cause(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (d *diskFS) stat(resolved, name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(filepath.FromSlash(resolved))
	if err != nil {
		return nil, cause(err)
	}
	if err := regularOrDir(info); err != nil {
		return nil, err
	}
	return named{info, path.Base(name)}, nil
}

// regularOrDir refuses what could block, or is no file at all.
func regularOrDir(info fs.FileInfo) error {
	kind := ""
	switch t := info.Mode().Type(); {
	case t == 0 || t == fs.ModeDir:
		return nil
	case t&fs.ModeNamedPipe != 0:
		kind = "named pipe"
	case t&fs.ModeSocket != 0:
		kind = "socket"
	case t&fs.ModeDevice != 0:
		kind = "device"
	default:
		kind = "special file"
	}
	return fmt.Errorf("%w: %s", ErrNotRegular, kind)
}

// open opens a file or folder; stored are entries to add to a folder.
func (d *diskFS) open(resolved, name string, stored []fs.DirEntry) (fs.File, error) {
	if _, err := d.stat(resolved, name); err != nil {
		return nil, err
	}
	// Not blocking, so that a file that became a named pipe just now can't hang us.
	f, err := d.root.OpenFile(filepath.FromSlash(resolved), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, cause(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = regularOrDir(info)
	}
	if err != nil {
		f.Close()
		return nil, cause(err)
	}
	info = named{info, path.Base(name)}
	if !info.IsDir() {
		return &diskFile{f, info}, nil
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, cause(err)
	}
	var shown []fs.DirEntry
	onDisk := map[string]bool{}
	for _, e := range entries {
		onDisk[e.Name()] = true
		if usablePath(e.Name()) {
			shown = append(shown, e)
		}
	}
	for _, e := range stored {
		if !onDisk[e.Name()] {
			shown = append(shown, e)
		}
	}
	return newDirFile(info, shown), nil
}

func (d *diskFS) readFile(resolved string, limit int64) ([]byte, error) {
	f, err := d.open(resolved, resolved, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errIsDir
	case info.Size() > limit:
		return nil, fmt.Errorf("%d bytes: %w", info.Size(), ErrTooLarge)
	}
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case err == io.EOF:
			return content, nil
		case err != nil:
			return nil, cause(err)
		case int64(len(content)) > limit:
			return nil, fmt.Errorf("grew while it was read: %w", ErrTooLarge)
		case len(content) == cap(content):
			content = append(content, 0)[:len(content)]
		}
	}
}

// hash computes the blob id of a file or link: SHA-1 of "blob", its size and content.
func (d *diskFS) hash(e entry) (plumbing.Hash, error) {
	var content io.Reader
	var size int64
	if e.mode == filemode.Symlink {
		target, err := d.root.Readlink(filepath.FromSlash(e.path))
		if err != nil {
			return plumbing.ZeroHash, cause(err)
		}
		target = filepath.ToSlash(target)
		content, size = strings.NewReader(target), int64(len(target))
	} else {
		f, err := d.open(e.path, e.path, nil)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return plumbing.ZeroHash, cause(err)
		}
		content, size = f, info.Size()
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	n, err := io.Copy(h, io.LimitReader(content, size+1))
	if err == nil && n != size {
		err = errors.New("changed while it was read")
	}
	if err != nil {
		return plumbing.ZeroHash, cause(err)
	}
	return plumbing.Hash(h.Sum(nil)), nil
}
