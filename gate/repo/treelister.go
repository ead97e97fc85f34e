package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// treeLister collects the entries of a tree object and all below it.
type treeLister struct {
	objects   *objects
	like      *listed // what is the same there is taken from it; nil for none
	entries   []entry
	folders   map[string]folderAt // by prefix
	visited   int
	pathBytes int
}

// listed is what a tree was listed to.
type listed struct {
	entries listing
	folders map[string]folderAt
}

// folderAt is a folder of a listing, and how many entries and folders lie below it.
type folderAt struct {
	tree           plumbing.Hash
	from, to       int // of the entries
	visited, bytes int
}

// list returns every entry of a tree object, each path prefixed. Folders that are the same in
// like, which may be nil, are not read again: a base differs from its head in few.
func (o *objects) list(ctx context.Context, tree plumbing.Hash, prefix string, like *listed) (*listed, error) {
	l := treeLister{objects: o, like: like, folders: make(map[string]folderAt)}
	if like != nil {
		l.entries = make([]entry, 0, len(like.entries)+16)
	}
	if err := l.add(ctx, tree, prefix, false, strings.Count(prefix, "/")); err != nil {
		return nil, fmt.Errorf("reading tree %s: %w", tree, err)
	}
	return &listed{l.entries, l.folders}, nil
}

// count adds to what was visited, within its bounds.
func (l *treeLister) count(entries, pathBytes int) error {
	if l.visited += entries; l.visited > maxEntries {
		return fmt.Errorf("more than %d entries: %w", maxEntries, ErrTooLarge)
	}
	if l.pathBytes += pathBytes; l.pathBytes > maxPathBytes {
		return fmt.Errorf("more than %d bytes of path names: %w", maxPathBytes, ErrTooLarge)
	}
	return nil
}

// folder lists a folder, and notes where it lies.
func (l *treeLister) folder(ctx context.Context, e entry, depth int) error {
	prefix := e.path + "/"
	at := folderAt{e.id, len(l.entries), 0, l.visited, l.pathBytes}
	if l.like != nil && !e.misplaced {
		if known, ok := l.like.folders[prefix]; ok && known.tree == e.id {
			l.entries = append(l.entries, l.like.entries[known.from:known.to]...)
			return l.count(known.visited, known.bytes)
		}
	}
	if err := l.add(ctx, e.id, prefix, e.misplaced, depth); err != nil {
		return err
	}
	if !e.misplaced {
		at.to, at.visited, at.bytes = len(l.entries), l.visited-at.visited, l.pathBytes-at.bytes
		l.folders[prefix] = at
	}
	return nil
}

func (l *treeLister) add(ctx context.Context, tree plumbing.Hash, prefix string, misplaced bool, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxTreeDepth {
		return tooDeep(prefix)
	}
	content, err := l.objects.readAs(plumbing.TreeObject, tree)
	if err != nil {
		return err
	}
	names := make(map[string]bool)
	for len(content) > 0 {
		e, rest, err := cutTreeEntry(content)
		if err != nil {
			return err
		}
		content = rest
		e.misplaced = misplaced || names[e.path] || strings.Contains(e.path, "/")
		names[e.path] = true
		e.path = prefix + e.path
		if err := l.count(1, len(e.path)); err != nil {
			return err
		}
		if e.mode == filemode.Dir {
			if err := l.folder(ctx, e, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(l.entries) == cap(l.entries) {
			l.entries = slices.Grow(l.entries, len(l.entries)+64) // append grows by a quarter
		}
		l.entries = append(l.entries, e)
	}
	return nil
}

// cutTreeEntry takes the first entry off a tree object:
// octal mode, blank, name, NUL, 20 bytes of id. Its path is the name.
func cutTreeEntry(content []byte) (e entry, rest []byte, err error) {
	mode, rest, ok := bytes.Cut(content, []byte{' '})
	bits, err := strconv.ParseUint(string(mode[:min(len(mode), 32)]), 8, 20)
	name, rest, named := bytes.Cut(rest, []byte{0})
	if !ok || err != nil || !named || len(rest) < len(e.id) {
		return entry{}, nil, errMalformedTree
	}
	e = entry{path: string(name), mode: canonicalMode(uint32(bits)), id: plumbing.Hash(rest[:len(e.id)]), known: true}
	return e, rest[len(e.id):], nil
}

var errMalformedTree = fmt.Errorf("malformed tree object: %w", ErrCorruptObject)

// canonicalMode maps the modes that old and odd tools have written to those git
// knows, as git does when it reads them.
func canonicalMode(bits uint32) filemode.FileMode {
	switch bits & 0o170000 {
	case 0o040000:
		return filemode.Dir
	case 0o120000:
		return filemode.Symlink
	case 0o160000:
		return filemode.Submodule
	}
	if bits&0o100 != 0 {
		return filemode.Executable
	}
	return filemode.Regular
}
