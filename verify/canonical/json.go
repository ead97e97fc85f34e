package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math"
	"strconv"
)

// AppendJSON appends the canonical JSON of v: JSON.stringify without white
// space, keys sorted by UTF-16 code units and then enumerated as JavaScript
// does, array indexes first ("AHD replay, Hash contract"). A value that is none
// of the types of [Value] is written as null.
func AppendJSON(dst []byte, v Value) []byte {
	w := writer{buf: dst}
	w.value(v)
	return w.buf
}

// AppendNumber appends f as Number::toString writes it (ECMAScript), as
// JSON.stringify does: -0 is 0; NaN and the infinities are null.
func AppendNumber(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	if f == 0 {
		return append(dst, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits, JavaScript doesn't.
	if n := len(dst); n-start >= 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// AppendString appends JSON.stringify of one WTF-8 string. Only the quotation
// mark, the backslash, the characters below U+0020 and lone surrogates are
// escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= 0x20 && b < 0x80 && b != '"' && b != '\\' {
			i++
			continue
		}
		size := 1
		var r rune
		if b >= 0x80 {
			r, size = decodeWTF8(s[i:])
			if (r < 0xD800 || r > 0xDFFF) && (r != 0xFFFD || size == 3) {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		switch {
		case b >= 0x80 && size == 1:
			dst = append(dst, "\uFFFD"...)
		case b >= 0x80:
			dst = append(dst, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			dst = appendEscaped(dst, b)
		}
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

const digits = "0123456789abcdef"

// appendEscaped appends the escape of an ASCII character that has one.
func appendEscaped(dst []byte, b byte) []byte {
	switch b {
	case '\b':
		b = 'b'
	case '\f':
		b = 'f'
	case '\n':
		b = 'n'
	case '\r':
		b = 'r'
	case '\t':
		b = 't'
	case '"', '\\':
	default:
		return append(dst, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
	}
	return append(dst, '\\', b)
}

// Hash returns the canonical-JSON hash of YAML or JSON bytes, written
// "sha256:" and 64 lower-case hex digits. Its errors are those of [Parse].
func Hash(data []byte) (string, error) {
	v, err := Parse(data)
	if err != nil {
		return "", err
	}
	w := writer{sum: sha256.New()}
	w.value(v)
	w.sum.Write(w.buf)
	return sumString(w.sum.Sum(nil)), nil
}

// RawHash returns the hash of the exact bytes, the mode for inputs that no
// parser is involved in ("AHD replay, Raw-bytes inputs").
func RawHash(data []byte) string {
	sum := sha256.Sum256(data)
	return sumString(sum[:])
}

func sumString(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// writer writes canonical JSON, to a buffer or, with sum set, through a small
// buffer into a hash: aliases can make the JSON far larger than its source.
type writer struct {
	buf []byte
	sum hash.Hash
}

func (w *writer) value(v Value) {
	switch v := v.(type) {
	case bool:
		w.buf = strconv.AppendBool(w.buf, v)
	case float64:
		w.buf = AppendNumber(w.buf, v)
	case string:
		w.buf = AppendString(w.buf, v)
	case Spelled:
		w.buf = append(w.buf, v...)
	case []Value:
		w.buf = append(w.buf, '[')
		for i, item := range v {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.value(item)
		}
		w.buf = append(w.buf, ']')
	case *Object:
		w.buf = append(w.buf, '{')
		for i, e := range v.canonical() {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.buf = AppendString(w.buf, e.key)
			w.buf = append(w.buf, ':')
			w.value(e.value)
		}
		w.buf = append(w.buf, '}')
	default:
		w.buf = append(w.buf, "null"...)
	}
	if w.sum != nil && len(w.buf) > 1<<15 {
		w.sum.Write(w.buf)
		w.buf = w.buf[:0]
	}
}
