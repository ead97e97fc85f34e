package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// modules shows what is in the submodules of a stored state, where git keeps their objects
// in the repository (.git/modules/<name>, gitsubmodules(7)).
type modules struct {
	repo  *Repository
	root  string   // of the work tree, for one that keeps its objects there; "" inside another
	dirs  []string // where the git folders are
	links []string // the submodules of the state, sorted

	mu    sync.Mutex
	names map[string]string // of the submodules, by path; nil until asked for
	state map[string]module
}

// module is what there is of a submodule.
type module struct {
	files *storedFS
	err   error
}

// home returns the state in which a path lies, and its path there. For one that lies
// in a submodule that is not at hand the error is [ErrSubmodule].
func (s *storedFS) home(name string) (*storedFS, string, error) {
	if s.modules == nil {
		return s, name, nil
	}
	link, ok := submoduleAbove(s.modules.links, name)
	if !ok {
		return s, name, nil
	}
	sub, err := s.modules.get(s, link)
	if err != nil {
		return nil, "", err
	}
	if name == link {
		return sub, ".", nil
	}
	return sub.home(name[len(link)+1:])
}

// get returns the files of a submodule, and looks for them once.
func (m *modules) get(s *storedFS, link string) (*storedFS, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	got, known := m.state[link]
	if !known {
		if m.state == nil {
			m.state = map[string]module{}
		}
		got.files, got.err = m.load(s, link)
		if got.err != nil {
			got.err = fmt.Errorf("%s: %w: %w", link, ErrSubmodule, got.err)
		}
		m.state[link] = got
	}
	return got.files, got.err
}

func (m *modules) load(s *storedFS, link string) (*storedFS, error) {
	if s.depth >= maxSubmoduleDepth {
		return nil, errTooManySubmodules
	}
	e, _ := s.files.find(link)
	dir, objects, err := m.find(s, link)
	if err != nil {
		return nil, err
	}
	content, err := objects.readAs(plumbing.CommitObject, e.id)
	if err != nil {
		return nil, err
	}
	commit, err := parseNode(content)
	if err != nil {
		return nil, err
	}
	// No call to an fs.FS has a context. The listing is bounded.
	all, err := objects.list(context.Background(), commit.tree, "", nil)
	if err != nil {
		return nil, err
	}
	files, _ := newListing(all.entries)
	sub := &storedFS{objects: objects, files: files, when: s.when, depth: s.depth + 1}
	sub.modules = newModules(m.repo, "", []string{filepath.Join(dir, "modules")}, files)
	return sub, nil
}

// newModules is nil where a state has no submodules.
func newModules(r *Repository, root string, dirs []string, files listing) *modules {
	m := &modules{repo: r, root: root, dirs: dirs}
	for _, e := range files {
		if e.mode == filemode.Submodule {
			m.links = append(m.links, e.path)
		}
	}
	if m.links == nil {
		return nil
	}
	return m
}

// errNoObjects: the submodule was never cloned here.
var errNoObjects = fmt.Errorf("it was not cloned: %w", ErrMissingObject)

// find looks for the git folder of a submodule.
func (m *modules) find(s *storedFS, link string) (string, *objects, error) {
	var dirs []string
	if name, ok := m.name(s, link); ok {
		for _, dir := range m.dirs {
			dirs = append(dirs, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	if m.root != "" {
		dirs = append(dirs, filepath.Join(m.root, filepath.FromSlash(link), ".git"))
	}
	for _, dir := range dirs {
		if info, err := os.Stat(filepath.Join(dir, "objects")); err != nil || !info.IsDir() {
			continue
		}
		objects, err := m.repo.moduleObjects(dir)
		return dir, objects, err
	}
	return "", nil, errNoObjects
}

// name returns under which name a state's own .gitmodules has a submodule.
func (m *modules) name(s *storedFS, link string) (string, bool) {
	if m.names == nil {
		m.names = map[string]string{}
		e, ok := s.files.find(".gitmodules")
		if !ok || !isPlain(e.mode) {
			return "", false
		}
		text, err := s.objects.readAs(plumbing.BlobObject, e.id)
		cfg := config.New()
		if err != nil || len(text) > maxGitFile || config.NewDecoder(strings.NewReader(string(text))).Decode(cfg) != nil {
			return "", false
		}
		for _, sub := range cfg.Section("submodule").Subsections {
			// The name becomes a path: as in git it must not leave its folder.
			if at := path.Clean(sub.Option("path")); fs.ValidPath(sub.Name) && sub.Name != "." {
				m.names[at] = sub.Name
			}
		}
	}
	name, ok := m.names[link]
	return name, ok
}

// moduleObjects opens the objects of a submodule, once.
func (r *Repository) moduleObjects(dir string) (*objects, error) {
	s := &r.submodules
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, known := s.store[dir]; known {
		if o == nil {
			return nil, errors.New("its objects can't be opened")
		}
		return o, nil
	}
	if len(s.store) >= maxSubmodules {
		return nil, errTooManySubmodules
	}
	if s.store == nil {
		s.store = map[string]*objects{}
	}
	layout := dotgit.NewRepositoryFilesystem(osfs.New(dir), osfs.New(dir))
	o, err := openObjects(layout, dir, false)
	s.store[dir] = o
	return o, err
}
