package verify

import (
	"hash/maphash"
	"io/fs"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// Tree is one state of the files: a file system, and a memory of what was
// already derived from it, so that an input that a thousand pieces of evidence
// share is read and hashed once. It is safe for use by several goroutines.
//
// A tree from [Tree.Noting] is the same tree, and notes in addition what is read
// through it: files and folders, found or not. That record decides which evidence a
// change affects, so it has no gaps: what comes out of the memory counts as read by
// whoever asked for it.
type Tree struct {
	*state
	reads *Reads // nil: nobody asked to know
	held  *held  // nil: every file is read
}

// held is the content of one file that was read a moment ago.
type held struct {
	name string
	data []byte
}

// state is what all views of a tree share.
type state struct {
	fsys      fs.FS
	memo      sync.Map // any -> *entry
	shared    *sync.Map
	sightings sightings
	// changed is the name of a file that was seen otherwise later.
	changed atomic.Pointer[string]
}

type entry struct {
	once  sync.Once
	value any
	reads *Reads // what making the value read
}

// NewTree wraps fsys. A file system that has a method Files() []string is
// listed by it; any other is walked.
func NewTree(fsys fs.FS) *Tree {
	return &Tree{state: &state{fsys: fsys, shared: new(sync.Map)}}
}

// Sibling wraps another state of the same files. What is remembered by content
// (see [OnceForContent]) is shared between t and the new tree.
func (t *Tree) Sibling(fsys fs.FS) *Tree {
	return &Tree{state: &state{fsys: fsys, shared: t.shared}}
}

// Noting returns the same tree, and the record of what is read through it.
func (t *Tree) Noting() (*Tree, *Reads) {
	r := new(Reads)
	return &Tree{state: t.state, reads: r}, r
}

// holding returns the same tree with the content of one file at hand, so that it is not
// read twice.
func (t *Tree) holding(name string, data []byte) *Tree {
	return &Tree{state: t.state, reads: t.reads, held: &held{name, data}}
}

// Aside returns the same tree for reading what no verdict rests on, such as a hint:
// nothing of it is noted.
func (t *Tree) Aside() *Tree { return &Tree{state: t.state} }

// Searching returns the same tree for looking through many files for the few that a
// verdict comes to rest on, which are then read through t. Of the search only what could
// not be had is noted, as nobody knows what it holds: an index of the whole tree must not
// make each piece of evidence one that every change affects. It is for findings that rest on
// what was found. One that rests on nothing having been found needs the whole record, or
// the same would be taken for found nowhere on a base that has it.
func (t *Tree) Searching() *Tree {
	if t.reads == nil {
		return t
	}
	return &Tree{state: t.state, reads: &Reads{losses: t.reads}}
}

// FS returns the underlying file system. What is read through it is not noted.
func (t *Tree) FS() fs.FS { return t.fsys }

// Once returns make's value for key, calling make at most once per tree and
// key, also under concurrency. Keys follow the rules of map keys; use a type
// of your own, as for context keys. make must read through the tree that it is
// given: what it reads is noted for everyone who asks for the value.
func Once[T any](t *Tree, key any, make func(t *Tree) T) T {
	e := load(&t.memo, key)
	e.once.Do(func() {
		view, reads := t.Noting()
		e.value, e.reads = make(view), reads
	})
	t.reads.include(e.reads)
	v, _ := e.value.(T)
	return v
}

// OnceForContent is Once with a memory that all sibling trees share. Its key
// must stand for content, such as a hash of a file's bytes, and make reads no tree.
func OnceForContent[T any](t *Tree, key any, make func() T) T {
	e := load(t.shared, key)
	e.once.Do(func() { e.value = make() })
	v, _ := e.value.(T)
	return v
}

func load(m *sync.Map, key any) *entry {
	e, ok := m.Load(key)
	if !ok {
		e, _ = m.LoadOrStore(key, new(entry))
	}
	return e.(*entry)
}

type listKey struct{}

// list is every file of the tree, sorted. Git's own folder is left out; a folder that
// can't be read is noted as lost.
func (t *Tree) list() []string {
	return Once(t, listKey{}, func(t *Tree) []string {
		if l, ok := t.fsys.(interface{ Files() []string }); ok {
			return l.Files()
		}
		var names []string
		_ = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				t.reads.add(Read{Op: OpUnder, Name: name, Outcome: Lost, Why: "the folder can't be listed: " + bare(err)})
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
			case d.IsDir() && d.Name() == ".git":
				return fs.SkipDir // no part of the files, and often larger than they are
			case !d.IsDir():
				names = append(names, name)
			}
			return nil
		})
		slices.Sort(names)
		return names
	})
}

// Files lists every file of the tree, sorted. Callers must not change the slice.
func (t *Tree) Files() []string { return t.Under(".") }

type namesKey struct{}

// names finds files by their last element: chains of places in the list, by a hash of that.
// It holds no names, as a tree may have half a million.
type names struct {
	first []int32 // by hash: the first place of its chain, plus 1; 0 for none
	next  []int32 // by place: the next one, as in first
}

func namesOf(files []string) names {
	n := names{make([]int32, 1<<bits.Len(uint(len(files)))), make([]int32, len(files))}
	for i := len(files) - 1; i >= 0; i-- { // so that a chain is in order
		at := n.chain(lastElement(files[i]))
		n.next[i], *at = *at, int32(i+1)
	}
	return n
}

func (n names) chain(base string) *int32 {
	return &n.first[maphash.String(seed, base)&uint64(len(n.first)-1)]
}

// Named lists the files of the tree whose last path element is base, sorted.
func (t *Tree) Named(base string) []string {
	t.reads.add(Read{Op: OpNamed, Name: base, Outcome: Found})
	index := Once(t, namesKey{}, func(t *Tree) names { return namesOf(t.list()) })
	files := t.list()
	var found []string
	for i := *index.chain(base); i > 0; i = index.next[i-1] {
		if lastElement(files[i-1]) == base {
			found = append(found, files[i-1])
		}
	}
	return found
}

// lastElement is what is behind the last slash of a path that is clean.
func lastElement(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// Under lists the files of the tree below folder dir ("." for all), sorted.
func (t *Tree) Under(dir string) []string {
	t.reads.add(Read{Op: OpUnder, Name: dir, Outcome: Found})
	files := t.list()
	if dir == "." {
		return files
	}
	lo := sort.SearchStrings(files, dir+"/")
	hi := sort.SearchStrings(files, dir+"0") // '0' is the byte after '/'
	return files[lo:hi]
}
