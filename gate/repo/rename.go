package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Bounds for finding renames. The number of pairs is git's diff.renameLimit; the
// others bound memory and time where files are large, or many are equal.
const (
	maxEqual       = 100 // equal files looked at for one target, as git
	maxRenamePairs = 1000 * 1000
	maxRenameBytes = 32 << 20 // of all candidates together
	maxRenameWork  = 4 << 30  // bytes compared with bytes, over all pairs
)

// Similarities, in parts of a whole file.
const (
	wholeScore     = 60000
	renameScore    = wholeScore / 2     // git's default of 50 %
	sameNameScore  = wholeScore * 3 / 4 // enough for the only two files of that name
	perFileMatches = 4                  // best sources remembered for each target
)

// candidate is a path that one of two states lacks.
type candidate struct {
	tree   *Snapshot
	entry  entry
	pair   *candidate // found on the other side
	size   int64
	pieces []piece // content, for comparing
}

// pairRenames finds which deleted files live on as which added ones. Both are
// sorted by path. Go-git's own detector is not used: it loses an added file when a
// deleted one has the same content but other permissions, and its choice among
// equals is random. The steps are those of git: equal content first, then
// files with the same name that are alone in having it, then the most similar.
// It is not complete where only equal content was looked for: there are too many files,
// they are too large, or some are not in this partial clone.
func pairRenames(ctx context.Context, deleted, added []*candidate) (complete bool, err error) {
	if err := pairEqual(ctx, deleted, added); err != nil {
		return false, err
	}
	unpaired := func(c *candidate) bool { return c.pair == nil && isPlain(c.entry.mode) }
	deleted, added = filter(deleted, unpaired), filter(added, unpaired)
	if len(deleted) == 0 || len(added) == 0 {
		return true, nil
	}
	if ok, err := loadPieces(ctx, deleted, added); err != nil || !ok {
		return false, err
	}
	pairByName(deleted, added)
	open := func(c *candidate) bool { return c.pair == nil }
	return true, pairSimilar(ctx, filter(deleted, open), filter(added, open))
}

func filter(all []*candidate, keep func(*candidate) bool) []*candidate {
	var some []*candidate
	for _, c := range all {
		if keep(c) {
			some = append(some, c)
		}
	}
	return some
}

func (c *candidate) join(other *candidate) { c.pair, other.pair = other, c }

// pairEqual pairs files with the same content, those with the same name first.
func pairEqual(ctx context.Context, deleted, added []*candidate) error {
	byID := map[plumbing.Hash][]*candidate{}
	for _, d := range deleted {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, err := d.tree.id(ctx, d.entry)
		if err != nil {
			continue // unreadable, so equal to nothing
		}
		byID[id] = append(byID[id], d)
	}
	for _, a := range added {
		if a.tree.tooLarge(a.entry) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		id, err := a.tree.id(ctx, a.entry)
		if err != nil {
			continue // unreadable, so equal to nothing
		}
		same := byID[id]
		for len(same) > 0 && same[0].pair != nil {
			same = same[1:]
		}
		byID[id] = same
		var best *candidate
		for _, d := range same[:min(len(same), maxEqual)] {
			if d.pair != nil || d.entry.mode != a.entry.mode && !(isPlain(d.entry.mode) && isPlain(a.entry.mode)) {
				continue
			}
			if best == nil || !sameName(best, a) && sameName(d, a) {
				best = d
			}
		}
		if best != nil {
			a.join(best)
		}
	}
	return nil
}

func sameName(a, b *candidate) bool { return path.Base(a.entry.path) == path.Base(b.entry.path) }

// loadPieces reads what is to be compared; false: it is too much.
func loadPieces(ctx context.Context, deleted, added []*candidate) (bool, error) {
	if len(deleted)*len(added) > maxRenamePairs {
		return false, nil
	}
	sum := func(side []*candidate) (total int64) {
		for _, c := range side {
			c.size = c.tree.sizeOf(c.entry)
			total += c.size
		}
		return total
	}
	oldBytes, newBytes := sum(deleted), sum(added)
	work := oldBytes*int64(len(added)) + newBytes*int64(len(deleted))
	if oldBytes+newBytes > maxRenameBytes || work > maxRenameWork {
		return false, nil
	}
	counts := new([buckets]uint32)
	for _, c := range slices.Concat(deleted, added) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		content, err := c.tree.ReadFile(c.entry.path)
		if err != nil {
			continue // unreadable, so similar to nothing
		}
		c.size, c.pieces = int64(len(content)), cut(content, counts)
	}
	return true, nil
}

