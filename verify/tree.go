package verify

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"sync"
)

// Limits on what is read from a tree, in bytes.
const (
	// MaxEvidence bounds a piece of evidence. Published sidecars are 1 to 13 KB.
	MaxEvidence = 16 << 20
	// MaxInput bounds an input that is read whole.
	MaxInput = 64 << 20
)

// Tree is one state of the files: a file system, and a memory of what was
// already derived from it, so that an input that a thousand pieces of evidence
// share is read and hashed once. It is safe for use by several goroutines.
type Tree struct {
	fsys   fs.FS
	memo   sync.Map // any -> *entry
	shared *sync.Map
}

type entry struct {
	once  sync.Once
	value any
}

// NewTree wraps fsys. A file system that has a method Files() []string is
// listed by it; any other is walked.
func NewTree(fsys fs.FS) *Tree {
	return &Tree{fsys: fsys, shared: new(sync.Map)}
}

// Sibling wraps another state of the same files. What is remembered by content
// (see [OnceForContent]) is shared between t and the new tree.
func (t *Tree) Sibling(fsys fs.FS) *Tree {
	return &Tree{fsys: fsys, shared: t.shared}
}

// FS returns the underlying file system.
func (t *Tree) FS() fs.FS { return t.fsys }

// Once returns make's value for key, calling make at most once per tree and
// key, also under concurrency. Keys follow the rules of map keys; use a type
// of your own, as for context keys.
func Once[T any](t *Tree, key any, make func() T) T {
	return once(&t.memo, key, make)
}

// OnceForContent is Once with a memory that all sibling trees share. Its key
// must stand for content, such as a hash of a file's bytes.
func OnceForContent[T any](t *Tree, key any, make func() T) T {
	return once(t.shared, key, make)
}

func once[T any](m *sync.Map, key any, make func() T) T {
	e, ok := m.Load(key)
	if !ok {
		e, _ = m.LoadOrStore(key, new(entry))
	}
	en := e.(*entry)
	en.once.Do(func() { en.value = make() })
	v, _ := en.value.(T)
	return v
}

type existsKey string

// Exists reports whether name is a readable regular file of the tree. A path
// that would leave the tree does not exist.
func (t *Tree) Exists(name string) bool {
	return Once(t, existsKey(name), func() bool {
		if !fs.ValidPath(name) {
			return false
		}
		info, err := fs.Stat(t.fsys, name)
		return err == nil && info.Mode().IsRegular()
	})
}

type filesKey struct{}

// Files lists every file of the tree, sorted. Folders that can't be read and git's
// own are left out. Callers must not change the slice.
func (t *Tree) Files() []string {
	return Once(t, filesKey{}, func() []string {
		if l, ok := t.fsys.(interface{ Files() []string }); ok {
			return l.Files()
		}
		var names []string
		_ = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err == nil && d.IsDir() && d.Name() == ".git":
				return fs.SkipDir // no part of the files, and often larger than they are
			case err == nil && !d.IsDir():
				names = append(names, name)
			}
			return nil
		})
		slices.Sort(names)
		return names
	})
}

type baseNamesKey struct{}

// Named lists the files of the tree whose last path element is base, sorted.
func (t *Tree) Named(base string) []string {
	byBase := Once(t, baseNamesKey{}, func() map[string][]string {
		m := make(map[string][]string)
		for _, name := range t.Files() {
			m[path.Base(name)] = append(m[path.Base(name)], name)
		}
		return m
	})
	return byBase[base]
}

// Under lists the files of the tree below folder dir ("." for all), sorted.
func (t *Tree) Under(dir string) []string {
	files := t.Files()
	if dir == "." {
		return files
	}
	lo := sort.SearchStrings(files, dir+"/")
	hi := sort.SearchStrings(files, dir+"0") // '0' is the byte after '/'
	return files[lo:hi]
}

// ReadError says why a file of the tree could not be read, in words that
// complete the sentence "the file …".
type ReadError struct {
	Path string
	Why  string
	Err  error // may be nil
}

func (e *ReadError) Error() string { return e.Path + ": the file " + e.Why }

// Unwrap gives the file system's own error, if there was one.
func (e *ReadError) Unwrap() error { return e.Err }

// ReadFile reads a regular file of at most limit bytes. Every error is a
// *[ReadError]; [fs.ErrNotExist] is kept apart through errors.Is.
func (t *Tree) ReadFile(name string, limit int64) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &ReadError{name, "has a path that leaves the tree", fs.ErrInvalid}
	}
	info, err := fs.Stat(t.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &ReadError{name, "does not exist", err}
	case err != nil:
		return nil, &ReadError{name, "can't be read: " + bare(err), err}
	case info.IsDir():
		return nil, &ReadError{name, "is a folder", nil}
	case !info.Mode().IsRegular():
		return nil, &ReadError{name, "is not a regular file", nil}
	case info.Size() > limit:
		return nil, &ReadError{name, fmt.Sprintf("is larger than %d MiB (%d bytes)", limit>>20, info.Size()), nil}
	}
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, &ReadError{name, "can't be read: " + bare(err), err}
	}
	defer f.Close()
	buf := make([]byte, 0, info.Size()+1)
	// The size may have been a lie, so the limit is enforced once more.
	lr := io.LimitReader(f, limit+1)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := lr.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &ReadError{name, "can't be read: " + bare(err), err}
		}
	}
	if int64(len(buf)) > limit {
		return nil, &ReadError{name, fmt.Sprintf("is larger than %d MiB", limit>>20), nil}
	}
	return buf, nil
}

// bare drops the operation and path that fs.PathError adds: the path is shown
// once already, and may be a path of the machine.
func bare(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
