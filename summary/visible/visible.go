// Package visible writes text that may hold anything so that all of it shows.
//
// A path, a commit's subject or a recorded answer comes from a pull request, and ends up in a
// terminal, in a log that a runner reads for commands, in a table, in an annotation. There a
// control character moves the cursor, a bidirectional mark turns the words round, and a blank
// without width makes two names look the same. Every character of that sort becomes an
// escape that can be read: \n, \x1b, \u202e. All others stay, a backslash too, so the result
// is for reading and not for decoding.
//
// [Text] is for one line. Where a runner of GitHub Actions may read along, [Line] is for one
// line, [Lines] for several, and a [Writer] for a stream of them.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text writes s on one line in which everything shows: control characters, line breaks,
// bidirectional and zero-width marks, blanks other than the space, and bytes that are
// not UTF-8 are escaped.
func Text(s string) string {
	if plain(s) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		b = appendVisible(b, r, s[i:i+size])
		i += size
	}
	return string(b)
}

// Line is s for one line of a terminal or of a log: [Text] in which no runner finds a command.
func Line(s string) string { return Lines(Text(s)) }

// Lines is what a [Writer] makes of s.
func Lines(s string) string {
	var b strings.Builder
	w := NewWriter(&b)
	_, _ = w.Write([]byte(s)) // a strings.Builder never fails
	w.Close()
	return b.String()
}

// Hides reports whether r shows nothing, or acts on the text around it: controls, formats
// (bidirectional marks among them), separators other than the space, unassigned and
// private characters, and what Unicode calls default-ignorable.
func Hides(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// plain reports whether s is printable ASCII, as nearly every string is.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// appendVisible appends r, or its escape; raw are the bytes that it was read from.
func appendVisible[T string | []byte](b []byte, r rune, raw T) []byte {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Appendf(b, `\x%02x`, raw[0])
	case !Hides(r):
		return append(b, raw...)
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case r < 0x80:
		return fmt.Appendf(b, `\x%02x`, r)
	case r <= 0xffff:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return fmt.Appendf(b, `\U%08x`, r)
}
