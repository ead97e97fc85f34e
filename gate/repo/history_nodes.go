package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

const (
	// maxNodes bounds each memory of a nodeCache, in entries; it starts anew beyond.
	maxNodes = 1 << 16
	// maxParents bounds the merges that are walked; git itself makes none with more
	// than some dozens of parents.
	maxParents = 1024
)

// nodeCache remembers what walks through history ask for, so that a commit is
// decoded once however many files are walked.
type nodeCache struct {
	mu      sync.Mutex
	commits map[plumbing.Hash]node
	entries map[entryKey]entry
}

// node is what a walk needs to know of a commit.
type node struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	when    int64 // committer's time, in Unix seconds
}

type entryKey struct {
	tree plumbing.Hash
	name string
}

// node reads a commit. It decodes only the lines it needs: go-git's decoder takes
// most of the time of a walk otherwise.
func (r *Repository) node(id plumbing.Hash) (node, error) {
	cache := &r.nodes
	cache.mu.Lock()
	n, ok := cache.commits[id]
	cache.mu.Unlock()
	if ok {
		return n, nil
	}
	content, err := r.objects.readAs(plumbing.CommitObject, id)
	if err != nil {
		return node{}, err
	}
	if n, err = parseNode(content); err != nil {
		return node{}, fmt.Errorf("reading commit %s: %w", id, err)
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.commits == nil || len(cache.commits) >= maxNodes {
		cache.commits = map[plumbing.Hash]node{}
	}
	cache.commits[id] = n
	return n, nil
}

var errMalformedCommit = fmt.Errorf("malformed commit object: %w", ErrCorruptObject)

func parseNode(content []byte) (node, error) {
	var n node
	for len(content) > 0 {
		line, rest, _ := bytes.Cut(content, []byte{'\n'})
		content = rest
		key, value, _ := bytes.Cut(line, []byte{' '})
		switch string(key) {
		case "tree", "parent":
			id := string(value)
			if !plumbing.IsHash(id) {
				return node{}, errMalformedCommit
			}
			switch {
			case string(key) == "tree":
				n.tree = plumbing.NewHash(id)
			case len(n.parents) == maxParents:
				return node{}, fmt.Errorf("more than %d parents: %w", maxParents, ErrTooLarge)
			default:
				n.parents = append(n.parents, plumbing.NewHash(id))
			}
		case "committer":
			// "name <mail> seconds zone"; what can't be read is 0, as in git.
			if i := bytes.LastIndexByte(value, '>'); i >= 0 {
				seconds, _, _ := strings.Cut(strings.TrimSpace(string(value[i+1:])), " ")
				n.when, _ = strconv.ParseInt(seconds, 10, 64)
			}
			content = nil
		}
	}
	if n.tree.IsZero() {
		return node{}, errMalformedCommit
	}
	return n, nil
}

// entryIn returns the entry of a tree object with this name; its id is zero if
// there is none, or more than one.
func (r *Repository) entryIn(tree plumbing.Hash, name string) (entry, error) {
	cache, key := &r.nodes, entryKey{tree, name}
	cache.mu.Lock()
	e, ok := cache.entries[key]
	cache.mu.Unlock()
	if ok {
		return e, nil
	}
	content, err := r.objects.readAs(plumbing.TreeObject, tree)
	if err != nil {
		return entry{}, err
	}
	times := 0
	for len(content) > 0 {
		end := bytes.IndexByte(content, 0)
		blank := bytes.IndexByte(content, ' ')
		if blank < 0 || end < blank || len(content) < end+1+len(key.tree) {
			return entry{}, fmt.Errorf("tree %s: %w", tree, errMalformedTree)
		}
		if string(content[blank+1:end]) == name {
			if e, _, err = cutTreeEntry(content); err != nil {
				return entry{}, fmt.Errorf("tree %s: %w", tree, err)
			}
			times++
		}
		content = content[end+1+len(key.tree):]
	}
	if times != 1 {
		e = entry{}
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.entries == nil || len(cache.entries) >= maxNodes {
		cache.entries = map[entryKey]entry{}
	}
	cache.entries[key] = e
	return e, nil
}

// entryAt returns what lies at a path below a tree object, links not followed.
func (r *Repository) entryAt(tree plumbing.Hash, path string) (entry, error) {
	e := entry{mode: filemode.Dir, id: tree}
	for name := range strings.SplitSeq(path, "/") {
		if e.mode != filemode.Dir {
			return entry{}, nil
		}
		var err error
		if e, err = r.entryIn(e.id, name); err != nil || e.id.IsZero() {
			return entry{}, err
		}
	}
	return e, nil
}

// blobIn returns the id of the regular file at a path below a tree object, or zero.
func (r *Repository) blobIn(tree plumbing.Hash, path string) (plumbing.Hash, error) {
	e, err := r.entryAt(tree, path)
	if err != nil || !isPlain(e.mode) {
		return plumbing.ZeroHash, err
	}
	return e.id, nil
}

// folderIn returns the id of the folder at a path below a tree object, "." for the root, or
// zero.
func (r *Repository) folderIn(tree plumbing.Hash, path string) (plumbing.Hash, error) {
	if path == "." {
		return tree, nil
	}
	if !usablePath(path) {
		return plumbing.ZeroHash, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	e, err := r.entryAt(tree, path)
	if err != nil || e.mode != filemode.Dir {
		return plumbing.ZeroHash, err
	}
	return e.id, nil
}

// fileAt is blobIn with links followed; it also returns where they lead.
func (r *Repository) fileAt(tree plumbing.Hash, path string) (string, plumbing.Hash, error) {
	if !usablePath(path) {
		return path, plumbing.ZeroHash, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	id, err := r.blobIn(tree, path)
	if err != nil || !id.IsZero() {
		return path, id, err
	}
	resolved, err := follow(path, func(at string) (string, bool, error) {
		e, err := r.entryAt(tree, at)
		switch {
		case err != nil:
			return "", false, err
		case e.id.IsZero():
			return "", false, fs.ErrNotExist
		case e.mode == filemode.Submodule:
			// The commit that it names is an object that this repository lacks.
			return "", false, fmt.Errorf("%w: %w", ErrSubmodule, ErrMissingObject)
		case e.mode != filemode.Symlink:
			return "", false, nil
		}
		target, err := r.objects.readAs(plumbing.BlobObject, e.id)
		return string(target), true, err
	})
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid), errors.Is(err, ErrEscapes):
		return path, plumbing.ZeroHash, nil // it leads nowhere
	default:
		return path, plumbing.ZeroHash, err
	}
	id, err = r.blobIn(tree, resolved)
	return resolved, id, err
}

// BlobAt returns the id of the file's content (40 hex digits) at a commit that came from this
// repository, symbolic links followed; empty if there is no such file.
func (r *Repository) BlobAt(c Commit, path string) (string, error) {
	_, id, err := r.fileAt(c.tree, path)
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", c.Hash, err)
	}
	if id.IsZero() {
		return "", nil
	}
	return id.String(), nil
}

// FolderAt returns the id of a folder's tree (40 hex digits) at a commit that came from this
// repository; empty if there is no such folder.
func (r *Repository) FolderAt(c Commit, path string) (string, error) {
	id, err := r.folderIn(c.tree, path)
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", c.Hash, err)
	}
	if id.IsZero() {
		return "", nil
	}
	return id.String(), nil
}

// Folder is the state that has nothing but a folder, with the content of a tree object by its
// id ([Version.Blob], [Repository.FolderAt]).
func (r *Repository) Folder(ctx context.Context, path, id string) (*Snapshot, error) {
	if !plumbing.IsHash(id) || path != "." && !usablePath(path) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	prefix := ""
	if path != "." {
		prefix = path + "/"
	}
	all, err := r.objects.list(ctx, plumbing.NewHash(id), prefix, nil)
	if err != nil {
		return nil, err
	}
	return r.partOf(Commit{}, all.entries), nil
}

// Blob returns the content of a blob of at most 64 MiB by its id.
func (r *Repository) Blob(id string) ([]byte, error) {
	if !plumbing.IsHash(id) {
		return nil, &fs.PathError{Op: "read", Path: id, Err: fs.ErrInvalid}
	}
	return r.objects.readAs(plumbing.BlobObject, plumbing.NewHash(id))
}
