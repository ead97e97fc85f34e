package verify

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What is cut is no longer than it may be, ends within no character, and says so; what
// fits stays as it is.
func TestClip(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "abc", "abcdefghij", "äöüßäöüßäöüß", "日本語のテキスト", strings.Repeat("𝄞", 40), "a\xffb\xfec" + strings.Repeat("x", 40)} {
		for limit := range 50 {
			characters, bytes, noted := Clip(s, limit), ClipBytes(s, limit), Shorten(s, limit)
			if n := utf8.RuneCountInString(s); n <= limit && characters != s || n > limit && limit > 0 && utf8.RuneCountInString(characters) != limit {
				t.Errorf("Clip(%q, %d) = %q", s, limit, characters)
			}
			for _, cut := range []string{bytes, noted} {
				if len(s) <= limit && cut != s {
					t.Errorf("%q, which fits in %d, became %q", s, limit, cut)
				}
				if utf8.ValidString(s) && !utf8.ValidString(cut) {
					t.Errorf("%q, cut at %d, is %q", s, limit, cut)
				}
			}
			if len(s) > limit {
				if limit >= len(ellipsis) && len(bytes) > limit || !strings.HasSuffix(bytes, ellipsis) || !strings.HasSuffix(noted, " bytes)") {
					t.Errorf("ClipBytes(%q, %d) = %q, Shorten %q", s, limit, bytes, noted)
				}
			}
		}
	}
}
