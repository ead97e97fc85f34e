package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// wrap breaks printable text into lines of at most width columns: at the last
// blank that fits, else behind other punctuation, else where it must.
func wrap(text string, width int) []string {
	var lines []string
	for displayWidth(text) > width {
		end := breakAt(text, width)
		lines = append(lines, text[:end])
		text = trimLeft(text[end:])
	}
	if text == "" && len(lines) > 0 {
		return lines
	}
	return append(lines, text)
}

// breakAt is where the first line of text ends, which is wider than width.
func breakAt(text string, width int) int {
	end, blank, slash, other, used := 0, 0, 0, 0, 0
	for i, r := range text {
		if r == ' ' {
			blank = i
		}
		if used += runeWidth(r); used > width {
			break
		}
		end = i + utf8.RuneLen(r)
		switch r {
		case '/':
			slash = end
		case '-', '_', ',', '=':
			other = end
		}
	}
	switch {
	case blank > 0:
		return blank
	case slash > end/2:
		return slash
	case other > end/2:
		return other
	case end == 0: // not even one character fits
		_, end = utf8.DecodeRuneInString(text)
	}
	return end
}

func displayWidth(s string) int {
	w := 0
	for _, r := range s {
		w += runeWidth(r)
	}
	return w
}

// runeWidth is how many columns a terminal gives to r: none to what combines,
// two to East Asian wide characters and most emoji (Unicode UAX #11, by blocks).
func runeWidth(r rune) int {
	switch {
	case r < 0x300: // before the first that combines
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// tail is text for at most width columns, whose start gives way behind the first keep
// bytes: the end of a path tells files apart.
func tail(text string, keep, width int) string {
	text = visible.Text(text)
	head, rest := text[:keep], text[keep:]
	if over := displayWidth(text) - width; over > 0 {
		head += "…"
		for over >= 0 && rest != "" {
			r, size := utf8.DecodeRuneInString(rest)
			over, rest = over-runeWidth(r), rest[size:]
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return runeWidth(r) == 0 })
	}
	return head + rest
}
