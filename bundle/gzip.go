package bundle

import (
	"bytes"
	"io"
	"sync"

	"github.com/mholt/archiver/v4"
)

// This file is the one place that meets the archive library. Its gzip is used
// in both directions: one thread, so that neither the number of processors nor
// timing shows in the bytes; a header of ten fixed bytes without name and time;
// and, when reading, one member only, so that what follows it is seen.

// compress returns what body writes, as one gzip member with the header that
// Assay writes: no name, no flags, time 0, system unknown.
func compress(body func(io.Writer) error) ([]byte, error) {
	var buf bytes.Buffer
	zw, err := compressor(&buf)
	if err != nil {
		return nil, err
	}
	if err := body(zw); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	if zw, ok := zw.(resettable); ok {
		compressors.Put(zw)
	}
	// The library writes "no time" as the year 1; RFC 1952, section 2.3.1, as 0.
	// No checksum covers the header.
	clear(buf.Bytes()[4:8])
	return buf.Bytes(), nil
}

// A compressor has tables of more than a megabyte, many times what a bundle holds, so it is
// used again. What it compressed before does not show in what it writes.
var compressors sync.Pool

type resettable interface {
	io.WriteCloser
	Reset(io.Writer)
}

func compressor(w io.Writer) (io.WriteCloser, error) {
	if zw, ok := compressors.Get().(resettable); ok {
		zw.Reset(w)
		return zw, nil
	}
	return archiver.Gz{}.OpenWriter(w)
}

// decompress reads the first gzip member of r. r must be an io.ByteReader, or
// bytes behind the member would be lost. The checksum and length of the member
// are verified when its end is read.
func decompress(r interface {
	io.Reader
	io.ByteReader
}) (io.ReadCloser, error) {
	return archiver.Gz{DisableMultistream: true}.OpenReader(r)
}
