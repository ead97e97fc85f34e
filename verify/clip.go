package verify

import (
	"fmt"
	"unicode/utf8"
)

const ellipsis = "…"

// Clip cuts s to at most limit characters, and says with an ellipsis that it did.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end, n := 0, 0 // end is where s[:end] and an ellipsis still fit
	for i := range s {
		if n < limit {
			end = i
		}
		if n++; n > limit {
			return s[:end] + ellipsis
		}
	}
	return s
}

// ClipBytes is [Clip] with a limit in bytes.
func ClipBytes(s string, limit int) string { return cutTo(s, limit, ellipsis) }

// Shorten is [ClipBytes], and says how long s was.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return cutTo(s, limit, fmt.Sprintf("… (%d bytes)", len(s)))
}

// cutTo cuts s to at most limit bytes with the note, at the start of a character.
func cutTo(s string, limit int, note string) string {
	if len(s) <= limit {
		return s
	}
	end := max(0, limit-len(note))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + note
}
