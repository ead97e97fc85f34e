package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Bounds for submodules: of submodules, and in one repository.
const (
	maxSubmoduleDepth = 8
	maxSubmodules     = 256 // opened
)

// submodules are the repositories of the submodules that are checked out in a work tree.
type submodules struct {
	mu    sync.Mutex
	depth int // of the repository itself
	open  map[string]*Repository
	index map[string]func() ([]indexEntry, error) // what each of them tracks
	store map[string]*objects                     // by git folder; see module.go
}

var errTooManySubmodules = fmt.Errorf("submodules: %w", ErrTooLarge)

// errChanged: the work tree of a submodule holds no commit, but something of its own.
var errChanged = errors.New("the submodule has changes that are not committed there")

// submoduleAbove returns which of these submodules a path is, or lies in.
func submoduleAbove(links []string, name string) (string, bool) {
	if len(links) == 0 {
		return "", false
	}
	for end := 0; end < len(name); end++ {
		next := strings.IndexByte(name[end:], '/')
		if next < 0 {
			break
		}
		end += next
		if _, ok := slices.BinarySearch(links, name[:end]); ok {
			return name[:end], true
		}
	}
	_, ok := slices.BinarySearch(links, name)
	return name, ok
}

func (t *Snapshot) submoduleAbove(name string) (string, bool) { return submoduleAbove(t.links, name) }

// hasSubmodule reports whether a submodule is checked out in the work tree.
func (r *Repository) hasSubmodule(path string) bool {
	_, err := r.dir.Lstat(filepath.FromSlash(path + "/.git"))
	return err == nil
}

// submodule opens the repository of a submodule that is checked out.
func (r *Repository) submodule(path string) (*Repository, error) {
	s := &r.submodules
	s.mu.Lock()
	defer s.mu.Unlock()
	if sub := s.open[path]; sub != nil {
		return sub, nil
	}
	if s.depth >= maxSubmoduleDepth || len(s.open) >= maxSubmodules {
		return nil, errTooManySubmodules
	}
	sub, err := openRoot(filepath.Join(r.root, filepath.FromSlash(path)))
	if err != nil {
		return nil, fmt.Errorf("submodule %s: %w", path, err)
	}
	sub.submodules.depth = s.depth + 1
	if s.open == nil {
		s.open, s.index = map[string]*Repository{}, map[string]func() ([]indexEntry, error){}
	}
	s.open[path] = sub
	s.index[path] = sync.OnceValues(func() ([]indexEntry, error) {
		x, err := sub.readIndex()
		return x.entries, err
	})
	return sub, nil
}

// submoduleCommit returns the commit that a submodule of the work tree holds. One whose
// files are not those of its commit holds none.
func (r *Repository) submoduleCommit(ctx context.Context, path string) (plumbing.Hash, error) {
	sub, err := r.submodule(path)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	work, err := sub.WorkTreeContext(ctx)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if !work.CleanContext(ctx) {
		return plumbing.ZeroHash, errChanged
	}
	return work.commit.id, nil
}

// lacksBelow reports whether a path in a submodule, which is not on disk, may be missing only
// because something was not checked out: the submodule, one inside it, or what a
// sparse checkout of it left out.
func (r *Repository) lacksBelow(link, name string) bool {
	if name == link || !r.hasSubmodule(link) {
		return true
	}
	sub, err := r.submodule(link)
	if err != nil {
		return true
	}
	r.submodules.mu.Lock()
	index := r.submodules.index[link]
	r.submodules.mu.Unlock()
	entries, err := index()
	if err != nil {
		return true
	}
	rest := name[len(link)+1:]
	for _, e := range entries {
		at := strings.TrimSuffix(e.path, "/")
		inside := rest == at || strings.HasPrefix(rest, at+"/")
		switch {
		case e.skipWorktree && (inside || strings.HasPrefix(at, rest+"/")):
			return true
		case e.mode == filemode.Submodule && inside:
			return sub.lacksBelow(at, rest)
		}
	}
	return false
}

// close closes the repositories of the submodules.
func (s *submodules) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, sub := range s.open {
		errs = append(errs, sub.Close())
	}
	for _, o := range s.store {
		if o != nil {
			errs = append(errs, o.close())
		}
	}
	s.open, s.store = nil, nil
	return errors.Join(errs...)
}
