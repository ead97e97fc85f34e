package verify

import (
	"errors"
	"hash/maphash"
	"sync"
)

// ErrChanged says that a file is not as it was when it was first read through the tree:
// what was judged and what would be read now are two things.
var ErrChanged = errors.New("the file changed since it was checked")

// changed is how [ReadError.Why] words it.
const changed = "changed while it was checked"

// sighting is what was seen under a name first: nothing, a file, or the digest of what was read
// of it. A tree is one state of the files, also where the file system below it is a folder
// that somebody writes to: what was read once is read again as it was, or not at all.
type sighting uint64

const (
	sawNothing sighting = iota
	sawFile
	sawContent // and all above
)

// sightings are what was seen first, by name. There is one for each file that is asked for, so
// they are small.
type sightings struct {
	mu    sync.Mutex
	first map[string]sighting
}

// seed keys the hash by which contents are compared within this process. It is no
// cryptographic one, and need not be: nobody outside of the process knows its key, and it
// reads ten times what SHA-256 does.
var seed = maphash.MakeSeed()

// saw compares what was just seen under a name with what was seen first, and remembers it
// if it is the first. What can't be read says nothing: that is an outcome of its own.
func (t *Tree) saw(name string, now sighting) *ReadError {
	t.sightings.mu.Lock()
	defer t.sightings.mu.Unlock()
	was, seen := t.sightings.first[name]
	switch {
	case !seen, was == sawFile && now >= sawContent:
		if t.sightings.first == nil {
			t.sightings.first = make(map[string]sighting)
		}
		t.sightings.first[name] = now
	case was == now, was >= sawContent && now == sawFile:
	default:
		t.changed.CompareAndSwap(nil, &name)
		return &ReadError{name, changed, Lost, ErrChanged}
	}
	return nil
}

func sightOf(data []byte) sighting { return max(sawContent, sighting(maphash.Bytes(seed, data))) }

// Changed is the first file of which the tree was found to have changed under the reader;
// empty if none was.
func (t *Tree) Changed() string {
	if name := t.changed.Load(); name != nil {
		return *name
	}
	return ""
}
