package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// DefaultMaxCommits is how many commits a [History] visits at most unless its
// options say otherwise.
const DefaultMaxCommits = 10_000

// maxMerges bounds Version.Merges.
const maxMerges = 16

// HistoryOptions bound a walk. The zero value means the defaults. Time is bounded
// by the context of [History.Next].
type HistoryOptions struct {
	MaxCommits int // commits visited; 0 means DefaultMaxCommits
}

// Version is one version of a file, or of a folder: a commit after which the path holds
// something else than it did in every parent.
type Version struct {
	Commit Commit
	// Path is where the file lies at Commit; it changes where a rename was followed.
	Path string
	// Blob is the id of its content (40 hex digits), for a folder that of its tree; empty
	// if the commit deleted it.
	Blob string
	// Newer is the place in the walk, counted from 0, of the version that replaced
	// this one; -1 for the version that the walk's first commit has.
	Newer int
	// Merges are the merge commits through which this version was reached by
	// another parent than the first, the oldest first: candidates for the merge that brought it in.
	Merges []string
	// Created: no parent has the file, under this name or another.
	Created bool
	// Cut: parents of Commit are not in this shallow clone, so an older commit may
	// be the one that made this version.
	Cut bool
}

// End says why a walk is over.
type End int

// The ends of a walk.
const (
	Unfinished End = iota // there may be more versions
	Complete              // the whole history was seen
	Shallow               // what is left of the history is not in this shallow clone
	Limit                 // MaxCommits were visited, or too many renames looked for
)

// String returns unfinished, complete, shallow or limit.
func (e End) String() string {
	switch e {
	case Complete:
		return "complete"
	case Shallow:
		return "shallow"
	case Limit:
		return "limit"
	}
	return "unfinished"
}

// History walks the versions of one file from new to old, as git log does for a
// path: a merge that left the file as it is in one parent is followed to that parent
// alone, any other merge to all of them. Renames are followed (with exact or at
// least 50 % similar content); so is a file that was deleted and came back.
//
//	h := r.History(head, "tokens/swiss.yml", repo.HistoryOptions{})
//	for h.Next(ctx) {
//		v := h.Version()
//		...
//	}
//	if err := h.Err(); err != nil {
//		return err
//	}
//	if h.End() != repo.Complete { ... }
//
// Stopping early costs nothing, and a walk whose context has ended goes on where it was
// when Next is called with another one. A History serves one goroutine at a time.
type History struct {
	repo     *Repository
	max      int
	folder   bool
	queue    queue[*line]
	seen     map[lineKey]*line
	visited  int
	versions int
	renames  int
	cut      bool  // some parents are not in this shallow clone
	bounded  bool  // a rename was not looked for
	missing  error // what kept a rename from being looked for
	version  Version
	end      End
	paused   error // the end of a context
	err      error
}

// History starts a walk at a commit that came from this repository. If path is a
// symbolic link there, the file that it leads to is walked; further back, a link counts as no file.
func (r *Repository) History(from Commit, path string, o HistoryOptions) *History {
	h := &History{repo: r, max: cmp.Or(max(o.MaxCommits, 0), DefaultMaxCommits), seen: map[lineKey]*line{}}
	path, blob, err := r.fileAt(from.tree, path)
	if err != nil {
		h.err = fmt.Errorf("commit %s: %w", from.Hash, err)
		return h
	}
	h.follow(line{lineKey: lineKey{from.id, path}, blob: blob, newer: -1})
	return h
}

// FolderHistory is [Repository.History] of a folder: a version is one of all that lies below
// it. Renames of folders are not followed.
func (r *Repository) FolderHistory(from Commit, path string, o HistoryOptions) *History {
	h := &History{repo: r, max: cmp.Or(max(o.MaxCommits, 0), DefaultMaxCommits), folder: true, seen: map[lineKey]*line{}}
	tree, err := h.at(from.tree, path)
	if err != nil {
		h.err = fmt.Errorf("commit %s: %w", from.Hash, err)
		return h
	}
	h.follow(line{lineKey: lineKey{from.id, path}, blob: tree, newer: -1})
	return h
}

