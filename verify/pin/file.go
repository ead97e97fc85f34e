package pin

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/replay-gate/replay-gate/verify"
)

// sums are the digests of one content.
type sums struct {
	sha256 string
	blob   string // gitBlob of 40 digits
	blob64 string // and of 64
}

func sumsOf(data []byte) sums {
	raw := sha256.Sum256(data)
	return sums{hex.EncodeToString(raw[:]), blobOf(sha1.New(), data), blobOf(sha256.New(), data)}
}

// blobOf is the name of a git blob (in-toto, DigestSet, gitBlob).
func blobOf(h hash.Hash, data []byte) string {
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// match reports whether the content has the recorded digest. sha256 decides; gitBlob
// speaks only where it is alone.
func (s sums) match(a *artifact) bool {
	if a.sha256 != "" {
		return s.sha256 == a.sha256
	}
	return a.blob != "" && (s.blob == a.blob || s.blob64 == a.blob)
}

// file is a file of the tree, ready to be compared.
type file struct {
	path string
	tree *verify.Tree
	sums
	err error
}

type (
	fileKey  string // path
	formsKey string // path
)

// fileAt reads and hashes a file of the tree, once however many statements name it.
func fileAt(t *verify.Tree, path string) file {
	f := verify.Once(t, fileKey(path), func(t *verify.Tree) file {
		data, err := t.ReadFile(path, verify.MaxInput)
		if err != nil {
			return file{path: path, err: err}
		}
		return file{path: path, sums: sumsOf(data)}
	})
	f.tree = t
	return f
}

// holds reports whether the file has the artifact's digest, as it is or in another form
// of the same content; form names that one.
func (f file) holds(a *artifact) (form string, ok bool) {
	if f.match(a) {
		return "", true
	}
	others := verify.Once(f.tree, formsKey(f.path), func(t *verify.Tree) []otherForm {
		data, err := t.ReadFile(f.path, verify.MaxInput)
		if err != nil {
			return nil
		}
		return formsOf(data)
	})
	for _, other := range others {
		if other.match(a) {
			return other.name, true
		}
	}
	return "", false
}

// observed is the digest of the file that answers to the recorded one.
func (f file) observed(a *artifact) string {
	switch {
	case a.sha256 != "":
		return algSHA256 + ":" + f.sha256
	case len(a.blob) == len(f.blob64):
		return algBlob + ":" + f.blob64
	}
	return algBlob + ":" + f.blob
}
