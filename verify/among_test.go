package verify

import (
	"bytes"
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
)

// marked is a kind whose evidence begins with its name, and that says what it read.
type marked string

func (m marked) Kind() string                     { return string(m) }
func (m marked) Title() string                    { return string(m) }
func (m marked) Patterns() []string               { return nil }
func (m marked) Marks(_ string, data []byte) bool { return bytes.HasPrefix(data, []byte(m)) }
func (m marked) Verify(_ context.Context, e *Evidence) Result {
	rows := Rows{Path: e.Path}
	for _, limit := range []int64{MaxEvidence, 4} {
		data, err := e.Tree.ReadFile(e.Path, limit)
		if err != nil {
			rows.Fail("evidence", Spot{}, "unreadable", err.Error())
			continue
		}
		rows.OK("evidence", Spot{}, string(data))
	}
	if other, err := e.Tree.ReadFile("other", 9); err != nil || string(other) != "x" {
		rows.Fail("other", Spot{}, "unreadable", string(other))
	}
	return Result{Checks: rows.Checks}
}

// counting counts how often each file is opened.
type counting struct {
	fs.FS
	opened map[string]int
}

func (c counting) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

func (c counting) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

// The first kind whose marks a file has judges it, on the bytes that were looked at.
func TestAmong(t *testing.T) {
	t.Parallel()
	a, b := marked("alpha"), marked("beta")
	item := Item{Path: "e", Among: []Format{a, b}}
	for _, tc := range []struct {
		name, text, kind string
		fails            int
	}{
		{"the first", "alpha", "alpha", 1},
		{"the second", "beta", "beta", 0},
		{"none", "gamma", "", 0},
		{"unreadable, by the first kind", "", "alpha", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{"other": {Data: []byte("x")}, "e": {Data: []byte(tc.text)}}
			if tc.text == "" {
				files["e"] = &fstest.MapFile{Mode: fs.ModeDir}
			}
			tree := counting{files, make(map[string]int)}
			r := (Engine{Concurrency: 1}).Verify(t.Context(), NewTree(tree), []Item{item})[0]
			if r.Kind != tc.kind || r.Count(Fail) != tc.fails {
				t.Errorf("judged as %q: %+v", r.Kind, r.Checks)
			}
			// "alpha" is read again where it is larger than what was asked for.
			if tc.text == "beta" && tree.opened["e"] != 1 || tc.text == "alpha" && r.Checks[0].Reason != "alpha" {
				t.Errorf("opened %d times: %+v", tree.opened["e"], r.Checks)
			}
		})
	}
}

func TestMay(t *testing.T) {
	t.Parallel()
	a, b := marked("alpha"), marked("beta")
	for _, tc := range []struct {
		item Item
		kind string
		want bool
	}{
		{Item{Format: a}, "alpha", true},
		{Item{Format: a}, "beta", false},
		{Item{Format: a, Among: []Format{b}}, "beta", false},
		{Item{Among: []Format{a, b}}, "beta", true},
		{Item{Among: []Format{a, b}}, "gamma", false},
		{Item{Among: []Format{b}}, "alpha", false},
	} {
		if got := tc.item.May(tc.kind); got != tc.want {
			t.Errorf("%+v may be of %s: %t", tc.item, tc.kind, got)
		}
	}
}
