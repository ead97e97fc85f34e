package verify

import (
	"cmp"
	"slices"
	"sync"
)

// Op is what a [Read] asked a tree for.
type Op uint8

// The ways to read a tree.
const (
	OpFile  Op = iota + 1 // the content of the file at Name, or whether there is one
	OpNamed               // the files whose last path element is Name
	OpUnder               // the files below the folder Name
)

// Outcome is what became of a read (DESIGN, section 2: unreadable is not absent).
type Outcome uint8

// The outcomes.
const (
	Found  Outcome = iota + 1 // a file, or a listing
	Absent                    // there is no such file
	// Unusable: it is there and can't be read as a file: a folder, a named pipe, larger
	// than any file that is read, a link that leads out.
	Unusable
	// Lost: it could not be had, and nobody knows what it holds: git lacks the object, a
	// submodule is not checked out, the disk or the network failed.
	Lost
)

// Read is one thing that a judgement asked a tree for.
type Read struct {
	Op      Op
	Name    string
	Outcome Outcome
	Why     string // why it is unusable or lost, in words that follow the name
}

// Reads is what a judgement read, in a form that shares what was read for many. The
// nil *Reads notes nothing.
type Reads struct {
	mu    sync.Mutex
	own   []Read
	parts []*Reads // what values out of the tree's memory were made from

	// losses, if set, is given what is lost, and nothing else is noted.
	losses *Reads
}

func (r *Reads) add(read Read) {
	if r == nil {
		return
	}
	if r.losses != nil {
		if read.Outcome == Lost {
			r.losses.add(read)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Most judgements read a handful of files, each a few times in a row.
	for _, have := range r.own[max(0, len(r.own)-8):] {
		if have == read {
			return
		}
	}
	r.own = append(r.own, read)
}

func (r *Reads) include(part *Reads) {
	if r == nil || part == nil || part.empty() {
		return
	}
	if r.losses != nil {
		if lost, ok := part.Lost(); ok {
			r.losses.add(lost)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.parts[max(0, len(r.parts)-8):], part) {
		r.parts = append(r.parts, part)
	}
}

func (r *Reads) empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.own) == 0 && len(r.parts) == 0
}

// Any reports whether is holds for something that was read. What many judgements share is
// looked at once if they ask with the same known, which may be nil.
func (r *Reads) Any(known map[*Reads]bool, is func(Read) bool) bool {
	if r == nil {
		return false
	}
	if answer, ok := known[r]; ok {
		return answer
	}
	own, parts := r.snapshot()
	answer := slices.ContainsFunc(own, is) ||
		slices.ContainsFunc(parts, func(p *Reads) bool { return p.Any(known, is) })
	if known != nil {
		known[r] = answer
	}
	return answer
}

// All lists what was read, each once, sorted by name.
func (r *Reads) All() []Read {
	seen := make(map[*Reads]bool)
	var all []Read
	var visit func(r *Reads)
	visit = func(r *Reads) {
		if r == nil || seen[r] {
			return
		}
		seen[r] = true
		own, parts := r.snapshot()
		all = append(all, own...)
		for _, p := range parts {
			visit(p)
		}
	}
	visit(r)
	slices.SortFunc(all, func(a, b Read) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Why, b.Why))
	})
	return slices.Compact(all)
}

func (r *Reads) snapshot() (own []Read, parts []*Reads) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.own, r.parts
}

// Lost is the first read, by name, of something that could not be had.
func (r *Reads) Lost() (Read, bool) {
	// Asked of all evidence, so the list is only made where there is something.
	lost := func(read Read) bool { return read.Outcome == Lost }
	if !r.Any(nil, lost) {
		return Read{}, false
	}
	all := r.All()
	return all[slices.IndexFunc(all, lost)], true
}
