package repo

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// storedFS shows entries whose content is in the object database: all of a
// commit, or what a sparse checkout left out of the work tree.
type storedFS struct {
	objects *objects
	files   listing
	when    time.Time // modification time of everything
	modules *modules  // nil where there are no submodules
	depth   int       // of submodules, this one's
}

// readlink is what [follow] asks.
func (s *storedFS) readlink(name string) (string, bool, error) {
	s, name, err := s.home(name)
	if err != nil || name == "." {
		return "", false, err
	}
	e, ok := s.files.find(name)
	switch {
	case !ok && len(s.files.below(name)) == 0:
		return "", false, fs.ErrNotExist
	case !ok || e.mode != filemode.Symlink:
		return "", false, nil
	}
	size, err := s.objects.size(e.id)
	if err != nil {
		return "", false, err
	}
	if size > maxTarget {
		return "", false, fs.ErrInvalid
	}
	target, err := s.objects.readAs(plumbing.BlobObject, e.id)
	return string(target), true, err
}

// stat describes a resolved path under the name it was asked for.
func (s *storedFS) stat(resolved, name string) (fs.FileInfo, error) {
	s, resolved, err := s.home(resolved)
	if err != nil {
		return nil, err
	}
	e, ok := s.files.find(resolved)
	if !ok {
		return dirInfo(name, s.when), nil
	}
	size, err := s.objects.size(e.id)
	if err != nil {
		return nil, err
	}
	return info{name: path.Base(name), size: size, mode: fileMode(e.mode), when: s.when}, nil
}

func (s *storedFS) open(resolved, name string) (fs.File, error) {
	s, resolved, err := s.home(resolved)
	if err != nil {
		return nil, err
	}
	e, ok := s.files.find(resolved)
	if !ok {
		return newDirFile(dirInfo(name, s.when), s.children(resolved)), nil
	}
	content, err := s.objects.readAs(plumbing.BlobObject, e.id)
	if err != nil {
		return nil, err
	}
	return &blobFile{
		bytes.NewReader(content),
		info{name: path.Base(name), size: int64(len(content)), mode: fileMode(e.mode), when: s.when},
	}, nil
}

func (s *storedFS) readFile(resolved string, limit int64) ([]byte, error) {
	s, resolved, err := s.home(resolved)
	if err != nil {
		return nil, err
	}
	e, ok := s.files.find(resolved)
	if !ok {
		return nil, errIsDir
	}
	return s.objects.readAsAtMost(plumbing.BlobObject, e.id, limit)
}

// children lists what is directly in a folder, without submodules.
func (s *storedFS) children(dir string) []fs.DirEntry {
	var all []fs.DirEntry
	rest := s.files.below(dir)
	for len(rest) > 0 {
		e := rest[0]
		name := e.path
		if dir != "." {
			name = name[len(dir)+1:]
		}
		name, _, isDir := strings.Cut(name, "/")
		if isDir {
			inside := path.Join(dir, name)
			all = append(all, fs.FileInfoToDirEntry(dirInfo(inside, s.when)))
			rest = rest[len(rest.below(inside)):]
			continue
		}
		if e.mode != filemode.Submodule {
			all = append(all, storedEntry{s, e, name})
		}
		rest = rest[1:]
	}
	return all
}

// storedEntry is a file in a folder; its size is looked up only when asked for.
type storedEntry struct {
	fs   *storedFS
	e    entry
	name string
}

func (d storedEntry) Name() string               { return d.name }
func (d storedEntry) IsDir() bool                { return false }
func (d storedEntry) Type() fs.FileMode          { return fileMode(d.e.mode).Type() }
func (d storedEntry) Info() (fs.FileInfo, error) { return d.fs.stat(d.e.path, d.name) }
