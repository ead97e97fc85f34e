package valuediff

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzUnified: texts differ if and only if there is a difference, which is a text of as many
// lines as was asked for.
func FuzzUnified(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nc"), 3)
	f.Add([]byte("\x00"), []byte("\xff\xfe"), 0)
	f.Add([]byte("key: abcdef\n"), []byte("password = hunter2\n"), 100)
	f.Fuzz(func(t *testing.T, before, after []byte, most int) {
		text := Unified(before, after, "a\nname", most)
		if (text == "") != (string(before) == string(after)) || !utf8.ValidString(text) {
			t.Errorf("%q", text)
		}
		if most <= 0 {
			most = 20
		}
		if lines := strings.Count(text, "\n"); most < 1000 && lines > most+1 {
			t.Errorf("%d lines, not %d:\n%s", lines, most, text)
		}
	})
}
