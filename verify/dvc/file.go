package dvc

import (
	"errors"

	"github.com/replay-gate/replay-gate/verify"
)

// maxFile bounds a dependency or output that is hashed, in bytes. No host of git takes a
// larger file.
const maxFile = 128 << 20

// file is what git holds at a path.
type file struct {
	hash    string
	size    int64
	pointer bool  // a Git LFS pointer
	stands  int64 // the size of what the pointer stands for
	err     *verify.ReadError
	// small files are hashed in other line ends at once: a folder of thousands of them that
	// differs would have all of them read again.
	small    bool
	crlf, lf string // empty if that changes nothing
}

// maxSmall bounds a small file, in bytes.
const maxSmall = 16 << 10

type fileKey struct {
	path   string
	hashes verify.Hashes
}

// fileAt reads and hashes a file, once for a tree.
func fileAt(t *verify.Tree, name string, hashes verify.Hashes) *file {
	return verify.Once(t, fileKey{name, hashes}, func(t *verify.Tree) *file {
		data, err := t.ReadFile(name, maxFile)
		if err != nil {
			re, ok := errors.AsType[*verify.ReadError](err)
			if !ok {
				re = &verify.ReadError{Path: name, Why: err.Error(), Outcome: verify.Unusable}
			}
			return &file{err: re}
		}
		f := &file{hash: Hash(data, hashes), size: int64(len(data))}
		if f.small = len(data) <= maxSmall; f.small {
			f.crlf, f.lf = otherHash(data, hashes, asCRLF), otherHash(data, hashes, asLF)
		}
		if isPointer(data) {
			f.pointer, f.stands = true, sizeOfPointer(data)
		}
		return f
	})
}

func (f *file) absent() bool { return f.err != nil && f.err.Outcome == verify.Absent }

type endsKey struct {
	fileKey
	recorded string
}

// endsAt finds the line ends with which a file has the recorded hash.
func endsAt(t *verify.Tree, name string, hashes verify.Hashes, recorded string) ends {
	return verify.Once(t, endsKey{fileKey{name, hashes}, recorded}, func(t *verify.Tree) ends {
		data, err := t.ReadFile(name, maxFile)
		if err != nil {
			return never
		}
		return matches(data, hashes, recorded)
	})
}
