package repo

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

const (
	maxObject     = 64 << 20         // bytes of one object that is read
	objectCache   = 4 * cache.MiByte // of a reader
	maxAlternates = 32               // object folders borrowed from, directly or not
	openPacks     = 32               // packs of one object folder that a reader has open at a time
	maxReaders    = 8
	maxIndexes    = 16 << 20 // bytes of packs' indexes that all readers remember, each its own
	maxReads      = 1 << 14  // by one reader
)

// objects reads the object database: the repository's own objects and those of
// its alternates. go-git's storage is not safe for concurrent use: each goroutine that asks
// has a reader of its own meanwhile, of at most one for each processor, and of fewer where
// the packs hold very much.
type objects struct {
	mu      sync.Mutex
	back    *sync.Cond         // a reader came back
	folders []billy.Filesystem // own first
	room    int                // for more readers
	idle    []*reader
	// temporary are folders of stores that are removed in the end.
	temporary []string
	partial   bool   // a partial clone: any object may be missing
	gone      string // an alternate that is not there, if any
}

// openObjects opens the object database below commonDir, seen through layout.
//
// Alternates are opened once, here: go-git would open and index an alternate
// again for every object that it looks up there.
func openObjects(layout billy.Filesystem, commonDir string, partial bool) (*objects, error) {
	o := &objects{folders: []billy.Filesystem{layout}, partial: partial}
	o.back = sync.NewCond(&o.mu)
	indexes := int64(1)
	dirs := []string{filepath.Join(commonDir, "objects")}
	for i := 0; i < len(dirs); i++ {
		indexes += indexBytes(dirs[i])
		text, err := readSmall(filepath.Join(dirs[i], "info", "alternates"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the alternates of the repository: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			dir := within(dirs[i], line)
			if slices.Contains(dirs, dir) {
				continue
			}
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				o.gone = dir // no error to git either: its objects are missing
				continue
			}
			if filepath.Base(dir) != "objects" {
				return nil, unsupported("make the clone independent of it: git repack -a -d", "alternate object folder %q, which is not called objects", line)
			}
			if len(dirs) > maxAlternates {
				return nil, unsupported("make the clone independent of them: git repack -a -d", "more than %d alternates", maxAlternates)
			}
			dirs = append(dirs, dir)
			o.folders = append(o.folders, osfs.New(filepath.Dir(dir)))
		}
	}
	o.room = max(1, min(runtime.GOMAXPROCS(0), maxReaders, int(maxIndexes/indexes)))
	return o, nil
}

// indexBytes is the size of the indexes of the packs in a folder of objects.
func indexBytes(dir string) (n int64) {
	names, _ := filepath.Glob(filepath.Join(dir, "pack", "*.idx")) // what can't be listed is found out by reading
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}

// reader is what one goroutine at a time asks.
type reader struct {
	stores []*filesystem.Storage // one for each folder
	lru    cache.Object
	reads  int
}

// take gives a reader to whoever asks, who must bring it back with put.
func (o *objects) take() *reader {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.idle) == 0 && o.room == 0 {
		o.back.Wait()
	}
	if len(o.idle) == 0 {
		o.room--
		o.idle = append(o.idle, &reader{lru: cache.NewObjectLRU(objectCache)})
	}
	last := len(o.idle) - 1
	r := o.idle[last]
	o.idle = o.idle[:last]
	for _, dir := range o.folders[len(r.stores):] {
		r.stores = append(r.stores, openStore(dir, r.lru))
	}
	return r
}

// put takes a reader back. One that has read much makes room for another: an open pack, and
// what go-git remembers besides, grow with each object that was read, however small.
func (o *objects) put(r *reader) {
	r.reads++
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.reads < maxReads {
		o.idle = append(o.idle, r)
	} else {
		_ = r.close() // of what was only read
		o.room++
	}
	o.back.Signal()
}

