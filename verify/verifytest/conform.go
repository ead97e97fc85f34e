// Package verifytest proves that a kind of evidence keeps what engine, report and bundle
// rely on, in the manner of testing/fstest:
//
//	func TestConform(t *testing.T) {
//		verifytest.Conform(t, ahd.Format{}, os.DirFS("testdata/repo"), "docs/run.replay.json")
//	}
//
// It judges evidence that holds, and then the same evidence spoilt in every way that files
// are spoilt: broken off, overwritten, merged, unreadable, of the wrong form. What it
// promises of a kind that passes:
//
//   - Nothing that is spoilt is green, and nothing panics or does not end.
//   - A verdict rests on what was recorded as read, and on nothing else.
//   - It is the same each time, also under concurrency and out of the tree's memory.
//   - Its rows, inputs and records are of the form that others read.
package verifytest

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// maxFiles bounds the tree that evidence is judged in.
const maxFiles = 5000

// Conform tests f with the evidence at paths of fsys. Each piece must hold there, without
// a FAIL; a folder of examples serves best, small enough to be judged thousands of times.
func Conform(t *testing.T, f verify.Format, fsys fs.FS, paths ...string) {
	t.Helper()
	if len(paths) == 0 {
		t.Fatal("no evidence to judge")
	}
	files := load(t, fsys)
	t.Run("format", func(t *testing.T) { checkFormat(t, f) })
	for i, path := range paths {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := &subject{f, files, path}
			whole := s.judge(s.files)
			if !green(whole) {
				t.Fatalf("does not hold before anything is spoilt: %s%v", whole.Unchecked, failures(whole))
			}
			t.Run("whole", func(t *testing.T) { s.checkWhole(t, whole) })
			t.Run("record", func(t *testing.T) { s.checkRecord(t) })
			t.Run("again", func(t *testing.T) { s.checkAgain(t, whole) })
			t.Run("spoilt", func(t *testing.T) { s.checkSpoilt(t, whole) })
			t.Run("values", func(t *testing.T) { s.checkValues(t, whole) })
			if i == 0 { // hostile texts are alike for all
				t.Run("work", func(t *testing.T) { s.checkWork(t) })
			}
			t.Run("faults", func(t *testing.T) { s.checkFaults(t) })
			t.Run("reads", func(t *testing.T) { s.checkReads(t, whole) })
			t.Run("inputs", func(t *testing.T) { s.checkInputs(t, whole) })
		})
	}
}

// subject is one piece of evidence under test.
type subject struct {
	format verify.Format
	files  fstest.MapFS
	path   string
}

// data is the evidence as it holds.
func (s *subject) data() []byte { return s.files[s.path].Data }

// judge judges the evidence in fsys as a run would.
func (s *subject) judge(fsys fs.FS) verify.Result {
	return s.judgeIn(verify.NewTree(fsys), 1)[0]
}

// judgeIn judges it times times in one tree. Hints are left out: they may rest on files
// that nothing else does. There is no clock, so nothing is too old.
func (s *subject) judgeIn(tree *verify.Tree, times int) []verify.Result {
	items := slices.Repeat([]verify.Item{{Path: s.path, Format: s.format}}, times)
	return verify.Engine{NoHints: true}.Verify(context.Background(), tree, items)
}

// with is the tree with another text at path.
func (s *subject) with(path string, data []byte) fstest.MapFS {
	files := maps.Clone(s.files)
	files[path] = &fstest.MapFile{Data: data}
	return files
}

// spoil judges the evidence with another text.
func (s *subject) spoil(data []byte) verify.Result { return s.judge(s.with(s.path, data)) }

// load reads a whole tree.
func load(t *testing.T, fsys fs.FS) fstest.MapFS {
	t.Helper()
	files := make(fstest.MapFS)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if len(files) >= maxFiles {
			t.Fatalf("more than %d files", maxFiles)
		}
		data, err := fs.ReadFile(fsys, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func green(r verify.Result) bool { return r.Unchecked == "" && r.Count(verify.Fail) == 0 }

func failures(r verify.Result) []string {
	var all []string
	for _, c := range r.Checks {
		if c.Status == verify.Fail {
			all = append(all, c.Field+" "+c.Code+": "+c.Reason)
		}
	}
	return all
}
