package repo

import (
	"bytes"
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
	objectCache   = 48 * cache.MiByte
	maxAlternates = 32 // object folders borrowed from, directly or not
)

// objects reads the object database: the repository's own objects and those of
// its alternates. go-git's storage is not safe for concurrent use, hence mu.
type objects struct {
	mu     sync.Mutex
	stores []*filesystem.Storage // own first
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

// read returns the type and content of an object.
func (o *objects) read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	obj, err := o.find(id)
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if obj.Size() > maxObject {
		return plumbing.InvalidObject, nil, fmt.Errorf("object %s has %d bytes: %w", id, obj.Size(), ErrTooLarge)
	}
	r, err := obj.Reader()
	if err != nil {
		return plumbing.InvalidObject, nil, fmt.Errorf("reading object %s: %w", id, err)
	}
	defer r.Close()
	content := bytes.NewBuffer(make([]byte, 0, obj.Size()+bytes.MinRead))
	if _, err := io.Copy(content, io.LimitReader(r, maxObject)); err != nil {
		return plumbing.InvalidObject, nil, fmt.Errorf("reading object %s: %w", id, err)
	}
	return obj.Type(), content.Bytes(), nil
}

// find looks an object up in every store; mu is held.
func (o *objects) find(id plumbing.Hash) (plumbing.EncodedObject, error) {
	for _, s := range o.stores {
		obj, err := s.EncodedObject(plumbing.AnyObject, id)
		if err == nil {
			return obj, nil
		}
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil, fmt.Errorf("reading object %s: %w", id, err)
		}
	}
	return nil, fmt.Errorf("object %s: %w", id, ErrMissingObject)
}

// readAs is read for an object that must have a certain type.
func (o *objects) readAs(want plumbing.ObjectType, id plumbing.Hash) ([]byte, error) {
	got, content, err := o.read(id)
	if err == nil && got != want {
		return nil, fmt.Errorf("object %s is a %s, not a %s", id, got, want)
	}
	return content, err
}

// size returns the length of an object without reading its content.
func (o *objects) size(id plumbing.Hash) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.stores {
		n, err := s.EncodedObjectSize(id)
		if err == nil {
			return n, nil
		}
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return 0, fmt.Errorf("reading object %s: %w", id, err)
		}
	}
	return 0, fmt.Errorf("object %s: %w", id, ErrMissingObject)
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
	return errors.Join(errs...)
}