func (r *reader) close() error {
	var errs []error
	for _, s := range r.stores {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// openStore opens one object folder. However many packs it has, few are open at a time.
func openStore(dir billy.Filesystem, lru cache.Object) *filesystem.Storage {
	return filesystem.NewStorageWithOptions(&gitFS{Filesystem: dir}, lru, filesystem.Options{
		MaxOpenDescriptors:   openPacks,
		LargeObjectThreshold: maxObject,
	})
}

// read returns the type and content of an object. An object that is damaged in one store
// is taken from another, as git does.
func (o *objects) read(id plumbing.Hash) (kind plumbing.ObjectType, content []byte, err error) {
	return o.readAtMost(id, maxObject)
}

// readAtMost is read for an object that is too large above limit.
func (o *objects) readAtMost(id plumbing.Hash, limit int64) (kind plumbing.ObjectType, content []byte, err error) {
	err = o.each(id, func(s *filesystem.Storage) error {
		kind, content, err = readFrom(s, id, limit)
		return err
	})
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	return kind, content, nil
}

// readFrom reads an object of one store, and makes sure that it is the one of this id.
func readFrom(s *filesystem.Storage, id plumbing.Hash, limit int64) (plumbing.ObjectType, []byte, error) {
	obj, err := s.EncodedObject(plumbing.AnyObject, id)
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if obj.Size() > min(limit, maxObject) {
		return plumbing.InvalidObject, nil, fmt.Errorf("%d bytes: %w", obj.Size(), ErrTooLarge)
	}
	r, err := obj.Reader()
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	defer r.Close()
	content := bytes.NewBuffer(make([]byte, 0, obj.Size()+bytes.MinRead))
	if _, err := io.Copy(content, io.LimitReader(r, maxObject)); err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if plumbing.Hash(sumObject(obj.Type(), content.Bytes())) != id {
		return plumbing.InvalidObject, nil, errOtherContent
	}
	return obj.Type(), content.Bytes(), nil
}

// sumObject is the id of an object: SHA-1 of its type, its size and its content.
func sumObject(kind plumbing.ObjectType, content []byte) [sha1.Size]byte {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return [sha1.Size]byte(h.Sum(nil))
}

// errOtherContent: what is stored under an id has another id.
var errOtherContent = errors.New("its content has another id")

// each asks the stores one after the other for an object, until one gives it.
func (o *objects) each(id plumbing.Hash, ask func(*filesystem.Storage) error) error {
	r := o.take()
	defer o.put(r)
	var failed error
	for _, s := range r.stores {
		err := ask(s)
		if err == nil {
			return nil
		}
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			failed = cmp.Or(failed, err)
		}
	}
	return o.unreadable(id, failed)
}

// unreadable says why an object can't be read. It never is [fs.ErrNotExist]: a file whose
// content is not at hand is no file that isn't there.
func (o *objects) unreadable(id plumbing.Hash, err error) error {
	var system *fs.PathError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist): // a pack that is gone, with its index still there
		return o.missing(id)
	case errors.As(err, &system), errors.Is(err, ErrTooLarge):
		return fmt.Errorf("reading object %s: %w", id, err)
	case errors.Is(err, idxfile.ErrMalformedIdxFile), errors.Is(err, idxfile.ErrUnsupportedVersion):
		return &form{fmt.Errorf("object %s: %w: the index of a pack is damaged, or of version 1: %v", id, ErrCorruptObject, err),
			"write packs and indexes anew: git -c pack.indexVersion=2 repack -a -d", false}
	}
	return &form{fmt.Errorf("object %s: %w: %v", id, ErrCorruptObject, err), "let git fsck tell what is damaged, and clone anew", false}
}

// missing says why this repository may lack an object, and what to do.
func (o *objects) missing(id plumbing.Hash) error {
	err := fmt.Errorf("object %s: %w", id, ErrMissingObject)
	switch {
	case o.gone != "":
		return &form{fmt.Errorf("%w; its alternates are at %s, and that is gone", err, o.gone),
			"bring that folder back, or clone without --shared and --reference", false}
	case o.partial:
		return &form{fmt.Errorf("%w: it is a partial clone", err),
			"let git fetch it: no filter in actions/checkout; git fetch --refetch --no-filter", false}
	}
	return &form{err, "let git fsck tell what is missing, and clone anew", false}
}

// readAs is read for an object that must have a certain type.
func (o *objects) readAs(want plumbing.ObjectType, id plumbing.Hash) ([]byte, error) {
	return o.readAsAtMost(want, id, maxObject)
}

// readAsAtMost is readAs for an object that is too large above limit.
func (o *objects) readAsAtMost(want plumbing.ObjectType, id plumbing.Hash, limit int64) ([]byte, error) {
	got, content, err := o.readAtMost(id, limit)
	if err == nil && got != want {
		return nil, fmt.Errorf("object %s is a %s, not a %s: %w", id, got, want, ErrCorruptObject)
	}
	return content, err
}

// size returns the length of an object without reading its content.
func (o *objects) size(id plumbing.Hash) (n int64, err error) {
	err = o.each(id, func(s *filesystem.Storage) error {
		n, err = looseSize(s, id)
		if errors.Is(err, fs.ErrNotExist) {
			n, err = s.EncodedObjectSize(id)
		}
		return err
	})
	return n, err
}

// looseSize is the size of an object that has a file of its own. go-git leaves that file
// open for each size that it tells, until there are no descriptors left.
func looseSize(s *filesystem.Storage, id plumbing.Hash) (int64, error) {
	name := id.String()
	f, err := s.Filesystem().Open(filepath.Join("objects", name[:2], name[2:]))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := objfile.NewReader(f)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	_, size, err := r.Header()
	return size, err
}

// withPrefix returns the ids that begin with the given whole bytes.
func (o *objects) withPrefix(prefix []byte) ([]plumbing.Hash, error) {
	r := o.take()
	defer o.put(r)
	var all []plumbing.Hash
	for _, s := range r.stores {
		ids, err := s.HashesWithPrefix(prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// reference returns the reference with this full name.
func (o *objects) reference(name string) (ref *plumbing.Reference, err error) {
	fault := o.own(func(s *filesystem.Storage) {
		ref, err = s.Reference(plumbing.ReferenceName(name))
		if s.Filesystem().(*gitFS).passedOver(name) {
			ref, err = nil, plumbing.ErrReferenceNotFound
		}
	})
	if fault != nil {
		return nil, fmt.Errorf("reading reference %s: %w", name, fault)
	}
	return ref, err
}

// own asks the repository's own store, and returns what the system could not read on the way.
func (o *objects) own(ask func(*filesystem.Storage)) error {
	r := o.take()
	defer o.put(r)
	s := r.stores[0]
	return s.Filesystem().(*gitFS).ask(func() { ask(s) })
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var errs []error
	for _, r := range o.idle {
		errs = append(errs, r.close())
	}
	for _, dir := range o.temporary {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}
