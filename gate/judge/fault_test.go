package judge

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// losing can't read one file.
type losing struct {
	fstest.MapFS
	name string
}

func (l *losing) Open(name string) (fs.File, error) {
	if name == l.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return l.MapFS.Open(name)
}

// faulty fails at one operation, counted over all trees that share it.
type faulty struct {
	fstest.MapFS
	left *atomic.Int64
	with error
}

func (f *faulty) strike(op, name string) error {
	if f.left.Add(-1) == 0 {
		return &fs.PathError{Op: op, Path: name, Err: f.with}
	}
	return nil
}

func (f *faulty) Stat(name string) (fs.FileInfo, error) {
	if err := f.strike("stat", name); err != nil {
		return nil, err
	}
	return f.MapFS.Stat(name)
}

func (f *faulty) Open(name string) (fs.File, error) {
	if err := f.strike("open", name); err != nil {
		return nil, err
	}
	file, err := f.MapFS.Open(name)
	if d, ok := file.(fs.ReadDirFile); ok && err == nil {
		return faultyDir{d, f, name}, nil
	}
	return faultyFile{file, f, name}, err
}

func (f *faulty) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.strike("readdir", name); err != nil {
		return nil, err
	}
	return f.MapFS.ReadDir(name)
}

// ReadFile is hidden, so that every read is an operation of its own.
func (f *faulty) ReadFile(string) ([]byte, error) { panic("nobody reads by this") }

type faultyFile struct {
	fs.File
	fs   *faulty
	name string
}

func (f faultyFile) Read(p []byte) (int, error) {
	if err := f.fs.strike("read", f.name); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

type faultyDir struct {
	fs.ReadDirFile
	fs   *faulty
	name string
}

func (f faultyDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := f.fs.strike("readdir", f.name); err != nil {
		return nil, err
	}
	return f.ReadDirFile.ReadDir(n)
}

// An I/O error at any operation of a run is never drift and never green: what did not fail
// without it is of unknown attribution, and what failed is not acquitted (issue 10,
// Unreadable is a state of its own).
func TestFaultAtEveryOperation(t *testing.T) {
	t.Parallel()
	base := old().with(files{"in/x": "drifted", "k/x": "one", "c.note": noteText{Run: "r-c", See: "a.note"}.text()}).with(far("k/x"))
	base["d.note"] = base.dated("d", "2026-01-01", 3)
	base["d.md"] = "4 tells"
	for name, edit := range map[string]files{
		"nothing":             nil,
		"an input":            {"in/y": "edited"},
		"a drifted one":       {"in/x": "again"},
		"evidence":            {"a.note": base.pinned(noteText{Run: "r-a", N: 4}, "in/x"), "b.md": "13 tells"},
		"removed":             {"b.note": gone},
		"moved":               {"b.note": gone, "b.md": gone, "z.note": base["b.note"], "z.md": base["b.md"]},
		"removed with report": {"b.note": gone, "b.md": gone},
		"a newer word":        {"e.note": base.dated("e", "2026-02-01", 3), "in/x": "again"},
		"a decoy":             {"a/x": "decoy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := base.with(edit)
			calm := Judge(context.Background(), ask(head, base))
			for _, with := range []error{syscall.EIO, syscall.EMFILE, syscall.EACCES} {
				for n := int64(1); ; n++ {
					left := new(atomic.Int64)
					left.Store(n)
					q := ask(head, base)
					q.Head.Tree = verify.NewTree(&faulty{head.fs(), left, with})
					q.Bases[0].Tree = q.Head.Tree.Sibling(&faulty{base.fs(), left, with})
					j := Judge(context.Background(), q)
					if left.Load() > 0 {
						break
					}
					notWorse(t, fmt.Sprintf("%v at operation %d", with, n), calm, j)
				}
			}
		})
	}
}

// notWorse: whatever counted against the change still does, unless something else says that
// nothing can be said; and what fails anew is of unknown attribution.
func notWorse(t *testing.T, when string, calm, j *Judgement) {
	t.Helper()
	counts := func(j *Judgement) (all []string) {
		for _, e := range j.Evidence {
			for _, r := range e.Rows {
				if r.Status == verify.Fail && r.Attribution != verify.PreExisting {
					all = append(all, e.Path+" "+r.Field+" "+r.Code)
				}
			}
		}
		return all
	}
	was, is := counts(calm), counts(j)
	anyUnknown := j.Lost != ""
	for _, e := range j.Evidence {
		for _, r := range e.Rows {
			key := e.Path + " " + r.Field + " " + r.Code
			if r.Status != verify.Fail || r.Attribution == verify.PreExisting || slices.Contains(was, key) {
				continue
			}
			if r.Attribution != verify.Unknown {
				t.Errorf("%s: %s is %s, and does not fail otherwise", when, key, r.Attribution)
			}
			anyUnknown = true
		}
	}
	for _, key := range was {
		if !slices.Contains(is, key) && !anyUnknown {
			t.Errorf("%s: %s no longer counts, and nothing says why:\n%v", when, key, told(j))
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
