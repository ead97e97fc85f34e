package aos

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// isASCII says that s has only characters that both languages write alike.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7f {
			return false
		}
	}
	return true
}

const hexDigits = "0123456789abcdef"

// appendPyString appends a string as json.dumps writes it: what is not
// printable ASCII becomes an escape.
func appendPyString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		dst = appendPyRune(dst, r)
	}
	return append(dst, '"')
}

func appendPyRune(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\f':
		return append(dst, `\f`...)
	case '\b':
		return append(dst, `\b`...)
	}
	switch {
	case r >= ' ' && r <= '~':
		return append(dst, byte(r))
	case r > 0xffff:
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// appendEscaped appends the inside of a JSON string literal as json.dumps would
// write it back, halves of surrogate pairs included.
func appendEscaped(dst, literal []byte) []byte {
	s := strings.TrimSuffix(strings.TrimPrefix(string(literal), `"`), `"`)
	for len(s) > 0 {
		if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
			u, _ := strconv.ParseUint(s[2:6], 16, 16)
			dst, s = appendPyRune(dst, rune(u)), s[6:]
			continue
		}
		if len(s) >= 2 && s[0] == '\\' {
			r := rune(s[1])
			if i := strings.IndexByte("nrtfb", s[1]); i >= 0 {
				r = rune("\n\r\t\f\b"[i])
			}
			dst, s = appendPyRune(dst, r), s[2:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		dst, s = appendPyRune(dst, r), s[size:]
	}
	return dst
}

// hasSurrogate says whether a JSON text has the escape of half a pair.
func hasSurrogate(text []byte) bool {
	s := string(text)
	for {
		i := strings.Index(s, `\u`)
		if i < 0 || len(s) < i+4 {
			return false
		}
		if (s[i+2] == 'd' || s[i+2] == 'D') && s[i+3] >= '8' {
			return true
		}
		s = s[i+2:]
	}
}
