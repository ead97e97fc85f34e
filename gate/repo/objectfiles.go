package repo

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// files reads objects for many goroutines at a time: go-git's storage serves one after the
// other, and with tens of thousands of small files that is what a run waits for. It knows the
// common cases, an index of version 2 with a whole object in one pack and an object in a file
// of its own, and gives only what has the id that was asked for. Everything else, and
// everything that is wrong, it leaves to go-git: damage, what is missing, and the words for it.
type files struct {
	mu      sync.Mutex
	folders []string // of objects
	looked  int      // into so many of them for packs
	open    []*pack
	bases   baseCache
}

// maxFastPacks bounds the packs that are open at a time. Most clones have one.
const maxFastPacks = 16

// add makes known a folder of objects.
func (f *files) add(folder string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.folders = append(f.folders, folder)
}

// all are the folders, and their packs. What was made known since somebody asked is opened,
// the largest packs first.
func (f *files) all() ([]string, []*pack) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ; f.looked < len(f.folders); f.looked++ {
		for _, name := range indexesIn(filepath.Join(f.folders[f.looked], "pack")) {
			if len(f.open) == maxFastPacks {
				break
			}
			if k, err := openPack(name); err == nil {
				f.open = append(f.open, k)
			}
		}
	}
	return f.folders, f.open
}

// indexesIn are the indexes of the packs in a folder, the largest first.
func indexesIn(folder string) []string {
	entries, _ := os.ReadDir(folder) // go-git says what is wrong with it
	type index struct {
		name string
		size int64
	}
	var found []index
	for _, d := range entries {
		if filepath.Ext(d.Name()) != ".idx" || !d.Type().IsRegular() {
			continue
		}
		if info, err := d.Info(); err == nil {
			found = append(found, index{filepath.Join(folder, d.Name()), info.Size()})
		}
	}
	slices.SortFunc(found, func(a, b index) int { return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.name, b.name)) })
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.name
	}
	return names
}

// read returns an object of at most limit bytes. False says nothing about it.
func (f *files) read(id plumbing.Hash, limit int64) (plumbing.ObjectType, []byte, bool) {
	is := func(kind plumbing.ObjectType, content []byte, err error) bool {
		return err == nil && plumbing.Hash(sumObject(kind, content)) == id
	}
	folders, packs := f.all()
	for _, k := range packs {
		if at, ok := k.find(id); ok {
			if kind, content, err := k.object(at, limit, &f.bases); is(kind, content, err) {
				return kind, content, true
			}
		}
	}
	for _, folder := range folders {
		if kind, content, err := readLoose(folder, id, limit); is(kind, content, err) {
			return kind, content, true
		}
	}
	return plumbing.InvalidObject, nil, false
}

// size returns the length of an object. False says nothing about it.
func (f *files) size(id plumbing.Hash) (int64, bool) {
	folders, packs := f.all()
	for _, k := range packs {
		if at, ok := k.find(id); ok {
			if n, err := k.size(at); err == nil {
				return n, true
			}
		}
	}
	for _, folder := range folders {
		if n, err := sizeLoose(folder, id); err == nil {
			return n, true
		}
	}
	return 0, false
}

func (f *files) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, k := range f.open {
		errs = append(errs, k.file.Close())
	}
	f.open, f.folders = nil, nil
	return errors.Join(errs...)
}

// baseCache keeps what deltas were applied to, as the next delta is often one to the same. What
// is in it is only read.
type baseCache struct {
	mu    sync.Mutex
	kept  map[basePlace]base
	order []basePlace // as they came
	bytes int
}

type basePlace struct {
	of *pack
	at int64
}

type base struct {
	kind    plumbing.ObjectType
	content []byte
}

// maxBases bounds what is kept, in bytes, and maxBase one of it.
const (
	maxBases = 8 << 20
	maxBase  = 1 << 20
)

func (c *baseCache) get(at basePlace) (base, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.kept[at]
	return b, ok
}

func (c *baseCache) put(at basePlace, b base) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.kept[at]; ok || len(b.content) > maxBase {
		return
	}
	if c.kept == nil {
		c.kept = make(map[basePlace]base)
	}
	c.kept[at] = b
	c.order = append(c.order, at)
	for c.bytes += len(b.content); c.bytes > maxBases; {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.bytes -= len(c.kept[oldest].content)
		delete(c.kept, oldest)
	}
}
