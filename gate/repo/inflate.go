package repo

import (
	"bufio"
	"compress/zlib"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// packHeader is what stands before the data of an object.
type packHeader struct {
	kind plumbing.ObjectType
	size int64 // of the data
	base int64 // where the base of a delta begins; 0 for none
}

// inflater is what reading one object takes; it is used again.
type inflater struct {
	from packReader
	buf  *bufio.Reader
	zlib io.ReadCloser
}

var inflaters = sync.Pool{New: func() any {
	x := new(inflater)
	x.buf = bufio.NewReaderSize(&x.from, 4<<10)
	return x
}}

// packReader reads on from a place.
type packReader struct {
	file *os.File
	at   int64
}

func (r *packReader) Read(p []byte) (int, error) {
	n, err := r.file.ReadAt(p, r.at)
	r.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// begin reads the header at a place.
func (x *inflater) begin(k *pack, at int64) (h packHeader, err error) {
	x.from = packReader{k.file, at}
	x.buf.Reset(&x.from)
	b, err := x.buf.ReadByte()
	if err != nil {
		return h, err
	}
	h.kind, h.size = plumbing.ObjectType(b>>4&7), int64(b&15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = x.buf.ReadByte(); err != nil || shift > 56 {
			return h, errors.Join(err, errNotRead)
		}
		h.size |= int64(b&0x7f) << shift
	}
	switch h.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		return h, nil
	case plumbing.REFDeltaObject:
		var id plumbing.Hash
		if _, err := io.ReadFull(x.buf, id[:]); err != nil {
			return h, err
		}
		h.base, _ = k.find(id)
	case plumbing.OFSDeltaObject:
		back, err := x.distance()
		if err != nil {
			return h, err
		}
		h.base = at - back
	}
	if h.base <= 0 {
		return h, errNotRead
	}
	return h, nil
}

// distance reads how far before a delta its base begins.
func (x *inflater) distance() (int64, error) {
	var n int64
	for i := 0; ; i++ {
		b, err := x.buf.ReadByte()
		if err != nil || i > 8 {
			return 0, errors.Join(err, errNotRead)
		}
		if i > 0 {
			n++ // the offset encoding of gitformat-pack(5)
		}
		if n = n<<7 | int64(b&0x7f); b&0x80 == 0 {
			return n, nil
		}
	}
}

// reset makes ready for the data that follows.
func (x *inflater) reset() (err error) {
	if x.zlib == nil {
		x.zlib, err = zlib.NewReader(x.buf)
		return err
	}
	return x.zlib.(zlib.Resetter).Reset(x.buf, nil)
}
