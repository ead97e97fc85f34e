package evalkit

import (
	"testing"
	"unicode/utf8"
)

// FuzzConfig scans any text as a configuration in JavaScript: it ends, has no more texts than
// it may, says where they are in it, and finds the same again.
func FuzzConfig(f *testing.F) {
	for _, src := range []string{
		"export default { cases: [{ id: 'a', model: \"m\" }] } // end", "const a = `x${b}` as const; /re\\/x/.test('y')",
		"/* open", "'\\u{1F600}\\x41\\101'", "import { a } from './b'\nconst c = require(\"./d\")", "{[({", "}])", "`${`${`", "a = b / c / d",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := scanConfig(src)
		if len(s.texts) > maxTexts || s.at > len(src) {
			t.Errorf("%d texts, at %d of %d", len(s.texts), s.at, len(src))
		}
		if again := scanConfig(src); len(again.texts) != len(s.texts) || again.lost != s.lost {
			t.Error("the second time is another")
		}
		readSource(src)
	})
}

// FuzzUnescapeJS decodes what follows any backslash: it takes no more than there is, and what
// it gives is a text if it was given one.
func FuzzUnescapeJS(f *testing.F) {
	for _, s := range []string{"n", "x41", "u0041", "u{41}", "u{110000}", "u{", "\r\n", "é", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, n := unescapeJS(s)
		if n < 0 || n > len(s) || n == 0 && s != "" {
			t.Errorf("%q: takes %d", s, n)
		}
		if utf8.ValidString(s) && !utf8.ValidString(text) {
			t.Errorf("%q: gives %q", s, text)
		}
	})
}
