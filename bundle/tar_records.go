package bundle

import (
	"bytes"
	"io"
	"math"
	"strconv"
)

// recordReader hands a tar on and watches its headers for what readers don't agree
// about. archive/tar takes the last of several records about one entry (PAX header,
// GNU long name, GNU long link target), ends a name at its first NUL, ignores an
// empty name and a record without an entry, and is generous with the form of headers.
// Assay's reader refuses such an archive, or finds other names in it, so neither
// could vouch for what the other reads.
type recordReader struct {
	r      io.Reader
	skip   int64 // bytes before the next header
	header [block]byte
	filled int
	kinds  string // of the records since the last entry
	text   int64  // bytes of a record that are still to come
	record []byte // what came of it
	wrong  string // what is wrong; empty if nothing is
}

// maxRecord bounds a record, in bytes, as archive/tar does.
const maxRecord = 1 << 20

func (w *recordReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.watch(p[:n])
	return n, err
}

// entry says that an entry's header was read, and how much of its content follows.
func (w *recordReader) entry(size int64) { w.skip, w.kinds = size, "" }

// dangling reports whether a record describes an entry that did not come.
func (w *recordReader) dangling() bool { return w.kinds != "" }

func (w *recordReader) watch(p []byte) {
	for len(p) > 0 {
		if w.skip == 0 {
			n := copy(w.header[w.filled:], p)
			p = p[n:]
			if w.filled += n; w.filled == block {
				w.filled = 0
				w.block()
			}
			continue
		}
		n := min(w.skip, int64(len(p)))
		if w.text > 0 {
			part := p[:min(w.text, n)]
			w.record = append(w.record, part...)
			if w.text -= int64(len(part)); w.text == 0 {
				w.ended()
			}
		}
		w.skip -= n
		p = p[n:]
	}
}

// block looks at a whole header.
func (w *recordReader) block() {
	magic, kind, size := string(w.header[257:265]), w.header[156], w.header[124:136]
	old := magic != "ustar\x0000" && magic != "ustar  \x00"
	if old && magic[:5] == "ustar" || string(w.header[508:]) == "tar\x00" || signed(&w.header) ||
		size[0] == 0 && len(bytes.Trim(size, " \x00")) > 0 {
		w.wrong = "has a header in a form that readers don't agree about"
	}
	if kind != 'x' && kind != 'L' && kind != 'K' {
		w.skip = math.MaxInt64 // an entry, of which entry tells the size; or the end
		return
	}
	n, err := octal(size)
	switch {
	case old, err != nil, n <= 0, n > maxRecord:
		w.wrong = "has a malformed record about an entry"
	case bytes.IndexByte([]byte(w.kinds), kind) >= 0:
		w.wrong = "has two records of one kind about one entry"
	}
	w.kinds += string(kind)
	w.skip = (n + block - 1) / block * block
	if w.wrong == "" {
		w.text, w.record = n, w.record[:0]
	}
}

// octal reads a number as archive/tar does.
func octal(field []byte) (int64, error) {
	digits, _, _ := bytes.Cut(bytes.Trim(field, " \x00"), []byte{0})
	return strconv.ParseInt(string(digits), 8, 41)
}

// signed reports whether the checksum of a header holds only where its bytes are
// taken for signed ones, as some old writers did.
func signed(h *[block]byte) bool {
	sum, signedSum := int64(8*' '), int64(8*' ') // its own field counts as blanks
	for i, c := range h {
		if i < 148 || i >= 156 {
			sum += int64(c)
			signedSum += int64(int8(c))
		}
	}
	recorded, err := octal(h[148:156])
	return err == nil && recorded == signedSum && recorded != sum
}

// ended looks at a whole record.
func (w *recordReader) ended() {
	if w.kinds[len(w.kinds)-1] != 'x' {
		name := bytes.TrimSuffix(w.record, []byte{0})
		if len(name) == 0 || bytes.IndexByte(name, 0) >= 0 {
			w.wrong = "has a long name that is empty or holds a NUL"
		}
		return
	}
	// "<length> <key>=<value>\n", the length that of all of it.
	keys := make(map[string]bool)
	for rest := w.record; len(rest) > 0; {
		digits, _, _ := bytes.Cut(rest, []byte{' '})
		n, err := strconv.ParseUint(string(digits), 10, 31)
		if err != nil || n <= uint64(len(digits)) || n > uint64(len(rest)) {
			return // archive/tar refuses it
		}
		key, _, _ := bytes.Cut(rest[len(digits)+1:n], []byte{'='})
		if keys[string(key)] || bytes.IndexByte(rest[:n-1], '\n') >= 0 {
			w.wrong = "has a PAX header that says something twice, or has a line break in it"
		}
		keys[string(key)] = true
		rest = rest[n:]
	}
}
