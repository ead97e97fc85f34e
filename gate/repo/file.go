package repo

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// info is the FileInfo of a path that is not on disk.
type info struct {
	name string
	size int64
	mode fs.FileMode
	when time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.when }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// named is a FileInfo under the name by which its file was asked for: the name of
// the link, where one was followed.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

// fileMode returns what an entry's mode is to an fs.FS.
func fileMode(m filemode.FileMode) fs.FileMode {
	switch m {
	case filemode.Executable:
		return 0o755
	case filemode.Symlink:
		return fs.ModeSymlink | 0o777
	}
	return 0o644
}

// blobFile is an open file whose content is in memory.
type blobFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *blobFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *blobFile) Close() error               { return nil }

// diskFile is an open file of the work tree.
type diskFile struct {
	fs.File
	info fs.FileInfo
}

func (f *diskFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// dirFile is an open folder.
type dirFile struct {
	info    fs.FileInfo
	entries []fs.DirEntry // sorted, those not yet read
}

func newDirFile(info fs.FileInfo, entries []fs.DirEntry) *dirFile {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return &dirFile{info, entries}
}

func (d *dirFile) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *dirFile) Close() error               { return nil }

func (d *dirFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

func (d *dirFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.entries)
	} else if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	some := d.entries[:n]
	d.entries = d.entries[n:]
	return some, nil
}

// dirInfo is the FileInfo of a folder that exists only as a prefix of paths.
func dirInfo(name string, when time.Time) info {
	return info{name: path.Base(name), mode: fs.ModeDir | 0o755, when: when}
}
