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

// packs reads objects out of packs, for many goroutines at a time: go-git's storage serves one
// after the other, and with tens of thousands of small files that is what a run waits for. It
// knows the common case, an index of version 2 with a whole object in one pack, and gives only
// what has the id that was asked for. Everything else, and everything that is wrong, it leaves
// to go-git: loose objects, damage, what is missing, and the words for it.
type packs struct {
	mu      sync.Mutex
	folders []string // not yet looked into
	open    []*pack
	bases   baseCache
}

// maxFastPacks bounds the packs that are open at a time. Most clones have one.
const maxFastPacks = 16

// add makes known a folder that holds packs.
func (p *packs) add(folder string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.folders = append(p.folders, folder)
}

// all opens what was made known since somebody asked, the largest packs first.
func (p *packs) all() []*pack {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, folder := range p.folders {
		for _, name := range indexesIn(folder) {
			if len(p.open) == maxFastPacks {
				break
			}
			if k, err := openPack(name); err == nil {
				p.open = append(p.open, k)
			}
		}
	}
	p.folders = nil
	return p.open
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
func (p *packs) read(id plumbing.Hash, limit int64) (plumbing.ObjectType, []byte, bool) {
	for _, k := range p.all() {
		at, ok := k.find(id)
		if !ok {
			continue
		}
		kind, content, err := k.object(at, limit, &p.bases)
		if err == nil && plumbing.Hash(sumObject(kind, content)) == id {
			return kind, content, true
		}
	}
	return plumbing.InvalidObject, nil, false
}

// size returns the length of an object. False says nothing about it.
func (p *packs) size(id plumbing.Hash) (int64, bool) {
	for _, k := range p.all() {
		if at, ok := k.find(id); ok {
			if n, err := k.size(at); err == nil {
				return n, true
			}
		}
	}
	return 0, false
}

func (p *packs) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, k := range p.open {
		errs = append(errs, k.file.Close())
	}
	p.open = nil
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
