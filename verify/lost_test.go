package verify

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

// Rows say what their methods are called, and nothing else does.
func TestRowsSayTheirStatus(t *testing.T) {
	t.Parallel()
	var r Rows
	r.OK("a", Spot{}, "")
	r.Fail("b", Spot{}, "c", "")
	r.Warn("c", Spot{}, "c", "")
	r.Info("d", Spot{}, "c", "")
	for i, want := range []Status{OK, Fail, Warn, Info} {
		if got := r.Checks[i].Status; got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
	got := Unreadable(&Evidence{Path: "x"}, "evidence", Recording{}, errors.New("no"))
	if len(got.Checks) != 1 || got.Checks[0].Status != Fail || got.Unchecked == "" {
		t.Errorf("unreadable evidence: %+v", got)
	}
}

// reader is a format that reads a file, and says what its field does.
type reader struct {
	fake
	say Result
}

func (f reader) Verify(_ context.Context, e *Evidence) Result {
	e.Tree.ReadFile("input", MaxInput)
	return f.say
}

// sick is a file system in which one file can't be read.
type sick struct{ fstest.MapFS }

func (s sick) Open(name string) (fs.File, error) {
	if name == "input" || name == "dir" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return s.MapFS.Open(name)
}

func (s sick) ReadFile(name string) ([]byte, error) {
	if _, err := s.Open(name); err != nil {
		return nil, err
	}
	return s.MapFS.ReadFile(name)
}

func (s sick) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "dir" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return s.MapFS.ReadDir(name)
}

func (s sick) Stat(name string) (fs.FileInfo, error) {
	if name == "input" {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: syscall.EIO}
	}
	return s.MapFS.Stat(name)
}

// A result that rests on what could not be had is unchecked and has one FAIL that says so,
// whatever its kind made of it (DESIGN, section 2: unreadable is not absent).
func TestWhatIsLostFails(t *testing.T) {
	t.Parallel()
	own := Check{Field: "evidence", Code: "unreadable", Status: Fail, Reason: "its own words"}
	for _, tc := range []struct {
		name string
		say  Result
		want []string // status, field and code
	}{
		{"a kind that took no notice", Result{Checks: []Check{{Field: "a", Status: OK}}}, []string{"ok a ", "FAIL evidence unreadable"}},
		{"a kind that said so", Result{Checks: []Check{own}}, []string{"FAIL evidence unreadable"}},
		{"a kind that only warned", Result{Checks: []Check{{Field: "evidence", Code: "unreadable", Status: Warn}}}, []string{"warn evidence unreadable", "FAIL evidence unreadable"}},
		{"another field", Result{Checks: []Check{{Field: "b", Code: "unreadable", Status: Fail}}}, []string{"FAIL b unreadable", "FAIL evidence unreadable"}},
		{"another code", Result{Checks: []Check{{Field: "evidence", Code: "else", Status: Fail}}}, []string{"FAIL evidence else", "FAIL evidence unreadable"}},
	} {
		for _, unchecked := range []string{"", "already"} {
			tc.say.Unchecked = unchecked
			tc.say.Checks = slices.Clone(tc.say.Checks)
			r := Engine{}.Verify(t.Context(), NewTree(sick{fstest.MapFS{}}), []Item{{Path: "x", Format: reader{say: tc.say}}})[0]
			var got []string
			for _, c := range r.Checks {
				got = append(got, string(c.Status)+" "+c.Field+" "+c.Code)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
			}
			if !strings.HasPrefix(r.Lost, "input: the file ") || unchecked == "" && r.Unchecked != "could not be checked: "+r.Lost || unchecked != "" && r.Unchecked != unchecked {
				t.Errorf("%s: lost %q, unchecked %q", tc.name, r.Lost, r.Unchecked)
			}
		}
	}
}

// A file that is absent is not lost, and a folder that can't be listed is.
func TestWhatIsLost(t *testing.T) {
	t.Parallel()
	files := sick{fstest.MapFS{"a": {}, "dir/b": {}, "c/d": {}}}
	view, reads := NewTree(files).Noting()
	view.ReadFile("nothing", MaxInput)
	if lost, ok := reads.Lost(); ok {
		t.Errorf("an absence is lost: %+v", lost)
	}
	for _, read := range reads.All() {
		if read.Outcome != Absent || read.Why != "" {
			t.Errorf("%+v", read)
		}
	}
	view, reads = NewTree(files).Noting()
	names := view.Files()
	if lost, ok := reads.Lost(); !ok || lost.Name != "dir" || lost.Op != OpUnder {
		t.Errorf("of %q nothing is lost: %+v", names, lost)
	}
	if !slices.Equal(names, []string{"a", "c/d"}) {
		t.Errorf("beside it there is %q", names)
	}
}

// A time that was asked for is noted, and no time is the zero time.
func TestNow(t *testing.T) {
	t.Parallel()
	var none *Now
	if !none.Time().IsZero() || none.Asked() {
		t.Error("no time is one")
	}
	at := time.Unix(1, 0)
	n := At(at)
	if n.Asked() || !n.Time().Equal(at) || !n.Asked() {
		t.Error("asking is not noted")
	}
}

type onceKey string

// What a value in a tree's memory was made from counts for all who use it, also where it was
// made from nothing but another such value.
func TestWhatIsLostBehindMemory(t *testing.T) {
	t.Parallel()
	tree := NewTree(sick{fstest.MapFS{}})
	for range 2 { // the second time both values are there already
		view, reads := tree.Noting()
		Once(view, onceKey("outer"), func(t *Tree) bool {
			return Once(t, onceKey("inner"), func(t *Tree) bool {
				_, err := t.ReadFile("input", MaxInput)
				return err == nil
			})
		})
		if lost, ok := reads.Lost(); !ok || lost.Name != "input" {
			t.Errorf("nothing is lost: %+v", reads.All())
		}
	}
}
