package verify

import (
	"errors"
	"hash/maphash"
)

// ErrChanged says that a file is not as it was when it was first read through the tree:
// what was judged and what would be read now are two things.
var ErrChanged = errors.New("the file changed since it was checked")

// changed is how [ReadError.Why] words it.
const changed = "changed while it was checked"

// sighting is what was seen under a name first. A tree is one state of the files, also
// where the file system below it is a folder that somebody writes to: what was read once
// is read again as it was, or not at all.
type sighting struct {
	found  bool
	read   bool // hash and size are known
	size   int
	digest uint64
}

// seed keys the hash by which contents are compared within this process. It is no
// cryptographic one, and need not be: nobody outside of the process knows its key, and it
// reads ten times what SHA-256 does.
var seed = maphash.MakeSeed()

// saw compares what was just seen under a name with what was seen first, and remembers it
// if it is the first. What can't be read says nothing: that is an outcome of its own.
func (t *Tree) saw(name string, now sighting) *ReadError {
	for {
		have, loaded := t.sightings.LoadOrStore(name, now)
		if !loaded {
			return nil
		}
		was := have.(sighting)
		switch {
		case was.found != now.found, was.read && now.read && was != now:
			t.changed.CompareAndSwap(nil, &name)
			return &ReadError{name, changed, Lost, ErrChanged}
		case was.read || !now.read:
			return nil
		}
		if t.sightings.CompareAndSwap(name, have, now) {
			return nil
		}
	}
}

func sightOf(data []byte) sighting {
	return sighting{found: true, read: true, size: len(data), digest: maphash.Bytes(seed, data)}
}

// Changed is the first file of which the tree was found to have changed under the reader;
// empty if none was.
func (t *Tree) Changed() string {
	if name := t.changed.Load(); name != nil {
		return *name
	}
	return ""
}
