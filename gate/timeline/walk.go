package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// walker reads the histories of all inputs.
type walker struct {
	repo *repo.Repository
	head repo.Commit
	o    Options
	sums map[string]sums // by blob id
	left int             // versions that there is still room for
}

// sums are both hashes of a blob; value is empty if it has no value.
type sums struct{ raw, value string }

// walkAll fills in the versions of every lane, and the commits.
func (w *walker) walkAll(ctx context.Context, t *verify.Timeline) error {
	limit := w.o.MaxTime
	if limit <= 0 {
		limit = DefaultMaxTime
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	histories := make([][]repo.Version, len(t.Lanes))
	for i := range t.Lanes {
		lane := &t.Lanes[i]
		h := w.repo.History(w.head, lane.Input, repo.HistoryOptions{MaxCommits: w.o.MaxCommits})
		for w.left > 0 && h.Next(bounded) {
			histories[i] = append(histories[i], h.Version())
			w.left--
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, repo.ErrMissingObject) {
			return err
		}
		lane.Note = w.note(h, limit)
		slices.Reverse(histories[i])
		if err := w.findPins(bounded, lane, histories[i]); err != nil {
			return err
		}
	}
	var at map[string]int
	t.Commits, at = merge(histories)
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

// note says why a history is not whole.
func (w *walker) note(h *repo.History, limit time.Duration) string {
	switch {
	case h.End() == repo.Complete:
		return ""
	case h.End() == repo.Shallow:
		n, _ := w.repo.Shallow()
		return fmt.Sprintf("older history is not available (shallow clone: %d commits)", n)
	case h.End() == repo.Limit:
		return fmt.Sprintf("older history was not read (%d commits visited)", h.Visited())
	case errors.Is(h.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("older history was not read within %s", limit)
	case h.Err() != nil:
		return "older history is not available (partial clone: objects are missing)"
	}
	return fmt.Sprintf("older history was not read (more than %d versions of all inputs)", maxVersions)
}

// findPins finds the newest version that each pin of a lane records.
func (w *walker) findPins(ctx context.Context, lane *verify.Lane, versions []repo.Version) error {
	newest := make(map[string]int)
	for i, v := range versions {
		s, err := w.hash(ctx, v.Blob)
		if errors.Is(err, context.DeadlineExceeded) {
			lane.Note = "not every version was hashed: time ran out"
			break
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
		} else if !p.Drift {
			// A kind with a hash of its own: its verdict says that the head has it.
			p.Version = len(versions) - 1
		}
	}
	return nil
}

// hash returns the hashes of a blob, none for a deleted file or one that is too large.
func (w *walker) hash(ctx context.Context, blob string) (sums, error) {
	if s, known := w.sums[blob]; known || blob == "" {
		return s, nil
	}
	if err := ctx.Err(); err != nil {
		return sums{}, err
	}
	content, err := w.repo.Blob(blob)
	var s sums
	switch {
	case errors.Is(err, repo.ErrTooLarge), errors.Is(err, repo.ErrMissingObject):
	case err != nil:
		return sums{}, err
	default:
		s.raw = canonical.RawHash(content)
		s.value, _ = canonical.Hash(content) // empty if there is no value
	}
	w.sums[blob] = s
	return s, nil
}
