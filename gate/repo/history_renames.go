package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Bounds for following renames. A file comes into being once in most histories;
// these keep one that comes and goes a thousand times from costing more than it is worth.
const (
	maxRenameSearches = 64     // in one walk
	maxRenameSources  = 1000   // deleted files of one commit, git's diff.renameLimit
	maxRenameEntries  = 50_000 // entries of the trees that differ between two commits
)

// followRename looks for the deleted file of a parent that lives on as l.path, and turns
// the parent's line to it. It reports whether there is surely no other: what is beyond
// the bounds, or not in this partial clone, is not followed, and the end of the walk says so.
func (h *History) followRename(ctx context.Context, l, parent *line, commit Commit) (sure bool, err error) {
	if l.blob.IsZero() {
		return true, nil
	}
	if h.renames == maxRenameSearches {
		h.bounded = true
		return false, nil
	}
	h.renames++
	before, err := h.repo.node(parent.commit)
	if err != nil {
		return false, err
	}
	d := deletions{repo: h.repo}
	if err := d.between(ctx, before.tree, commit.tree, "", 0); err != nil {
		return false, err
	}
	if d.visited > maxRenameEntries || len(d.files) > maxRenameSources {
		h.bounded = true
		return false, nil
	}
	source := h.repo.partOf(commit, d.files)
	var deleted []*candidate
	for _, e := range source.files {
		deleted = append(deleted, &candidate{tree: source, entry: e})
	}
	target := h.repo.partOf(commit, []entry{{path: l.path, mode: filemode.Regular, id: l.blob, known: true}})
	added := &candidate{tree: target, entry: target.files[0]}
	complete, err := pairRenames(ctx, deleted, []*candidate{added})
	if err != nil {
		return false, err
	}
	if added.pair != nil {
		parent.path, parent.blob = added.pair.entry.path, added.pair.entry.id
		return true, nil
	}
	if complete {
		return true, nil
	}
	for _, e := range append(source.files, target.files...) {
		if _, err := h.repo.objects.size(e.id); errors.Is(err, ErrMissingObject) {
			h.missing = err
			return false, nil
		}
	}
	h.bounded = true
	return false, nil
}

// partOf is a tree that has only these files.
func (r *Repository) partOf(c Commit, entries []entry) *Snapshot {
	files, _ := newListing(entries)
	return &Snapshot{repo: r, commit: &c, files: files, stored: &storedFS{objects: r.objects, files: files, when: c.When}}
}

// deletions collects the files that one tree has and another has not. Folders that
// are the same are not looked into.
type deletions struct {
	repo    *Repository
	files   []entry
	visited int
}

// between compares two tree objects; after may be zero.
func (d *deletions) between(ctx context.Context, before, after plumbing.Hash, prefix string, depth int) error {
	if depth > maxTreeDepth {
		return tooDeep(prefix)
	}
	if before == after || d.visited > maxRenameEntries {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	left, err := d.entries(after)
	if err != nil {
		return err
	}
	was, err := d.entries(before)
	if err != nil {
		return err
	}
	for name, e := range was {
		now, there := left[name]
		switch {
		case there && now.id == e.id && now.mode == e.mode:
		case e.mode == filemode.Dir:
			below := plumbing.ZeroHash
			if there && now.mode == filemode.Dir {
				below = now.id
			}
			if err := d.between(ctx, e.id, below, prefix+name+"/", depth+1); err != nil {
				return err
			}
		case isPlain(e.mode) && (!there || !isPlain(now.mode)):
			e.path = prefix + name
			d.files = append(d.files, e)
		}
	}
	return nil
}

func (d *deletions) entries(tree plumbing.Hash) (map[string]entry, error) {
	all := map[string]entry{}
	if tree.IsZero() {
		return all, nil
	}
	content, err := d.repo.objects.readAs(plumbing.TreeObject, tree)
	if err != nil {
		return nil, err
	}
	for len(content) > 0 && d.visited <= maxRenameEntries {
		e, rest, err := cutTreeEntry(content)
		if err != nil {
			return nil, fmt.Errorf("tree %s: %w", tree, err)
		}
		content = rest
		_, again := all[e.path]
		e.misplaced = again || strings.Contains(e.path, "/")
		all[e.path] = e
		d.visited++
	}
	return all, nil
}
