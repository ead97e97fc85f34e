package since

import (
	"context"
	"errors"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

// Modes are the hashes of an input that may have been recorded.
type Modes uint8

// The hashes that evidence records ("AHD replay, Hash contract" and "Raw-bytes
// inputs"); a brief may have either.
const (
	Raw       Modes = 1 << iota // of the exact bytes
	Canonical                   // of the parsed value
)

// maxUnified bounds a shown difference of text, in lines.
const maxUnified = 20

// heldBy reports whether content has what was recorded.
func (q Question) heldBy(content []byte) bool {
	if q.Modes&Raw != 0 && canonical.RawHash(content) == q.Recorded || q.ValueOf != nil && q.ValueOf(content) == q.Value {
		return true
	}
	if q.Modes&Canonical == 0 {
		return false
	}
	sum, err := canonical.Hash(content)
	return err == nil && sum == q.Recorded
}

// sumKey is a blob and the one mode it is hashed in: for ownValue, by the name and the
// keys that the value is read with.
type sumKey struct {
	blob      string
	mode      Modes
	name, key string
}

// ownValue is the mode of [Question.ValueOf].
const ownValue Modes = 1 << 7

// errUnread: the content has no value that could be hashed.
var errUnread = errors.New("can't be read as a value")

// matches reports whether a blob has the recorded hash. Hashes are remembered by blob,
// whatever path or commit it stands in; the error is errUnread, that of ctx, or one of the repository.
func (f *Finder) matches(ctx context.Context, blob string, q Question) (bool, error) {
	if blob == "" {
		return false, nil
	}
	unread := false
	for _, mode := range []Modes{Raw, Canonical, ownValue} {
		want, key := q.Recorded, sumKey{blob: blob, mode: mode}
		switch {
		case mode == ownValue && q.ValueOf != nil:
			want, key.name, key.key = q.Value, q.Input, q.Key
		case q.Modes&mode == 0:
			continue
		}
		sum, known := f.sums[key]
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
			case mode == ownValue:
				sum = q.ValueOf(content)
			default:
				sum, _ = canonical.Hash(content) // empty if there is no value
			}
			f.sums[key] = sum
		}
		if sum == want {
			return true, nil
		}
		unread = unread || sum == ""
	}
	if unread && q.Modes&Raw == 0 {
		return false, errUnread
	}
	return false, nil
}

// difference shows how two versions differ: by value where they were compared by
// value and that shows it, else by lines.
func difference(before, after []byte, q Question, l valuediff.Limits) (edits []verify.Edit, more int, unified string) {
	if q.Modes&Canonical != 0 || q.ValueOf != nil {
		a, errA := canonical.Parse(before)
		b, errB := canonical.Parse(after)
		// A text without any structure is YAML too, and better shown by lines.
		if errA == nil && errB == nil && (q.Modes&Raw == 0 || isCollection(a) && isCollection(b)) {
			edits, more = valuediff.Diff(a, b, l)
			if len(edits) > 0 {
				return edits, more, ""
			}
		}
	}
	return nil, 0, valuediff.Unified(before, after, q.Input, maxUnified)
}

func isCollection(v canonical.Value) bool {
	switch v.(type) {
	case *canonical.Object, []canonical.Value:
		return true
	}
	return false
}