// sizeOf returns the size of a file of the state.
func (t *Snapshot) sizeOf(e entry) int64 {
	switch info, err := t.Stat(e.path); {
	case err == nil:
		return info.Size()
	case errors.Is(err, ErrMissingObject):
		return maxRenameBytes + 1 // a partial clone can't compare it
	}
	return 0 // unreadable, so similar to nothing
}

// pairByName pairs files that alone have their name on both sides, if they are
// similar enough.
func pairByName(deleted, added []*candidate) {
	alone := func(side []*candidate) map[string]*candidate {
		names := map[string]*candidate{}
		for _, c := range side {
			name := path.Base(c.entry.path)
			if _, again := names[name]; again {
				names[name] = nil
				continue
			}
			names[name] = c
		}
		return names
	}
	targets := alone(added)
	for name, d := range alone(deleted) {
		if a := targets[name]; d != nil && a != nil && similarity(d, a, sameNameScore) >= sameNameScore {
			a.join(d)
		}
	}
}

// pairSimilar pairs the most similar files first.
func pairSimilar(ctx context.Context, deleted, added []*candidate) error {
	type match struct {
		from, to *candidate
		score    int64
		named    bool
	}
	best := func(a, b match) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		switch {
		case a.named && !b.named:
			return -1
		case b.named && !a.named:
			return 1
		}
		return 0
	}
	var all []match
	for _, a := range added {
		if err := ctx.Err(); err != nil {
			return err
		}
		var some []match
		for _, d := range deleted {
			if score := similarity(d, a, renameScore); score >= renameScore {
				some = append(some, match{d, a, score, sameName(d, a)})
			}
		}
		slices.SortStableFunc(some, best)
		all = append(all, some[:min(len(some), perFileMatches)]...)
	}
	slices.SortStableFunc(all, best)
	for _, m := range all {
		if m.from.pair == nil && m.to.pair == nil {
			m.to.join(m.from)
		}
	}
	return nil
}

// piece is how many bytes of a file are in lines, or 64 bytes of longer ones, that
// fall into one bucket.
type piece struct{ bucket, bytes uint32 }

const (
	buckets    = 1 << 17
	pieceSize  = 64
	binaryPeek = 8000 // a NUL in so many first bytes makes a file binary
)

// cut counts the pieces of a file, by bucket. The line ends of a text file don't
// matter. counts is scratch space, all zero before and after.
func cut(content []byte, counts *[buckets]uint32) []piece {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	text := bytes.IndexByte(content[:min(len(content), binaryPeek)], 0) < 0
	var used []uint32
	hash, length := uint32(offset), uint32(0)
	flush := func() {
		if length > 0 {
			bucket := (hash ^ hash>>17) % buckets
			if counts[bucket] == 0 {
				used = append(used, bucket)
			}
			counts[bucket] += length
			hash, length = offset, 0
		}
	}
	for i, b := range content {
		if text && b == '\r' && i+1 < len(content) && content[i+1] == '\n' {
			continue
		}
		hash = (hash ^ uint32(b)) * prime
		length++
		if b == '\n' || length == pieceSize {
			flush()
		}
	}
	flush()
	slices.Sort(used)
	pieces := make([]piece, len(used))
	for i, bucket := range used {
		pieces[i] = piece{bucket, counts[bucket]}
		counts[bucket] = 0
	}
	return pieces
}

// similarity returns how much of the larger file is in both, in parts of
// wholeScore, or 0 if the sizes alone keep it below least.
func similarity(a, b *candidate, least int64) int64 {
	small, large := min(a.size, b.size), max(a.size, b.size)
	if large == 0 || (large-small)*wholeScore > large*(wholeScore-least) {
		return 0
	}
	var common int64
	x, y := a.pieces, b.pieces
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].bucket < y[0].bucket:
			x = x[1:]
		case x[0].bucket > y[0].bucket:
			y = y[1:]
		default:
			common += int64(min(x[0].bytes, y[0].bytes))
			x, y = x[1:], y[1:]
		}
	}
	return common * wholeScore / large
}
