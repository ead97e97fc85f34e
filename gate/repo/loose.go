package repo

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// readLoose returns an object of at most limit bytes that has a file of its own in a folder of
// objects. Its content is not yet known to be that of its id.
func readLoose(folder string, id plumbing.Hash, limit int64) (plumbing.ObjectType, []byte, error) {
	kind, content, _, err := openLoose(folder, id, limit)
	return kind, content, err
}

// sizeLoose returns the length of such an object.
func sizeLoose(folder string, id plumbing.Hash) (int64, error) {
	_, _, size, err := openLoose(folder, id, -1)
	return size, err
}

// openLoose reads the header of an object and, unless limit is negative, the content.
func openLoose(folder string, id plumbing.Hash, limit int64) (kind plumbing.ObjectType, content []byte, size int64, err error) {
	name := id.String()
	f, err := os.Open(filepath.Join(folder, name[:2], name[2:]))
	if err != nil {
		return kind, nil, 0, err
	}
	defer f.Close()
	x := inflaters.Get().(*inflater)
	defer inflaters.Put(x)
	x.from = packReader{f, 0}
	x.buf.Reset(&x.from)
	if err := x.reset(); err != nil {
		return kind, nil, 0, err
	}
	var head [64]byte
	n, err := io.ReadFull(x.zlib, head[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return kind, nil, 0, err
	}
	header, begun, ok := bytes.Cut(head[:n], []byte{0})
	word, digits, _ := bytes.Cut(header, []byte{' '})
	kind, err1 := plumbing.ParseObjectType(string(word))
	size, err2 := strconv.ParseInt(string(digits), 10, 64)
	switch {
	case !ok || err1 != nil || err2 != nil || size < int64(len(begun)):
		return kind, nil, 0, errNotRead
	case limit < 0:
		return kind, nil, size, nil
	case size > limit:
		return kind, nil, size, ErrTooLarge
	}
	content = make([]byte, size)
	_, err = io.ReadFull(x.zlib, content[copy(content, begun):])
	return kind, content, size, err
}
