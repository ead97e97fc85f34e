package since

import (
	"context"
	"errors"

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

// sumKey is a blob and the one mode it is hashed in.
type sumKey struct {
	blob string
	mode Modes
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
		var folder *repo.Snapshot
		if folder, err = f.repo.Folder(ctx, q.Input, blob); err == nil {
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
	f.held[key] = holds
	return holds, nil
}

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
	unread := false
	for _, mode := range []Modes{Raw, Canonical} {
		if q.Modes&mode == 0 {
			continue
		}
		sum, known := f.sums[sumKey{blob, mode}]
		if !known {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			content, err := f.repo.Blob(blob)
			switch {
			case errors.Is(err, repo.ErrTooLarge):
			case err != nil:
				return false, err
			case mode == Raw:
				sum = canonical.RawHash(content)
			default:
				sum, _ = canonical.Hash(content) // empty if there is no value
			}
			f.sums[sumKey{blob, mode}] = sum
		}
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
