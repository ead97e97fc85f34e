package summary

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible writes s on one line in which everything shows: control characters,
// line breaks, bidirectional and zero-width marks, blanks other than the space,
// and bytes that are not UTF-8 become escapes such as \n, \x1b and \u202e. All
// other characters stay, a backslash too, so the result is for reading and not for
// decoding.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
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

// hidden reports whether r shows nothing, or acts on the text around it:
// controls, formats (bidirectional marks among them), separators other than the
// space, unassigned and private characters, and what Unicode calls
// default-ignorable.
func hidden(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
