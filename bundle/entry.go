package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
)

// Entry is one file of a bundle.
type Entry struct {
	Name   string      // normalized, under files/, outputs/ or cassettes/
	Size   int64       // bytes
	SHA256 string      // "sha256:" + hex
	Mode   fs.FileMode // permission bits, as the archive has them

	at io.ReaderAt // nil when only digests were wanted
}

// Open reads the entry from its start. Each call is independent of others, and
// good until the archive that the entry came from is closed.
func (e Entry) Open() *io.SectionReader {
	if e.at == nil {
		return io.NewSectionReader(bytes.NewReader(nil), 0, 0)
	}
	return io.NewSectionReader(e.at, 0, e.Size)
}

func (e Entry) bytes() ([]byte, error) {
	data := make([]byte, e.Size)
	if _, err := io.ReadFull(e.Open(), data); err != nil {
		return nil, fmt.Errorf("reading %s: %w", e.Name, err)
	}
	return data, nil
}

// store keeps the content of entries: in memory up to a budget, in a temporary
// file beyond it. A store that keeps nothing only computes digests.
type store struct {
	keep   bool
	budget int64
	file   *os.File
	offset int64
	hash   hash.Hash
	buf    []byte
}

func newStore(keep bool, budget int64) *store {
	return &store{keep: keep, budget: budget, hash: sha256.New(), buf: make([]byte, 32<<10)}
}

// storeError is a failure of this machine, not of the archive.
type storeError struct{ err error }

func (e *storeError) Error() string { return "keeping the content of a bundle: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// add reads r to its end. claimed is the size that the archive declares: it
// chooses the place, and allocates nothing.
func (s *store) add(r io.Reader, claimed int64) (sum string, at io.ReaderAt, err error) {
	s.hash.Reset()
	switch {
	case !s.keep:
		_, err = io.CopyBuffer(s.hash, onlyReader{r}, s.buf)
	case claimed <= s.budget:
		var data bytes.Buffer
		var n int64
		n, err = io.CopyBuffer(onlyWriter{io.MultiWriter(&data, s.hash)}, onlyReader{r}, s.buf)
		s.budget -= n
		at = bytes.NewReader(data.Bytes())
	default:
		at, err = s.spill(r)
	}
	return digestPrefix + hex.EncodeToString(s.hash.Sum(nil)), at, err
}

func (s *store) spill(r io.Reader) (io.ReaderAt, error) {
	if s.file == nil {
		f, err := os.CreateTemp("", "replay-gate-*")
		if err != nil {
			return nil, &storeError{err}
		}
		s.file = f
		// Without a name, the file is gone when the process is, however it ends.
		// Where an open file can't be removed, close does it.
		_ = os.Remove(f.Name())
	}
	start := s.offset
	n, err := io.CopyBuffer(onlyWriter{io.MultiWriter(spillWriter{s.file}, s.hash)}, onlyReader{r}, s.buf)
	s.offset += n
	return io.NewSectionReader(s.file, start, n), err
}

func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if rm := os.Remove(s.file.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
		err = errors.Join(err, rm)
	}
	return err
}

// spillWriter tells a full disk from a broken archive.
type spillWriter struct{ f *os.File }

func (w spillWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = &storeError{err}
	}
	return n, err
}

// onlyReader and onlyWriter hide the shortcuts by which io.Copy would hand a
// whole member to another type's buffers.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)