// at is what the walk looks at below a tree object: the id of a regular file, or of a
// folder, or zero.
func (h *History) at(tree plumbing.Hash, path string) (plumbing.Hash, error) {
	if h.folder {
		return h.repo.folderIn(tree, path)
	}
	return h.repo.blobIn(tree, path)
}

// Next finds the next version, and reports whether there was one. It returns false
// at the end of the walk ([History.End]), on an error, and when ctx has ended
// ([History.Err]).
func (h *History) Next(ctx context.Context) bool {
	if h.end != Unfinished || h.err != nil {
		return false
	}
	for len(h.queue) > 0 {
		if h.paused = ctx.Err(); h.paused != nil {
			return false
		}
		if h.visited == h.max {
			h.end, h.queue, h.seen = Limit, nil, nil
			return false
		}
		h.visited++
		l := h.queue.take()
		l.done = true
		renames := h.renames
		found, err := h.visit(ctx, l)
		if h.paused = ctx.Err(); err != nil && h.paused != nil {
			l.done = false // to be visited again
			h.visited, h.renames = h.visited-1, renames
			h.queue.add(l)
			return false
		}
		h.paused = nil
		if err != nil {
			h.err = fmt.Errorf("commit %s: %w", l.commit, err)
			h.queue, h.seen = nil, nil
			return false
		}
		if found {
			return true
		}
	}
	switch {
	case h.missing != nil:
		h.err = h.missing
	case h.cut:
		h.end = Shallow
	case h.bounded:
		h.end = Limit
	default:
		h.end = Complete
	}
	h.seen = nil // a hundred bytes for each commit
	return false
}

// Version returns what the last successful Next found.
func (h *History) Version() Version { return h.version }

// Visited returns how many commits were visited so far.
func (h *History) Visited() int { return h.visited }

// End says why the walk is over.
func (h *History) End() End { return h.end }

// Err returns what stopped the walk before its end: an error of the repository, or
// that of a context.
func (h *History) Err() error { return cmp.Or(h.err, h.paused) }

// visit looks at the file in one commit and in its parents, and reports whether
// the commit made a version.
func (h *History) visit(ctx context.Context, l *line) (bool, error) {
	parents, cut, err := h.parents(l)
	if err != nil {
		return false, err
	}
	h.cut = h.cut || cut
	for _, p := range parents {
		if p.blob == l.blob {
			h.follow(p)
			return false, nil
		}
	}
	if l.blob.IsZero() && len(parents) == 0 {
		return false, nil // it was never there
	}
	commit, err := h.repo.commit(l.commit)
	if err != nil {
		return false, err
	}
	h.version = Version{Commit: commit, Path: l.path, Newer: l.newer, Cut: cut}
	if !l.blob.IsZero() {
		h.version.Blob = l.blob.String()
	}
	for m := l.merges; m != nil && len(h.version.Merges) < maxMerges; m = m.outer {
		h.version.Merges = append(h.version.Merges, m.commit.String())
	}
	h.version.Created = !cut && !l.blob.IsZero()
	for _, p := range parents {
		p.newer = h.versions
		sure := true
		if p.blob.IsZero() && !h.folder {
			if sure, err = h.followRename(ctx, l, &p, commit); err != nil {
				return false, err
			}
		}
		h.version.Created = h.version.Created && sure && p.blob.IsZero()
		h.follow(p)
	}
	h.versions++
	return true, nil
}

// parents are the lines on which the walk may go on, and whether some are cut off.
func (h *History) parents(l *line) (parents []line, cut bool, err error) {
	n, err := h.repo.node(l.commit)
	if err != nil {
		return nil, false, err
	}
	for i, id := range n.parents {
		parent, err := h.repo.node(id)
		if errors.Is(err, ErrMissingObject) && h.repo.isShallow() {
			cut = true
			continue
		}
		if err != nil {
			return nil, false, err
		}
		blob, err := h.at(parent.tree, l.path)
		if err != nil {
			return nil, false, err
		}
		p := line{lineKey: lineKey{id, l.path}, blob: blob, newer: l.newer, merges: l.merges}
		if i > 0 {
			p.merges = &mergeChain{l.commit, l.merges, l.merges.len() + 1}
		}
		parents = append(parents, p)
	}
	return parents, cut, nil
}
