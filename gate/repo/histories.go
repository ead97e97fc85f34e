package repo

import (
	"cmp"
	"context"
	"sync"
)

// Histories are the histories of files from one commit, each of them walked once,
// whoever asks, and no further than somebody needs. Several goroutines may ask.
type Histories struct {
	repo *Repository
	from Commit
	o    HistoryOptions

	mu    sync.Mutex
	walks map[string]*Walk
}

// Histories returns the histories from a commit that came from r.
func (r *Repository) Histories(from Commit, o HistoryOptions) *Histories {
	return &Histories{repo: r, from: from, o: o, walks: map[string]*Walk{}}
}

// From is the commit that all walks start at.
func (h *Histories) From() Commit { return h.from }

// MaxCommits is how many commits a walk visits at most.
func (h *Histories) MaxCommits() int { return cmp.Or(h.o.MaxCommits, DefaultMaxCommits) }

// Of returns the walk of a file, by its path at the first commit.
func (h *Histories) Of(path string) *Walk {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.walks[path]
	if w == nil {
		w = &Walk{history: h.repo.History(h.from, path, h.o)}
		h.walks[path] = w
	}
	return w
}

// Walk is a [History] that remembers what it found.
type Walk struct {
	mu       sync.Mutex
	history  *History
	versions []Version
}

// At returns the version at a place in the walk, counted from 0, and walks on to it
// if it must. It is false where [History.Next] is; the error is what stopped the
// walk before its end.
func (w *Walk) At(ctx context.Context, i int) (Version, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.versions) <= i {
		if !w.history.Next(ctx) {
			return Version{}, false, w.history.Err()
		}
		w.versions = append(w.versions, w.history.Version())
	}
	return w.versions[i], true, nil
}

// Seen returns the versions that were found so far, the newest first.
func (w *Walk) Seen() []Version {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.versions[:len(w.versions):len(w.versions)]
}

// End says why the walk is over.
func (w *Walk) End() End {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.history.End()
}

// Visited returns how many commits were visited so far.
func (w *Walk) Visited() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.history.Visited()
}
