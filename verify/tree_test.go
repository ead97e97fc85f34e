package verify

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
)

func TestReadFileSaysWhyNot(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	outside := t.TempDir() + "/secret"
	for _, err := range []error{
		root.WriteFile("small", []byte("12345"), 0o644),
		root.Mkdir("folder", 0o755),
		os.WriteFile(outside, []byte("no"), 0o644),
		root.Symlink(outside, "out"),
		root.Symlink("small", "in"),
		syscall.Mkfifo(dir+"/fifo", 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	huge, err := root.Create("huge")
	if err != nil {
		t.Fatal(err)
	}
	// A sparse gigabyte: it must be refused by its size, not read.
	if err := errors.Join(huge.Truncate(1<<30), huge.Close()); err != nil {
		t.Fatal(err)
	}
	tree := NewTree(root.FS())
	for _, tc := range []struct{ name, why string }{
		{"absent", "does not exist"},
		{"folder", "is a folder"},
		{"fifo", "is not a regular file"},
		{"huge", "is larger than 16 MiB (1073741824 bytes)"},
		{"out", "can't be read: path escapes from parent"},
		{"../x", "has a path that leaves the tree"},
		{"/etc/passwd", "has a path that leaves the tree"},
	} {
		_, err := tree.ReadFile(tc.name, MaxEvidence)
		var re *ReadError
		if !errors.As(err, &re) || re.Why != tc.why {
			t.Errorf("%s: %v, want one that says it %s", tc.name, err, tc.why)
		}
		if tree.Exists(tc.name) && tc.name != "huge" {
			t.Errorf("%s exists", tc.name)
		}
	}
	for _, name := range []string{"small", "in"} {
		if data, err := tree.ReadFile(name, 5); err != nil || string(data) != "12345" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if _, err := tree.ReadFile(name, 4); err == nil {
			t.Errorf("%s is read past the limit", name)
		}
	}
	if _, err := tree.ReadFile("absent", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absence can't be told apart: %v", err)
	}
}

// liar claims a size of one byte for every file.
type liar struct{ fstest.MapFS }

type oneByte struct{ fs.FileInfo }

func (oneByte) Size() int64 { return 1 }

func (l liar) Stat(name string) (fs.FileInfo, error) {
	info, err := l.MapFS.Stat(name)
	return oneByte{info}, err
}

func TestReadFileBelievesNoSize(t *testing.T) {
	tree := NewTree(liar{fstest.MapFS{"f": {Data: []byte(strings.Repeat("x", 100))}}})
	if _, err := tree.ReadFile("f", 99); err == nil {
		t.Error("100 bytes were read with a limit of 99")
	}
	if data, err := tree.ReadFile("f", 100); err != nil || len(data) != 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestListing(t *testing.T) {
	tree := NewTree(fstest.MapFS{"b/x.yml": {}, "a/x.yml": {}, "a/b/c": {}, "ab": {}, "a0": {}, "a.b": {}, ".git/x.yml": {}})
	if got, want := tree.Files(), []string{"a.b", "a/b/c", "a/x.yml", "a0", "ab", "b/x.yml"}; !slices.Equal(got, want) {
		t.Errorf("Files() = %q, want %q", got, want)
	}
	if got, want := tree.Named("x.yml"), []string{"a/x.yml", "b/x.yml"}; !slices.Equal(got, want) {
		t.Errorf("Named = %q, want %q", got, want)
	}
	if got, want := tree.Under("a"), []string{"a/b/c", "a/x.yml"}; !slices.Equal(got, want) {
		t.Errorf("Under = %q, want %q", got, want)
	}
}

func TestOnce(t *testing.T) {
	type key string
	tree := NewTree(fstest.MapFS{})
	other := tree.Sibling(fstest.MapFS{})
	var calls, shared atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			Once(tree, key("k"), func(*Tree) int32 { return calls.Add(1) })
			OnceForContent(tree, key("k"), func() int32 { return shared.Add(1) })
			OnceForContent(other, key("k"), func() int32 { return shared.Add(1) })
		})
	}
	wg.Wait()
	if calls.Load() != 1 || shared.Load() != 1 {
		t.Errorf("made %d times for the tree and %d times for the content, want once each", calls.Load(), shared.Load())
	}
	if got := Once(other, key("k"), func(*Tree) int32 { return 7 }); got != 7 {
		t.Errorf("a sibling remembers what belongs to the other tree: %d", got)
	}
}

// Of a search only what was lost is noted, also out of the tree's memory.
func TestSearching(t *testing.T) {
	lost := &failing{MapFS: fstest.MapFS{"a": {Data: []byte("1")}, "b": {Data: []byte("2")}}, name: "b"}
	tree := NewTree(lost)
	for range 2 {
		view, reads := tree.Noting()
		Once(view.Searching(), "index", func(t *Tree) int {
			search := t.Searching()
			for _, name := range search.Files() {
				_, _ = search.ReadFile(name, 10)
			}
			return 0
		})
		if all := reads.All(); len(all) != 1 || all[0].Name != "b" || all[0].Outcome != Lost {
			t.Errorf("%+v", all)
		}
	}
	if _, err := tree.Searching().ReadFile("a", 10); err != nil {
		t.Error(err)
	}
}

// failing can't open one file.
type failing struct {
	fstest.MapFS
	name string
}

func (f *failing) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return f.MapFS.Open(name)
}

// regular reads regular files at once, as its errors say, and other files are looked at closer.
type regular struct {
	fstest.MapFS
	fails error
	asked int
}

func (r *regular) ReadRegular(name string, limit int64) ([]byte, error) {
	r.asked++
	if r.fails != nil {
		return nil, r.fails
	}
	return []byte("at once"), nil
}

func TestReadRegular(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		fails   error
		want    string
		outcome Outcome
	}{
		{"f", nil, "at once", Found},
		{"f", fs.ErrInvalid, "closer", Found},
		{"f", fs.ErrNotExist, "", Absent},
		{"d", fs.ErrInvalid, "", Unusable},
	} {
		files := &regular{fstest.MapFS{"f": {Data: []byte("closer")}, "d/f": {}}, tc.fails, 0}
		data, err := NewTree(files).ReadFile(tc.name, 100)
		re, _ := errors.AsType[*ReadError](err)
		if string(data) != tc.want || files.asked != 1 || (re == nil) != (tc.outcome == Found) || re != nil && re.Outcome != tc.outcome {
			t.Errorf("%s, %v: %q, %v", tc.name, tc.fails, data, err)
		}
		if _, err := NewTree(files).ReadFile("../f", 100); err == nil || files.asked != 1 {
			t.Errorf("out of the tree: %v, asked %d times", err, files.asked)
		}
	}
}
