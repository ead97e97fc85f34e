package config_test

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate/config"
)

// What is there stays, comments and order with it (issue 11, "Paths lead where they led").
func TestAddMoved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, before, old, now, want, refused string }{
		{name: "no file", old: "a.yml", now: "b.yml", want: "moved:\n  a.yml: b.yml\n"},
		{name: "only a comment", before: "# ours\n", old: "a.yml", now: "b.yml", want: "# ours\nmoved:\n  a.yml: b.yml\n"},
		{
			name: "other settings, and no line end", before: "fail-on: # strict\n  ahd: any", old: "a.yml", now: "b.yml",
			want: "fail-on: # strict\n  ahd: any\nmoved:\n  a.yml: b.yml\n",
		},
		{
			name: "behind the last, with its own indentation", old: "a", now: "b",
			before: "moved: # long ago\n    x: y # once\n    # twice\n    z: 'w'\n\nfail-on:\n  ahd: any\n",
			want:   "moved: # long ago\n    x: y # once\n    # twice\n    z: 'w'\n    a: b\n\nfail-on:\n  ahd: any\n",
		},
		{name: "an empty moved", before: "moved:\nfail-on:\n  ahd: any\n", old: "a", now: "b", want: "moved:\n  a: b\nfail-on:\n  ahd: any\n"},
		{name: "moved on", before: "moved:\n  a: b # once\n", old: "b", now: "c", want: "moved:\n  a: c # once\n  b: c\n"},
		{name: "words that YAML reads otherwise", old: "null", now: "a: b #c", want: "moved:\n  \"null\": 'a: b #c'\n"},
		{name: "already moved", before: "moved:\n  a: b\n", old: "a", now: "c", refused: "moved says already that a lies at b"},
		{name: "braces", before: "moved: {a: b}\n", old: "c", now: "d", refused: "add this by hand below moved: c: d"},
		{name: "broken", before: "moved: [\n", old: "c", now: "d", refused: "not valid YAML"},
		{name: "unknown key", before: "moves: {}\n", old: "c", now: "d", refused: `did you mean "moved"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.AddMoved([]byte(test.before), test.old, test.now, kinds)
			if test.refused != "" {
				if err == nil || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("%v\n%s", err, got)
				}
				return
			}
			if err != nil || string(got) != test.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, test.want)
			}
			s, err := config.Parse(got, kinds)
			if err != nil || s.Moved[test.old] != test.now {
				t.Errorf("%v, %v", err, s.Moved)
			}
		})
	}
}
