package gate

import (
	"io/fs"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// FuzzQuoteGlob: the glob of a path matches that path, and no other one.
func FuzzQuoteGlob(f *testing.F) {
	for _, pair := range [][2]string{{"a/b.json", "a/c.json"}, {"a*", "ab"}, {"{a,b}", "a"}, {"[ab]", "a"}, {`a\b`, "ab"}, {"**/x", "y/x"}, {"a?", "ab"}, {"[!a]", "b"}, {"é", "e"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, path, other string) {
		if !fs.ValidPath(path) || !fs.ValidPath(other) {
			return
		}
		glob := quoteGlob(path)
		if ok, err := doublestar.Match(glob, path); !ok || err != nil {
			t.Errorf("%q does not match %q: %v", glob, path, err)
		}
		if ok, _ := doublestar.Match(glob, other); ok && other != path {
			t.Errorf("%q matches %q", glob, other)
		}
	})
}
