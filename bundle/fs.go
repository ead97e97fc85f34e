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

// layOut gives entries their places in the repository, of the tree or of the base. When two claim the same
// one, evidence goes before inputs, and those before report and cassettes; the
// second is a problem, and so is an entry whose path is no valid one or needs a
// folder where another entry is a file.
func layOut(folders []string, entries []Entry, paths map[string]string) (files map[string]Entry, wrong []problem) {
	files = make(map[string]Entry)
	misplaced := func(e Entry, reason string) {
		wrong = append(wrong, problem{"repository paths", "misplaced", e.Name, reason, verify.Fail})
	}
	for _, folder := range folders {
		for _, e := range entries {
			if !strings.HasPrefix(e.Name, folder+"/") {
				continue
			}
			name, ok := repoPathIn(folders, e.Name, paths)
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
//
// What the manifest says of other files of the tree counts: listings show them, and those
// that could not be read there can't be read here.
func (a *Archive) FS() fs.FS {
	files, _ := layOut(places[:], a.Entries, a.Manifest.Paths)
	var listed []string
	var unreadable map[string]string
	if g := a.Manifest.ReplayGate; g != nil {
		listed, unreadable = g.Listed, g.Unreadable
	}
	return newRepoFS(files, spelledOut(listed), unreadableOf(unreadable))
}

// BaseFS is the same of the base: what the tree holds, with what differs there. It is nil
// for a bundle that has no part of it.
func (a *Archive) BaseFS() fs.FS {
	g := a.Manifest.ReplayGate
	if g == nil || g.Base == nil {
		return nil
	}
	files, _ := layOut(places[:], a.Entries, a.Manifest.Paths)
	differing, _ := layOut([]string{placeBase}, a.Entries, a.Manifest.Paths)
	maps.Copy(files, differing)
	listed, unreadable := spelledOut(g.Listed), unreadableOf(g.Unreadable)
	for _, name := range slices.Sorted(maps.Keys(spelledOut(g.Base.Absent))) {
		delete(files, name)
		delete(listed, name)
		delete(unreadable, name)
	}
	for name := range differing {
		delete(unreadable, name)
	}
	for name, why := range unreadableOf(g.Base.Unreadable) {
		delete(files, name)
		unreadable[name] = why
	}
	return newRepoFS(files, listed, unreadable)
}

// spelledOut are paths of the manifest as the repository spells them. One that can't be
// spelled out is none.
func spelledOut(paths []string) map[string]bool {
	names := make(map[string]bool, len(paths))
	for _, name := range Spelled(paths) {
		names[name] = true
	}
	return names
}

// Spelled are paths of a manifest as the repository spells them, without those that are
// none.
func Spelled(paths []string) []string {
	var names []string
	for _, p := range paths {
		if name, err := unescapeName(p); err == nil && fs.ValidPath(name) {
			names = append(names, name)
		}
	}
	return names
}

func unreadableOf(paths map[string]string) map[string]string {
	names := make(map[string]string, len(paths))
	for p, why := range paths {
		if name, err := unescapeName(p); err == nil && fs.ValidPath(name) {
			names[name] = why
		}
	}
	return names
}

func newRepoFS(files map[string]Entry, listed map[string]bool, unreadable map[string]string) *repoFS {
	f := &repoFS{files: files, unreadable: unreadable, dirs: map[string][]string{".": nil}}
	for name := range listed {
		if _, ok := files[name]; !ok {
			f.names = append(f.names, name)
		}
	}
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
	slices.Sort(f.names)
	return f
}

// repoFS is the content of a bundle laid out as in the repository.
type repoFS struct {
	files      map[string]Entry
	unreadable map[string]string   // why each can't be read, by path
	dirs       map[string][]string // base names below a folder, sorted
	names      []string            // all files, also those that are only listed, sorted
}

// Files lists all files, sorted.
func (f *repoFS) Files() []string { return f.names }

// Open implements [fs.FS].
func (f *repoFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.Stat(name)
	if _, unreadable := f.unreadable[name]; unreadable {
		return nil, err
	}
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
	if why, ok := f.unreadable[name]; ok {
		return nil, &verify.ReadError{Path: name, Why: why, Outcome: verify.Unusable}
	}
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
