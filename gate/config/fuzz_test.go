package config_test

import (
	"io/fs"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/gate/config"
)

// FuzzAddMoved: settings to which a line was added say what they said, and that.
func FuzzAddMoved(f *testing.F) {
	f.Add([]byte("# words\nmoved:\n  a: b # here\nfail-on: any\n"), "x", "y")
	f.Add([]byte("fail-on: any"), "- a", "b: #")
	f.Add([]byte("moved: {a: b}\n"), "c", "d")
	f.Add([]byte(""), "'", "\"")
	f.Fuzz(func(t *testing.T, data []byte, old, now string) {
		text, err := config.AddMoved(data, old, now, nil)
		if err != nil {
			return
		}
		before, err := config.Parse(data, nil)
		if err != nil {
			t.Fatalf("settings that can't be read were added to: %v", err)
		}
		after, err := config.Parse(text, nil)
		if err != nil || after.Moved[old] != now || len(after.Moved) != len(before.Moved)+1 {
			t.Errorf("%q: %v, %v", text, after.Moved, err)
		}
	})
}

// FuzzLiteral: the glob of a literal path matches it.
func FuzzLiteral(f *testing.F) {
	for _, path := range []string{"a/b", "a*b", "{a,b}", "[a]", `a\`, "?", "!a", "a-b"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !fs.ValidPath(path) {
			return
		}
		if ok, err := doublestar.Match(config.Literal(path), path); !ok || err != nil {
			t.Errorf("%q does not match %q: %v", config.Literal(path), path, err)
		}
	})
}
