package repo

import "encoding/binary"

// applyDelta makes an object of at most limit bytes from its base (gitformat-pack(5),
// "Deltified representation").
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	was, n := binary.Uvarint(delta)
	if n <= 0 || was != uint64(len(base)) {
		return nil, errNotRead
	}
	delta = delta[n:]
	size, n := binary.Uvarint(delta)
	if n <= 0 {
		return nil, errNotRead
	}
	if size > uint64(limit) {
		return nil, ErrTooLarge
	}
	out := make([]byte, 0, size)
	for delta = delta[n:]; len(delta) > 0; {
		op := delta[0]
		var part []byte
		if op&0x80 == 0 { // so many bytes of the delta; 0 is reserved
			if op == 0 || len(delta) <= int(op) {
				return nil, errNotRead
			}
			part, delta = delta[1:1+op], delta[1+op:]
		} else if part, delta = copied(base, delta); part == nil {
			return nil, errNotRead
		}
		if len(out)+len(part) > int(size) {
			return nil, errNotRead
		}
		out = append(out, part...)
	}
	if len(out) != int(size) {
		return nil, errNotRead
	}
	return out, nil
}

// copied is the part of the base that the instruction at the beginning of a delta copies, and
// what follows the instruction. There is none where the two don't fit.
func copied(base, delta []byte) (part, rest []byte) {
	op, rest := delta[0], delta[1:]
	var at, size int
	for bit := range 7 {
		if op>>bit&1 == 0 {
			continue
		}
		if len(rest) == 0 {
			return nil, nil
		}
		if bit < 4 {
			at |= int(rest[0]) << (8 * bit)
		} else {
			size |= int(rest[0]) << (8 * (bit - 4))
		}
		rest = rest[1:]
	}
	if size == 0 {
		size = 1 << 16
	}
	if at > len(base) || size > len(base)-at {
		return nil, nil
	}
	return base[at : at+size], rest
}
