package repo

import "github.com/go-git/go-git/v5/plumbing"

// follow puts a line into the queue. Where several lines lead to a commit, the one
// through the fewest merges counts: it is the nearest to the first parents.
func (h *History) follow(l line) {
	if old := h.seen[l.lineKey]; old != nil {
		if !old.done && l.merges.len() < old.merges.len() {
			old.newer, old.merges = l.newer, l.merges
		}
		return
	}
	if n, err := h.repo.node(l.commit); err == nil {
		l.when = n.when
	}
	l.order = len(h.seen)
	h.seen[l.lineKey] = &l
	h.queue.add(&l)
}

// lineKey is a commit and the path that is looked at in it.
type lineKey struct {
	commit plumbing.Hash
	path   string
}

// line is where the walk goes on.
type line struct {
	lineKey
	blob   plumbing.Hash // zero: there is no file
	newer  int
	merges *mergeChain
	when   int64
	order  int // of discovery
	done   bool
}

// mergeChain are merges passed by another parent than the first, the last one first.
type mergeChain struct {
	commit plumbing.Hash
	outer  *mergeChain
	n      int
}

func (m *mergeChain) len() int {
	if m == nil {
		return 0
	}
	return m.n
}

// before: the newest commit is next, and of the same second the one found first.
func (l *line) before(other *line) bool {
	if l.when != other.when {
		return l.when > other.when
	}
	return l.order < other.order
}
