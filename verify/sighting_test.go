package verify

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

// Issue 12, "One reading": what was read once is read again as it was, or not at all.
func TestTreeHoldsOneState(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(fstest.MapFS)
		first  func(*Tree)
	}{
		"another content": {
			func(m fstest.MapFS) { m["in"] = &fstest.MapFile{Data: []byte("two")} },
			func(t *Tree) { _, _ = t.ReadFile("in", 10) },
		},
		"the same length, of which only the existence was asked": {
			func(m fstest.MapFS) { delete(m, "in") },
			func(t *Tree) { t.Exists("in") },
		},
		"gone": {
			func(m fstest.MapFS) { delete(m, "in") },
			func(t *Tree) { _, _ = t.ReadFile("in", 10) },
		},
	} {
		files := fstest.MapFS{"in": {Data: []byte("one")}}
		tree := NewTree(files)
		tc.first(tree)
		view, reads := tree.Noting()
		if _, err := view.ReadFile("in", 10); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tc.change(files)
		_, err := view.ReadFile("in", 10)
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v, want ErrChanged", name, err)
		}
		if lost, ok := reads.Lost(); !ok || lost.Name != "in" {
			t.Errorf("%s: the judgement does not know that it lost the file: %+v", name, reads.All())
		}
		if tree.Changed() != "in" {
			t.Errorf("%s: Changed is %q", name, tree.Changed())
		}
	}
}

// What was absent, and appears while the gate runs, was judged as absent.
func TestTreeKeepsAbsences(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	tree := NewTree(files)
	if tree.Exists("late") {
		t.Fatal("it is not there yet")
	}
	files["late"] = &fstest.MapFile{Data: []byte("x")}
	if _, err := tree.ReadFile("late", 10); !errors.Is(err, ErrChanged) {
		t.Errorf("%v, want ErrChanged", err)
	}
	if tree.Exists("late") {
		t.Error("it exists in a state in which it did not")
	}
}

// Too large for one reader and not for another is no change.
func TestTreeKeepsLimitsApart(t *testing.T) {
	t.Parallel()
	tree := NewTree(fstest.MapFS{"in": {Data: []byte("0123456789")}})
	for _, limit := range []int64{5, 20, 5, 20} {
		if _, err := tree.ReadFile("in", limit); (err == nil) != (limit == 20) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if tree.Changed() != "" {
		t.Errorf("%s changed", tree.Changed())
	}
}

// told is a file system that says of a file what became of it elsewhere.
type told struct{ fstest.MapFS }

func (f told) Open(name string) (fs.File, error) {
	if name == "pipe" {
		return nil, &ReadError{Path: "x", Why: "is a folder", Outcome: Unusable}
	}
	return f.MapFS.Open(name)
}

func (f told) Stat(name string) (fs.FileInfo, error) {
	if _, err := f.Open(name); err != nil {
		return nil, err
	}
	return f.MapFS.Stat(name)
}

// A replay meets what the judgement met, in its words.
func TestTreeTakesReadErrorsOver(t *testing.T) {
	t.Parallel()
	_, err := NewTree(told{}).ReadFile("pipe", 10)
	var re *ReadError
	if !errors.As(err, &re) || re.Path != "pipe" || re.Outcome != Unusable || ReadReason(err) != "the file is a folder" {
		t.Errorf("%+v", err)
	}
}

func BenchmarkSighting(b *testing.B) {
	data := make([]byte, 10<<10)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		sightOf(data)
	}
}
