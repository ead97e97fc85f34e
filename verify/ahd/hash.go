package ahd

import (
	"errors"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// hashes are both hashes of one file (AHD replay, Hash contract).
type hashes struct {
	raw string // of the bytes
	value
	err error // the file can't be read
}

// value is the hash of the parsed value, or why there is none.
type value struct {
	canonical string
	code      string // "not-valid" or "cannot-judge"
	reason    string
}

type (
	fileKey    string // path
	contentKey string // raw hash
)

// hashesOf reads and hashes a file of the tree, once however many sidecars pin
// it, and parses it once however many trees hold it.
func hashesOf(t *verify.Tree, name string) hashes {
	return verify.Once(t, fileKey(name), func(t *verify.Tree) hashes {
		data, err := t.ReadFile(name, verify.MaxInput)
		if err != nil {
			return hashes{err: err}
		}
		raw := canonical.RawHash(data)
		return hashes{raw: raw, value: verify.OnceForContent(t, contentKey(raw), func() value {
			return valueOf(data)
		})}
	})
}

func valueOf(data []byte) value {
	hash, err := canonical.Hash(data)
	if err == nil {
		return value{canonical: hash}
	}
	code := "cannot-judge"
	if _, ok := errors.AsType[*canonical.NotValidError](err); ok {
		code = "not-valid"
	}
	return value{code: code, reason: err.Error()}
}
