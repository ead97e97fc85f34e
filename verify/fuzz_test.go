package verify

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// FuzzShorten: what is cut is as short as was asked, if the note fits, and stays a text.
func FuzzShorten(f *testing.F) {
	f.Add("aé€😀", 3)
	f.Add("abc", 40)
	f.Add("😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀", 30)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 0 {
			return
		}
		short := Shorten(s, limit)
		if len(s) <= limit && short != s || len(short) > max(limit, 40) {
			t.Errorf("%q to %d: %q", s, limit, short)
		}
		if utf8.ValidString(s) && !utf8.ValidString(short) {
			t.Errorf("%q to %d: %q is no text", s, limit, short)
		}
	})
}

// FuzzDamage: damage has a place in the file, and stays where more is put behind it.
func FuzzDamage(f *testing.F) {
	for _, s := range []string{"", " \n", "version https://git-lfs.github.com/spec/v1\n", "{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", "\xef\xbb\xbf{}", "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := DamageOf(data)
		if (d.Code == "") != (d.Reason == "") || d.Code != "" && (d.Line < 1 || d.Line > bytes.Count(data, []byte("\n"))+1) {
			t.Errorf("%+v", d)
		}
		if more := DamageOf(append(bytes.Clone(data), "\nx\n"...)); d.Code == "lfs-pointer" && more.Code != d.Code {
			t.Errorf("%+v, and with more %+v", d, more)
		}
	})
}
