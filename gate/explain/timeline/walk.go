package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// sums are both hashes of a blob; value is empty if it has no value.
type sums struct{ raw, value string }

// fill adds the versions of every lane, and the commits.
func (b *Builder) fill(ctx context.Context, t *verify.Timeline, recalls map[pinKey]func([]byte) bool) error {
	bounded := ctx
	if b.o.MaxTime > 0 {
		var cancel func()
		bounded, cancel = context.WithTimeout(ctx, b.o.MaxTime)
		defer cancel()
	}
	histories := make([][]repo.Version, len(t.Lanes))
	left := maxVersions
	for i := range t.Lanes {
		lane := &t.Lanes[i]
		var err error
		if histories[i], lane.Note, err = b.versions(bounded, lane.Input, left); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		left -= len(histories[i])
		if err := b.findPins(bounded, lane, histories[i], recalls); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	places, err := b.order(bounded)
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	var at map[string]int
	t.Commits, at = merge(histories, places)
	for i, versions := range histories {
		lane := &t.Lanes[i]
		for _, v := range versions {
			lv := verify.LaneVersion{Commit: at[v.Commit.Hash], Deleted: v.Blob == ""}
			if v.Path != lane.Input {
				lv.Path = v.Path
			}
			lane.Versions = append(lane.Versions, lv)
		}
	}
	return nil
}

// order is that of the commits. Where time runs out, or a clone has lost some, dates
// order them.
func (b *Builder) order(ctx context.Context) (map[string]int, error) {
	if b.places != nil {
		return b.places, nil
	}
	places, err := b.repo.Order(ctx, b.histories.From(), b.histories.MaxCommits())
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, repo.ErrMissingObject) && !b.o.NoGaps:
		return nil, nil
	case err == nil:
		b.places = places
	}
	return places, err
}

// versions returns at most max versions of an input, the oldest first, and why there
// may be older ones.
func (b *Builder) versions(ctx context.Context, input string, max int) (list []repo.Version, note string, err error) {
	w := b.histories.Of(input)
	more := false
	for !more {
		v, ok, stopped := w.At(ctx, len(list))
		if !ok {
			err = stopped
			break
		}
		if more = len(list) == max; !more {
			list = append(list, v)
		}
	}
	slices.Reverse(list)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return list, fmt.Sprintf("older history was not read within %s", b.o.MaxTime), nil
	case errors.Is(err, repo.ErrMissingObject) && !b.o.NoGaps:
		return list, "older history is not available (partial clone: objects are missing)", nil
	case errors.Is(err, fs.ErrInvalid):
		return nil, "no commit can hold a file at this path", nil
	case err != nil:
		return nil, "", err
	case more:
		return list, fmt.Sprintf("older history was not read (more than %d versions of all inputs)", maxVersions), nil
	case w.End() == repo.Shallow:
		n, _ := b.repo.Shallow()
		return list, fmt.Sprintf("older history is not available (shallow clone: %d commits)", n), nil
	case w.End() == repo.Limit:
		return list, fmt.Sprintf("older history was not read (%d commits visited)", w.Visited()), nil
	}
	return list, "", nil
}

// findPins finds the newest version that each pin of a lane records.
func (b *Builder) findPins(ctx context.Context, lane *verify.Lane, versions []repo.Version, recalls map[pinKey]func([]byte) bool) error {
	newest := make(map[string]int)
	for i, v := range versions {
		s, err := b.hash(ctx, v.Blob)
		if errors.Is(err, context.DeadlineExceeded) {
			lane.Note = "not every version was hashed: time ran out"
			break
		}
		if errors.Is(err, repo.ErrMissingObject) && !b.o.NoGaps {
			lane.Note = "not every version is available (partial clone: objects are missing)"
			continue
		}
		if err != nil {
			return err
		}
		newest[s.raw], newest[s.value] = i, i
	}
	for i := range lane.Pins {
		p := &lane.Pins[i]
		if at, ok := newest[p.Hash]; ok {
			p.Version = at
		} else if holds := recalls[pinKey{p.Evidence, lane.Input, p.Hash}]; holds != nil {
			p.Version = b.recall(ctx, versions, holds)
		} else if !p.Drift && !b.o.Uncommitted {
			// A kind with a hash of its own: its verdict says that the head has it.
			p.Version = len(versions) - 1
		}
	}
	return nil
}

// recall finds the newest version with a hash that only its kind knows; -1 for none that
// can be had.
func (b *Builder) recall(ctx context.Context, versions []repo.Version, holds func([]byte) bool) int {
	for i := len(versions) - 1; i >= 0 && ctx.Err() == nil; i-- {
		if versions[i].Blob == "" {
			continue
		}
		if content, err := b.repo.Blob(versions[i].Blob); err == nil && holds(content) {
			return i
		}
	}
	return -1
}

// hash returns the hashes of a blob, none for a deleted file or one that is too large.
func (b *Builder) hash(ctx context.Context, blob string) (sums, error) {
	if s, known := b.sums[blob]; known || blob == "" {
		return s, nil
	}
	if err := ctx.Err(); err != nil {
		return sums{}, err
	}
	content, err := b.repo.Blob(blob)
	var s sums
	switch {
	case errors.Is(err, repo.ErrTooLarge):
	case err != nil:
		return sums{}, err
	default:
		s.raw = canonical.RawHash(content)
		s.value, _ = canonical.Hash(content) // empty if there is no value
	}
	b.sums[blob] = s
	return s, nil
}
