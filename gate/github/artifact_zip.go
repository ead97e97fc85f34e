package github

import (
	"archive/zip"
	"fmt"
	"hash/crc32"
	"io"
)

// writeZip writes files in their order, stored: bundles are compressed already.
// The same files give the same bytes.
//
// Sizes and checksums stand before the content, because readers that take a zip
// as a stream (GitHub's own client) can't find the end of a stored entry
// otherwise. So every file is read once to measure it.
func writeZip(w io.Writer, files []ArtifactFile) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		crc, size, err := measure(f, io.Discard)
		if err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
		h := &zip.FileHeader{
			Name: f.Name, Method: zip.Store, CRC32: crc, CompressedSize64: uint64(size), UncompressedSize64: uint64(size),
			Flags: 0x800, // the name is UTF-8
		}
		//lint:ignore SA1019 a raw entry has no other: 1980-01-01, the first day that a zip can name
		h.ModifiedDate = 1<<5 | 1
		h.SetMode(0o644)
		entry, err := z.CreateRaw(h)
		if err != nil {
			return err
		}
		crc2, size2, err := measure(f, entry)
		if err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
		if crc2 != crc || size2 != size {
			return fmt.Errorf("%s changed while it was read", f.Name)
		}
	}
	return z.Close()
}

// measure copies a file's content to w and returns its checksum and size.
func measure(f ArtifactFile, w io.Writer) (uint32, int64, error) {
	r, err := f.Open()
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	sum := crc32.NewIEEE()
	n, err := io.Copy(io.MultiWriter(w, sum), r)
	return sum.Sum32(), n, err
}
