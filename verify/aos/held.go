package aos

import (
	"bytes"
	"slices"
	"sync"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Bounds on the files that are held. A parsed value costs some fifty times its
// shortest spelling, and a change can bring any number of originals.
const (
	maxHeldFiles = 64
	maxHeldCost  = 64 << 20 // bytes, about
)

// held are the files that evidence was held against lately, the latest last.
// Several replays may have one original, and stand beside each other.
type held struct {
	mu    sync.Mutex
	files []heldFile
}

type heldFile struct {
	*file
	cost int
}

type heldKey struct{}

// openHeld is open for files that several pieces of evidence may be held against.
func openHeld(t *verify.Tree, name string) *file {
	h := heldIn(t)
	// Who is given what another judgement read has read it too.
	if f := h.get(name); f != nil && t.Exists(name) {
		return f
	}
	f := open(t, name)
	if f.err == nil {
		h.add(heldFile{f, f.cost()})
	}
	return f
}

func heldIn(t *verify.Tree) *held {
	return verify.Once(t, heldKey{}, func(*verify.Tree) *held { return new(held) })
}

// get is a file that is held, nil if it is not.
func (h *held) get(name string) *file {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.files, func(f heldFile) bool { return f.path == name })
	if i < 0 {
		return nil
	}
	f := h.files[i]
	h.files = append(slices.Delete(h.files, i, i+1), f)
	return f.file
}

// add holds a file, and lets go of those that were used longest ago.
func (h *held) add(f heldFile) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files = append(h.files, f)
	first, cost := len(h.files), 0
	for first > 0 && len(h.files)-first < maxHeldFiles && cost+h.files[first-1].cost <= maxHeldCost {
		first--
		cost += h.files[first].cost
	}
	h.files = slices.Delete(h.files, 0, first)
}

// cost is about what a file takes in memory, in bytes. None is beyond maxHeldCost, or
// each of its replays would read it again.
func (f *file) cost() int {
	const value = 100
	count := func(sep string) int { return bytes.Count(f.data, []byte(sep)) }
	return len(f.data) + value*min(count(",")+count("[")+count("{"), jsondoc.MaxValues)
}
