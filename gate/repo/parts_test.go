package repo

import (
	"io/fs"
	"testing"
)

// special is a file of a mode.
type special struct {
	fs.FileInfo
	mode fs.FileMode
}

func (s special) Mode() fs.FileMode { return s.mode }

// What is no file and no folder is said to be what it is.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	for mode, want := range map[fs.FileMode]string{
		0o644: "", fs.ModeDir | 0o755: "", fs.ModeNamedPipe: "named pipe", fs.ModeSocket: "socket", fs.ModeDevice: "device", fs.ModeDevice | fs.ModeCharDevice: "device",
		fs.ModeIrregular: "special file",
	} {
		err := regularOrDir(special{mode: mode})
		if (err == nil) != (want == "") || err != nil && err.Error() != ErrNotRegular.Error()+": "+want {
			t.Errorf("%v: %v", mode, err)
		}
	}
}

// gitignore(5), PATTERN FORMAT: an asterisk matches anything except a slash; two of them
// between slashes match folders, at the end everything inside; others are as one.
func TestStars(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{
		{"a/*", "a/b", true}, {"a/*", "a/b/c", false}, {"*", "a/b", false}, {"a/*/c", "a/b/c", true}, {"a/*/c", "a/b/b/c", false}, {"*/c", "a/b/c", false},
		{"a/**", "a/b", true}, {"a/**", "a/b/c", true}, {"a/**", "b/b", false}, {"**", "a/b", true},
		{"a/**/c", "a/c", true}, {"a/**/c", "a/b/c", true}, {"a/**/c", "a/b/b/c", true}, {"**/c", "c", true}, {"**/c", "a/b/c", true},
		{"a**c", "abc", true}, {"a**c", "a/c", false}, {"a/b**", "a/bc", true}, {"a/b**", "a/b/c", false}, {"a/***", "a/b/c", true}, {"a/***/c", "a/b/b/c", true},
	} {
		glob, ok := parseGlob(tc.pattern)
		if !ok || match(glob, tc.name) != tc.want {
			t.Errorf("%s on %s: not %t", tc.pattern, tc.name, tc.want)
		}
	}
}
