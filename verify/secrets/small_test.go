package secrets

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// JSON's escapes: two units of a pair are one character, and half of one is itself.
func TestEscape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		r   rune
		end int
	}{
		`\ud83d\ude00`: {'😀', 12}, `\ud83d\ude00x`: {'😀', 12}, `\ud83dxxxxxxx`: {0xD83D, 6}, `\ud83d\n23456`: {0xD83D, 6}, `\ud83d\u0041`: {0xD83D, 6},
		`\ud83d`: {0xD83D, 6}, `\ud83d\ude0`: {0xD83D, 6}, `\u0041\u0042`: {'A', 6}, `\ude00\ud83d`: {0xDE00, 6}, `\"x`: {'"', 2}, `\n`: {'\n', 2}, `\\n`: {'\\', 2},
	} {
		if r, end := escape([]byte(text), 0); r != want.r || end != want.end {
			t.Errorf("%s: %U up to %d", text, r, end)
		}
	}
}

// A run of few different bytes tells nothing: it is in every text.
func TestTells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"aaaaaaaa": false, "abababab": false, "aaaaaaab": false, "baaaaaaa": false, "aaaaaabc": true, "abcaaaaa": true, "abcdefgh": true, "\x00\x00\x00\x00\x00\x00\x00\x01": false,
	} {
		if got := tells(binary.LittleEndian.Uint64([]byte(text))); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// White space as Unicode has it, from a place on and up to one.
func TestBlanks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]int{
		"": {0, 0}, " \t\r\n\v\fx": {6, 0}, "\u0085\u00a0\u2003x": {7, 0}, "x y": {0, 1}, "é y": {0, 2}, "é\u00a0y": {0, 2}, "\x08 ": {0, 1}, "\x0e ": {0, 1}, "x\x1f ": {0, 2}, "\xff ": {0, 1}, "xé": {0, 3},
	} {
		if got := [2]int{blanks([]byte(text), 0), notBlanks([]byte(text), 0)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Shannon's entropy as gitleaks has it: characters are counted, and divided by bytes.
func TestEntropy(t *testing.T) {
	t.Parallel()
	third := -math.Log2(1.0/3) / 3
	for text, want := range map[string]float64{"": 0, "aaaa": 0, "ab": 1, "abcd": 2, "aabb": 1, "aé": 2 * third, "éé": 0.5, "aaa\u2028": -math.Log2(0.5)/2 - math.Log2(1.0/6)/6} {
		if got := entropy(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %g, want %g", text, got, want)
		}
	}
}

// The value of a credential header goes whole, wherever blanks stand, and to the end of what
// the header holds.
func TestHeadersInJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"Authorization":"opaque-1"}`, "{\"Authorization\" \t\r\n: \"opaque-1\"}",
		`{"Authorization":[["a-first"],"opaque-1"],"b":"kept"}`, `{"Authorization":[{"x":"kept"},"opaque-1"]}`,
	} {
		clean, n := Scrub([]byte(text))
		if n == 0 || bytes.Contains(clean, []byte("opaque-1")) || bytes.Contains(clean, []byte("kept")) != strings.Contains(text, "kept") {
			t.Errorf("%s became %s", text, clean)
		}
	}
}
