package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// maxPack bounds a pack that is fetched, in bytes.
const maxPack = 2 << 30

// receive takes a pack into an object store of its own, which is looked at after the others.
func (r *Repository) receive(ctx context.Context, from Source, want, have, shallow []string) (err error) {
	dir, err := os.MkdirTemp("", "replay-gate-objects-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	packs := filepath.Join(dir, "objects", "pack")
	if err := os.MkdirAll(packs, 0o700); err != nil {
		return err
	}
	name := filepath.Join(packs, "received")
	pack, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer pack.Close()
	if err := from.Pack(ctx, &boundedWriter{pack, maxPack}, want, have, shallow); err != nil {
		return err
	}
	count, err := r.indexPack(ctx, pack, packs)
	if err != nil {
		return fmt.Errorf("reading the pack: %w", cmp.Or(ctx.Err(), malformedPack(err)))
	}
	if count == 0 {
		return os.RemoveAll(dir) // all of it is in what we offered
	}
	r.objects.add(dir)
	return nil
}

// boundedWriter takes so many bytes and no more.
type boundedWriter struct {
	w    io.Writer
	left int64
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("more than %d MiB: %w", maxPack>>20, ErrTooLarge)
	}
	return b.w.Write(p)
}

// malformedPack tells an error of the pack from one of the disk.
func malformedPack(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrCorruptObject) {
		return err
	}
	return fmt.Errorf("%w: %v", ErrCorruptObject, err)
}

// indexPack completes a pack, writes its index, gives both the names by which git finds them, and
// returns how many objects are in it.
func (r *Repository) indexPack(ctx context.Context, pack *os.File, dir string) (int, error) {
	count, bases, err := checkPack(ctx, pack)
	if err != nil || count == 0 {
		return 0, err
	}
	if count, err = r.completePack(ctx, pack, count, bases); err != nil {
		return 0, err
	}
	if _, err := pack.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	writer := new(idxfile.Writer)
	parser, err := packfile.NewParser(packfile.NewScanner(&endingReader{ctx, pack}), writer)
	if err != nil {
		return 0, err
	}
	sum, err := parser.Parse()
	if err != nil {
		return 0, err
	}
	index, err := writer.Index()
	if err != nil {
		return 0, err
	}
	name := filepath.Join(dir, "pack-"+sum.String())
	f, err := os.OpenFile(name+".idx", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = idxfile.NewEncoder(f).Encode(index)
	return count, errors.Join(err, f.Close(), os.Rename(pack.Name(), name+".pack"))
}

// endingReader ends with its context: it serves one call of indexPack, and go-git's parser
// takes no context.
type endingReader struct {
	ctx context.Context
	io.ReadSeeker
}

func (r *endingReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.ReadSeeker.Read(p)
}

// add takes over a folder of objects.
func (o *objects) add(dir string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.folders = append(o.folders, osfs.New(dir))
	o.temporary = append(o.temporary, dir)
}
