package repo

import (
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
)

// errTrailer: the sum at the end of a pack is not that of what is before it.
var errTrailer = errors.New("its checksum is another one")

// completePack adds the objects that deltas of a thin pack need and that are not in it, as
// git index-pack --fix-thin does. bases are all objects that its deltas name.
func (r *Repository) completePack(ctx context.Context, pack *os.File, count int, bases []plumbing.Hash) (int, error) {
	end, sum, err := sumPack(ctx, pack, -1)
	if err != nil {
		return 0, err
	}
	trailer := make([]byte, sha1.Size)
	if _, err := pack.ReadAt(trailer, end); err != nil {
		return 0, err
	}
	if string(trailer) != string(sum) {
		return 0, errTrailer
	}
	if len(bases) == 0 {
		return count, nil
	}
	if _, err := pack.Seek(end, io.SeekStart); err != nil {
		return 0, err
	}
	for _, id := range bases {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		kind, content, err := r.objects.read(id)
		if errors.Is(err, ErrMissingObject) {
			continue // it is in the pack, or the pack can't be read
		}
		if err != nil {
			return 0, err
		}
		if err := writePacked(pack, kind, content); err != nil {
			return 0, err
		}
		count++
	}
	if end, err = pack.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	if end > maxPack {
		return 0, fmt.Errorf("more than %d MiB: %w", maxPack>>20, ErrTooLarge)
	}
	const countAt = 8 // after "PACK" and the version
	if _, err := pack.WriteAt(binary.BigEndian.AppendUint32(nil, uint32(count)), countAt); err != nil {
		return 0, err
	}
	if _, sum, err = sumPack(ctx, pack, end); err != nil {
		return 0, err
	}
	_, err = pack.WriteAt(sum, end)
	return count, errors.Join(err, pack.Truncate(end+sha1.Size))
}

// sumPack returns where a pack's content ends and its SHA-1. An end of -1 stands for all
// but the trailer.
func sumPack(ctx context.Context, pack *os.File, end int64) (int64, []byte, error) {
	if end < 0 {
		info, err := pack.Stat()
		if err != nil {
			return 0, nil, err
		}
		if end = info.Size() - sha1.Size; end < 0 {
			return 0, nil, io.ErrUnexpectedEOF
		}
	}
	if _, err := pack.Seek(0, io.SeekStart); err != nil {
		return 0, nil, err
	}
	var h hash.Hash = sha1.New()
	if _, err := io.Copy(h, io.LimitReader(&endingReader{ctx, pack}, end)); err != nil {
		return 0, nil, err
	}
	return end, h.Sum(nil), nil
}

// writePacked writes an object as a pack has it: its kind and size, seven bits in a byte after the
// first four, and its content compressed (gitformat-pack(5)).
func writePacked(w io.Writer, kind plumbing.ObjectType, content []byte) error {
	size := uint64(len(content))
	head := []byte{byte(kind)<<4 | byte(size&0x0f)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	z := zlib.NewWriter(w)
	_, err := z.Write(content)
	return errors.Join(err, z.Close())
}
