package repo

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// maxLive bounds the walks that can go on at once: each remembers every commit that it
	// visited, a megabyte or two for [DefaultMaxCommits].
	maxLive = 6
	// maxKept bounds the versions that walks remember beside those that go on: each takes
	// some hundreds of bytes, and a history may have many times as many.
	maxKept = 20_000
)

// Histories are the histories of files and folders from one commit, each of them walked once,
// whoever asks, and no further than somebody needs. Several goroutines may ask.
type Histories struct {
	repo *Repository
	from Commit
	o    HistoryOptions
	kept atomic.Int64 // versions that all walks remember

	mu    sync.Mutex
	walks map[watched]*Walk
	live  []*Walk // the one that began or went on last at the end
}

// Histories returns the histories from a commit that came from r.
func (r *Repository) Histories(from Commit, o HistoryOptions) *Histories {
	return &Histories{repo: r, from: from, o: o, walks: map[watched]*Walk{}}
}

// From is the commit that all walks start at.
func (h *Histories) From() Commit { return h.from }

// MaxCommits is how many commits a walk visits at most.
func (h *Histories) MaxCommits() int { return cmp.Or(h.o.MaxCommits, DefaultMaxCommits) }

// Of returns the walk of a file, by its path at the first commit.
func (h *Histories) Of(path string) *Walk { return h.of(watched{path, false}) }

// OfFolder is Of for a folder.
func (h *Histories) OfFolder(path string) *Walk { return h.of(watched{path, true}) }

// watched is what a walk looks at.
type watched struct {
	path   string
	folder bool
}

func (h *Histories) of(s watched) *Walk {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.walks[s]
	if w == nil {
		w = &Walk{all: h, watched: s}
		h.walks[s] = w
	}
	return w
}

// begin starts a walk, and puts one to rest that has been going on for long.
func (h *Histories) begin(w *Walk) *History {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.live) >= maxLive {
		// One that is being asked is at work; it rests another time.
		if i := slices.IndexFunc(h.live, (*Walk).rest); i >= 0 {
			h.live = slices.Delete(h.live, i, i+1)
		}
	}
	if h.kept.Load() > maxKept {
		for _, other := range h.walks {
			if !slices.Contains(h.live, other) {
				other.forget()
			}
		}
	}
	h.live = append(h.live, w)
	if w.folder {
		return h.repo.FolderHistory(h.from, w.path, h.o)
	}
	return h.repo.History(h.from, w.path, h.o)
}

// Walk is a [History] that remembers what it found, or finds it again.
type Walk struct {
	all *Histories
	watched

	mu       sync.Mutex
	history  *History // nil while it rests
	versions []Version
	visited  int
	end      End
}

// rest lets go of all but the versions, unless somebody is asking. What is over
// holds no more than that.
func (w *Walk) rest() bool {
	if !w.mu.TryLock() {
		return false
	}
	defer w.mu.Unlock()
	if w.end == Unfinished && w.history.err == nil {
		w.history = nil
	}
	return true
}

// forget lets go of the versions too, unless somebody is asking.
func (w *Walk) forget() {
	if !w.mu.TryLock() {
		return
	}
	defer w.mu.Unlock()
	w.all.kept.Add(-int64(len(w.versions)))
	w.history, w.versions = nil, nil
}

// next walks on to the next version. A walk that rested begins anew, and finds the same
// versions on its way.
func (w *Walk) next(ctx context.Context) (bool, error) {
	if w.history == nil {
		w.history = w.all.begin(w)
	}
	for {
		again := w.history.versions < len(w.versions)
		found := w.history.Next(ctx)
		w.visited = max(w.visited, w.history.Visited())
		w.end = cmp.Or(w.end, w.history.End())
		if !found {
			return false, w.history.Err()
		}
		if !again {
			break
		}
	}
	w.versions = append(w.versions, w.history.Version())
	w.all.kept.Add(1)
	return true, nil
}

// At returns the version at a place in the walk, counted from 0, and walks on to it
// if it must. It is false where [History.Next] is; the error is what stopped the
// walk before its end.
func (w *Walk) At(ctx context.Context, i int) (Version, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.versions) <= i {
		if ok, err := w.next(ctx); !ok {
			return Version{}, false, err
		}
	}
	return w.versions[i], true, nil
}

// End says why the walk is over.
func (w *Walk) End() End {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.end
}

// Visited returns how many commits were visited so far.
func (w *Walk) Visited() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.visited
}
