package bundle

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// layOut gives entries their places in the repository. When two claim the same
// one, evidence goes before inputs, and those before report and cassettes; the
// second is a problem, and so is an entry whose path is no valid one or needs a
// folder where another entry is a file.
func layOut(entries []Entry, paths map[string]string) (files map[string]Entry, wrong []problem) {
	files = make(map[string]Entry)
	misplaced := func(e Entry, reason string) {
		wrong = append(wrong, problem{"repository paths", "misplaced", e.Name, reason, verify.Fail})
	}
	for _, folder := range places {
		for _, e := range entries {
			if !strings.HasPrefix(e.Name, folder+"/") {
				continue
			}
			name, ok := repoPath(e.Name, paths)
			if !ok || name == "." || !fs.ValidPath(name) {
				misplaced(e, "has no valid repository path")
			} else if taken, ok := files[name]; !ok {
				files[name] = e
			} else if taken.SHA256 != e.SHA256 {
				misplaced(e, fmt.Sprintf("claims the path of %q with other content", taken.Name))
			}
		}
	}
	for name, e := range sorted(files) {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if f, ok := files[dir]; ok {
				misplaced(e, fmt.Sprintf("needs a folder where %q is a file", f.Name))
				delete(files, name)
				break
			}
		}
	}
	return files, wrong
}

// FS returns the evidence, the inputs, the report and the cassettes at their
// repository paths, as a read-only file system that is safe for use by several
// goroutines until the archive is closed. An entry that has no place there is
// left out, and is a finding.
func (a *Archive) FS() fs.FS {
	files, _ := layOut(a.Entries, a.Manifest.Paths)
	f := &repoFS{files: files, dirs: map[string][]string{".": nil}}
	for name := range sorted(files) {
		f.names = append(f.names, name)
		for child := name; child != "."; child = path.Dir(child) {
			dir := path.Dir(child)
			_, known := f.dirs[dir]
			f.dirs[dir] = append(f.dirs[dir], path.Base(child))
			if known {
				break
			}
		}
	}
	for dir := range f.dirs {
		slices.Sort(f.dirs[dir])
	}
	return f
}

// repoFS is the content of a bundle laid out as in the repository.
type repoFS struct {
	files map[string]Entry
	dirs  map[string][]string // base names below a folder, sorted
	names []string            // all files, sorted
}

// Files lists all files, sorted.
func (f *repoFS) Files() []string { return f.names }

// Open implements [fs.FS].
func (f *repoFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.Stat(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if info.IsDir() {
		return &openDir{fs: f, name: name, info: info}, nil
	}
	return &openFile{f.files[name].Open(), info}, nil
}

// Stat implements [fs.StatFS].
func (f *repoFS) Stat(name string) (fs.FileInfo, error) {
	if e, ok := f.files[name]; ok {
		return entryInfo{path.Base(name), e.Size, 0o444}, nil
	}
	if _, ok := f.dirs[name]; ok {
		return entryInfo{path.Base(name), 0, fs.ModeDir | 0o555}, nil
	}
	err := fs.ErrNotExist
	if !fs.ValidPath(name) {
		err = fs.ErrInvalid
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
}

type openFile struct {
	*io.SectionReader
	info fs.FileInfo
}

func (o *openFile) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *openFile) Close() error               { return nil }

type openDir struct {
	fs   *repoFS
	name string
	info fs.FileInfo
	read int
}

func (o *openDir) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *openDir) Close() error               { return nil }
func (o *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
}

// ReadDir implements [fs.ReadDirFile].
func (o *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := o.fs.dirs[o.name][o.read:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	list := make([]fs.DirEntry, 0, len(rest))
	for _, base := range rest {
		info, err := o.fs.Stat(strings.TrimPrefix(o.name+"/"+base, "./"))
		if err != nil {
			return list, err
		}
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	o.read += len(rest)
	return list, nil
}

// entryInfo describes a file or folder of a bundle. There are no times in one.
type entryInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i entryInfo) Name() string       { return i.name }
func (i entryInfo) Size() int64        { return i.size }
func (i entryInfo) Mode() fs.FileMode  { return i.mode }
func (i entryInfo) ModTime() time.Time { return time.Time{} }
func (i entryInfo) IsDir() bool        { return i.mode.IsDir() }
func (i entryInfo) Sys() any           { return nil }
