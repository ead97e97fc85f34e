package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// WorkTree returns the state of the files on disk. It compares them with the index
// by size and times, as git status does; only files that differ there are read, and
// only when [Repository.Diff] or [Snapshot.Clean] needs their content.
func (r *Repository) WorkTree() (*Snapshot, error) { return r.WorkTreeContext(context.Background()) }

// WorkTreeContext is WorkTree that ends with its context.
func (r *Repository) WorkTreeContext(ctx context.Context) (*Snapshot, error) {
	head, err := r.Head()
	if err != nil && !errors.Is(err, ErrNoCommits) {
		return nil, err
	}
	t := &Snapshot{repo: r, disk: &diskFS{r.dir}}
	if err == nil {
		t.commit = &head
	}
	idx, err := r.readIndex()
	if err != nil {
		return nil, err
	}
	if idx.entries, err = r.expandSparse(ctx, idx.entries); err != nil {
		return nil, err
	}
	w := walker{repo: r, index: idx, seen: make([]bool, len(idx.entries))}
	exclude, err := readPatterns(os.Open(filepath.Join(r.commonDir, "info", "exclude")))
	if err != nil {
		return nil, fmt.Errorf("reading .git/info/exclude: %w", err)
	}
	if err := w.dir(ctx, folder{Root: r.dir, path: ".", ignores: ignoreFiles{{".", exclude}}}, 0, len(idx.entries)); err != nil {
		return nil, fmt.Errorf("reading the work tree: %w", err)
	}
	w.addUnseen()
	t.setFiles(w.found)
	var sparse listing
	for _, e := range t.files {
		if e.sparse && e.mode != filemode.Submodule {
			sparse = append(sparse, e)
		}
	}
	t.stored = &storedFS{objects: r.objects, files: sparse, when: head.When}
	return t, nil
}

// expandSparse replaces the folders of a sparse index by the files in them.
func (r *Repository) expandSparse(ctx context.Context, entries []indexEntry) ([]indexEntry, error) {
	isDir := func(e indexEntry) bool { return e.mode == filemode.Dir }
	if !slices.ContainsFunc(entries, isDir) {
		return entries, nil
	}
	var all []indexEntry
	for _, e := range entries {
		if !isDir(e) {
			all = append(all, e)
			continue
		}
		inside, err := r.objects.list(ctx, e.id, strings.TrimSuffix(e.path, "/")+"/", nil)
		if err != nil {
			return nil, fmt.Errorf("reading the index: %w", err)
		}
		for _, f := range inside.entries {
			all = append(all, indexEntry{path: f.path, mode: f.mode, id: f.id, skipWorktree: true})
		}
		if len(all) > maxEntries {
			return nil, fmt.Errorf("more than %d files in the index: %w", maxEntries, ErrTooLarge)
		}
	}
	slices.SortStableFunc(all, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) })
	return all, nil
}
