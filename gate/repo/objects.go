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
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

const (
	maxObject     = 64 << 20 // bytes of one object that is read
	objectCache   = 16 * cache.MiByte
	maxAlternates = 32 // object folders borrowed from, directly or not
)

// objects reads the object database: the repository's own objects and those of
// its alternates. go-git's storage is not safe for concurrent use, hence mu.
type objects struct {
	mu     sync.Mutex
	stores []*filesystem.Storage // own first
	// temporary are folders of stores that are removed in the end.
	temporary []string
}

// openObjects opens the object database below commonDir, seen through layout.
//
// Alternates are opened once, here: go-git would open and index an alternate
// again for every object that it looks up there.
func openObjects(layout billy.Filesystem, commonDir string) (*objects, error) {
	lru := cache.NewObjectLRU(objectCache)
	open := func(dir billy.Filesystem) *filesystem.Storage {
		return filesystem.NewStorageWithOptions(ownObjects{dir}, lru, filesystem.Options{
			KeepDescriptors:      true,
			LargeObjectThreshold: maxObject,
		})
	}
	o := &objects{stores: []*filesystem.Storage{open(layout)}}
	dirs := []string{filepath.Join(commonDir, "objects")}
	for i := 0; i < len(dirs); i++ {
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
			// A missing alternate is no error to git either: its objects are missing.
			if info, err := os.Stat(dir); err != nil || !info.IsDir() || slices.Contains(dirs, dir) {
				continue
			}
			if filepath.Base(dir) != "objects" {
				return nil, fmt.Errorf("%w: alternate object folder %q is not called objects", ErrUnsupported, line)
			}
			if len(dirs) > maxAlternates {
				return nil, fmt.Errorf("%w: more than %d alternates", ErrUnsupported, maxAlternates)
			}
			dirs = append(dirs, dir)
			o.stores = append(o.stores, open(osfs.New(filepath.Dir(dir))))
		}
	}
	return o, nil
}

// ownObjects hides the list of alternates from go-git.
type ownObjects struct{ billy.Filesystem }

func (o ownObjects) Open(name string) (billy.File, error) {
	if filepath.ToSlash(filepath.Clean(name)) == "objects/info/alternates" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.Filesystem.Open(name)
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
	o.mu.Lock()
	defer o.mu.Unlock()
	var failed error
	for _, s := range o.stores {
		err := ask(s)
		if err == nil {
			return nil
		}
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			failed = cmp.Or(failed, err)
		}
	}
	return unreadable(id, failed)
}

// unreadable says why an object can't be read. It never is [fs.ErrNotExist]: a file whose
// content is not at hand is no file that isn't there.
func unreadable(id plumbing.Hash, err error) error {
	var system *fs.PathError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist): // a pack that is gone, with its index still there
		return fmt.Errorf("object %s: %w", id, ErrMissingObject)
	case errors.As(err, &system), errors.Is(err, ErrTooLarge):
		return fmt.Errorf("reading object %s: %w", id, err)
	}
	return fmt.Errorf("object %s: %w: %v", id, ErrCorruptObject, err)
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
		n, err = s.EncodedObjectSize(id)
		return err
	})
	return n, err
}

// withPrefix returns the ids that begin with the given whole bytes.
func (o *objects) withPrefix(prefix []byte) ([]plumbing.Hash, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []plumbing.Hash
	for _, s := range o.stores {
		ids, err := s.HashesWithPrefix(prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// reference returns the reference with this full name.
func (o *objects) reference(name string) (*plumbing.Reference, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stores[0].Reference(plumbing.ReferenceName(name))
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var errs []error
	for _, s := range o.stores {
		errs = append(errs, s.Close())
	}
	for _, dir := range o.temporary {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}
