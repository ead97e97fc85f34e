package github

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"time"
)

// Open opens a file or a folder.
func (t *Tree) Open(name string) (fs.File, error) {
	f, err := t.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (t *Tree) open(name string) (fs.File, error) {
	at, err := t.resolve(name)
	if err != nil {
		return nil, err
	}
	if names, ok := t.dirs[at]; ok {
		d := &treeDir{info: dirInfo(name)}
		for _, n := range names {
			d.entries = append(d.entries, fs.FileInfoToDirEntry(t.info(path.Join(at, n))))
		}
		return d, nil
	}
	e := t.entries[at]
	content, err := t.read(e)
	if err != nil {
		return nil, err
	}
	return &treeFile{bytes.NewReader(content), treeInfo{path.Base(name), int64(len(content)), e.mode}}, nil
}

// Stat describes a file or folder, without fetching it unless links lead there.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	at, err := t.resolve(name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	info := t.info(at)
	info.name = path.Base(name)
	return info, nil
}

// info describes what is at a path, a link as a link.
func (t *Tree) info(at string) treeInfo {
	if e, ok := t.entries[at]; ok {
		return treeInfo{path.Base(at), e.size, e.mode}
	}
	return dirInfo(at)
}

func dirInfo(name string) treeInfo { return treeInfo{path.Base(name), 0, fs.ModeDir | 0o755} }

type treeInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i treeInfo) Name() string       { return i.name }
func (i treeInfo) Size() int64        { return i.size }
func (i treeInfo) Mode() fs.FileMode  { return i.mode }
func (i treeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i treeInfo) ModTime() time.Time { return time.Time{} }
func (i treeInfo) Sys() any           { return nil }

type treeFile struct {
	*bytes.Reader
	info treeInfo
}

func (f *treeFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *treeFile) Close() error               { return nil }

type treeDir struct {
	info    treeInfo
	entries []fs.DirEntry // not yet read
}

func (d *treeDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *treeDir) Close() error               { return nil }
func (d *treeDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir reads the next n entries, or all with n ≤ 0.
func (d *treeDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.entries)
	} else if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	next := d.entries[:n:n]
	d.entries = d.entries[n:]
	return next, nil
}
