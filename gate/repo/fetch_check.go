package repo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// Bounds for what is in a fetched pack. A few bytes may unfold to very many, so they are
// checked before anything is held in memory.
const (
	maxPackObjects = 4 * maxEntries
	maxPackObject  = 256 << 20 // bytes of one object; a server such as GitHub takes 100 MiB
	maxUnpacked    = 16 << 30  // of all together
)

// checkPack reads through a pack and adds up what is in it. It returns how many objects
// there are, and which its deltas name by their ids.
func checkPack(ctx context.Context, pack *os.File) (int, []plumbing.Hash, error) {
	if _, err := pack.Seek(0, io.SeekStart); err != nil {
		return 0, nil, err
	}
	scanner := packfile.NewScanner(&endingReader{ctx, pack})
	_, count, err := scanner.Header()
	if err != nil {
		return 0, nil, err
	}
	if count > maxPackObjects {
		return 0, nil, fmt.Errorf("%d objects: %w", count, ErrTooLarge)
	}
	total, bases := int64(0), map[plumbing.Hash]bool{}
	for range count {
		h, err := scanner.NextObjectHeader()
		if err != nil {
			return 0, nil, err
		}
		size := h.Length
		if h.Type == plumbing.REFDeltaObject {
			bases[h.Reference] = true
		}
		if h.Type.IsDelta() && size <= maxPackObject {
			head := &headWriter{}
			if _, _, err := scanner.NextObject(head); err != nil {
				return 0, nil, err
			}
			if size, err = deltaTarget(head.Bytes()); err != nil {
				return 0, nil, err
			}
		}
		if size < 0 || size > maxPackObject {
			return 0, nil, fmt.Errorf("an object of more than %d MiB: %w", maxPackObject>>20, ErrTooLarge)
		}
		if total += size; total > maxUnpacked {
			return 0, nil, fmt.Errorf("more than %d GiB unpacked: %w", maxUnpacked>>30, ErrTooLarge)
		}
	}
	return int(count), slices.Collect(maps.Keys(bases)), nil
}

// headWriter keeps the first bytes of what is written to it.
type headWriter struct{ bytes.Buffer }

func (w *headWriter) Write(p []byte) (int, error) {
	const most = 2 * binary.MaxVarintLen64
	if n := most - w.Len(); n > 0 {
		w.Buffer.Write(p[:min(n, len(p))])
	}
	return len(p), nil
}

// deltaTarget returns the size of what a delta makes: the second of the two numbers at
// its beginning (gitformat-pack(5), "Deltified representation").
func deltaTarget(delta []byte) (int64, error) {
	for i := range 2 {
		size, n := binary.Uvarint(delta)
		if n <= 0 || size > 1<<62 {
			return 0, packfile.ErrInvalidDelta
		}
		if i == 1 {
			return int64(size), nil
		}
		delta = delta[n:]
	}
	return 0, nil
}
