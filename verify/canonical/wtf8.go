package canonical

import (
	"unicode/utf16"
	"unicode/utf8"
)

// decodeWTF8 decodes the first character of s, which may be a lone surrogate
// in its three-byte form. Bytes that are neither are U+FFFD, one each.
func decodeWTF8(s string) (rune, int) {
	if s[0] == 0xED && len(s) >= 3 && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return rune(0xD000) | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// appendWTF8 appends a code point. A low surrogate joins a high one that dst
// ends in, as two halves next to each other do in a JavaScript string.
func appendWTF8(dst []byte, r rune) []byte {
	if r < 0xD800 || r > 0xDFFF {
		return utf8.AppendRune(dst, r)
	}
	if r >= 0xDC00 && len(dst) >= 3 {
		if high, _ := decodeWTF8(string(dst[len(dst)-3:])); high >= 0xD800 && high <= 0xDBFF {
			return utf8.AppendRune(dst[:len(dst)-3], utf16.DecodeRune(high, r))
		}
	}
	return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

func appendUnits(dst []uint16, r rune) []uint16 {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		return append(dst, uint16(high), uint16(low))
	}
	return append(dst, uint16(r))
}

// utf16Len counts the UTF-16 code units of a valid UTF-8 text: JavaScript's
// length.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
