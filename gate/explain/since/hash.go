package since

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Modes are the hashes of an input that may have been recorded.
type Modes uint8

// The hashes that evidence records ("AHD replay, Hash contract" and "Raw-bytes
// inputs"); a brief may have either.
const (
	Raw       Modes = 1 << iota // of the exact bytes
	Canonical                   // of the parsed value
)

// match reports whether content is the recorded version.
func (q Question) match(content []byte) bool {
	if q.Holds != nil {
		return q.Holds(content)
	}
	if q.Modes&Raw != 0 && canonical.RawHash(content) == q.Recorded {
		return true
	}
	if q.Modes&Canonical == 0 {
		return false
	}
	sum, err := canonical.Hash(content)
	return err == nil && sum == q.Recorded
}

// maxSums bounds the blobs of which a [Finder] remembers something; it starts anew beyond. A
// history may have millions.
const maxSums = 1 << 16

// blobID is the id of a blob in bytes.
type blobID [20]byte

// sums are what is remembered of the hashes of a blob, raw and canonical: enough to tell that
// it is not the recorded one. What may be is hashed again.
type sums [2]uint64

// Values of sums that are of no hash.
const (
	notHashed uint64 = iota
	noValue
)

// remembered is what is kept of a hash.
func (f *Finder) remembered(sum string) uint64 {
	if sum == "" {
		return noValue
	}
	return max(noValue+1, maphash.String(f.seed, sum))
}

// heldKey is a blob, and what of it was asked: a hash of the evidence's kind.
type heldKey struct{ blob, recorded, key string }

// holdsIn asks the kind of evidence of a blob or of a folder's tree; what it said of a hash is remembered.
func (f *Finder) holdsIn(ctx context.Context, blob string, q Question) (bool, error) {
	key := heldKey{blob, q.Recorded, q.Key}
	if q.HoldsIn != nil {
		key.key = q.Input
	}
	if holds, known := f.held[key]; known && q.Recorded != "" {
		return holds, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	var holds bool
	var err error
	if q.HoldsIn != nil {
		if f.listed > maxListed {
			return false, errMuch
		}
		var folder *repo.Snapshot
		if folder, err = f.repo.Folder(ctx, q.Input, blob); err == nil {
			f.listed += len(folder.Files())
			holds = q.HoldsIn(folder)
		}
	} else {
		var content []byte
		if content, err = f.repo.Blob(blob); err == nil {
			holds = q.Holds(content)
		}
	}
	if err != nil && !errors.Is(err, repo.ErrTooLarge) {
		return false, err
	}
	if len(f.held) >= maxSums {
		clear(f.held)
	}
	f.held[key] = holds
	return holds, nil
}

// maxListed bounds the files of all states of folders that are listed for a [Finder]: a count,
// as what a verdict rests on is not found sooner or later by how fast a machine is.
const maxListed = 2_000_000

// errMuch: so many were listed.
var errMuch = errors.New("too many files in the history of folders")

// errUnread: the content has no value that could be hashed.
var errUnread = errors.New("can't be read as a value")

// matches reports whether a blob has the recorded hash. Hashes are remembered by blob,
// whatever path or commit it stands in; the error is errUnread, that of ctx, or one of the repository.
func (f *Finder) matches(ctx context.Context, blob string, q Question) (bool, error) {
	if blob == "" {
		return false, nil
	}
	if q.Holds != nil || q.HoldsIn != nil {
		return f.holdsIn(ctx, blob, q)
	}
	var id blobID
	if n, err := hex.Decode(id[:], []byte(blob[:min(len(blob), 2*len(id))])); n < len(id) {
		return false, fmt.Errorf("blob %s: no id: %w", blob, err)
	}
	unread := false
	for i, mode := range []Modes{Raw, Canonical} {
		if q.Modes&mode == 0 {
			continue
		}
		if known := f.sums[id][i]; known != notHashed && known != f.remembered(q.Recorded) {
			unread = unread || known == noValue
			continue
		}
		sum, err := f.sum(ctx, blob, mode)
		if err != nil {
			return false, err
		}
		if len(f.sums) >= maxSums {
			clear(f.sums)
		}
		s := f.sums[id]
		s[i] = f.remembered(sum)
		f.sums[id] = s
		if sum == q.Recorded {
			return true, nil
		}
		unread = unread || sum == ""
	}
	if unread && q.Modes&Raw == 0 {
		return false, errUnread
	}
	return false, nil
}

// sum hashes a blob; it is empty where there is no value.
func (f *Finder) sum(ctx context.Context, blob string, mode Modes) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	content, err := f.repo.Blob(blob)
	switch {
	case errors.Is(err, repo.ErrTooLarge):
		return "", nil
	case err != nil:
		return "", err
	case mode == Raw:
		return canonical.RawHash(content), nil
	}
	sum, _ := canonical.Hash(content)
	return sum, nil
}
