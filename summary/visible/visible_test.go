package visible

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"plain text, with a \\ in it", "plain text, with a \\ in it"},
		{"a\tb\r\nc", `a\tb\r\nc`},
		{"\x1b[31m", `\x1b[31m`},
		{"\u009b", `\u009b`}, // the C1 form of ESC [
		{"x\u202ey", `x\u202ey`},
		{"\U000e0041", `\U000e0041`}, // a tag character
		{"a\u00a0b\ufe0f", `a\u00a0b\ufe0f`},
		{"\xffé漢", `\xffé漢`},
	} {
		if got := Text(tc.in); got != tc.want {
			t.Errorf("Text(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for s := range lines {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Text(s)
		if !utf8.ValidString(v) || strings.ContainsFunc(v, Hides) {
			t.Errorf("Text(%q) = %q hides something", s, v)
		}
		if Text(v) != v {
			t.Errorf("Text is not stable for %q", s)
		}
	})
}
