package verifytest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// checkReads tests that the verdict rests on nothing but what was recorded as read.
func (s *subject) checkReads(t *testing.T, whole verify.Result) {
	reads := whole.Reads.All()
	read := make(map[string]bool)
	for _, r := range reads {
		if r.Op == verify.OpFile {
			read[r.Name] = true
		}
	}
	rest := make(fstest.MapFS)
	for name, file := range s.files {
		switch {
		case read[name]:
			rest[name] = file
		case listed(reads, name): // its name was read, its content not
			rest[name] = &fstest.MapFile{Data: []byte("other content\n")}
		}
	}
	if r := s.judge(rest); !same(whole, r) {
		t.Errorf("without what was not read, the verdict is another:\n%+v\nin the whole tree:\n%+v\nread: %+v", r, whole, reads)
	}
	for _, name := range strangers(s) {
		if read[name] || listed(reads, name) || s.files[name] != nil {
			continue
		}
		if r := s.judge(s.with(name, []byte("other content\n"))); !same(whole, r) {
			t.Errorf("with %s, for which nobody looked, the verdict is another:\n%+v\n%+v", name, r, whole)
		}
	}
	for name := range read {
		gone := maps.Clone(s.files)
		delete(gone, name)
		checkForm(t, "without "+name+": ", s.judge(gone))
		checkForm(t, name+" altered: ", s.judge(s.with(name, []byte("other content\n"))))
	}
}

// listed reports whether one of reads lists name.
func listed(reads []verify.Read, name string) bool {
	return slices.ContainsFunc(reads, func(r verify.Read) bool {
		switch r.Op {
		case verify.OpNamed:
			return path.Base(name) == r.Name
		case verify.OpUnder:
			return r.Name == "." || strings.HasPrefix(name, r.Name+"/")
		}
		return false
	})
}

// strangers are paths at which a search that is not recorded could find something.
func strangers(s *subject) []string {
	bases := make(map[string]bool)
	for name := range s.files {
		if len(bases) < 50 {
			bases[path.Base(name)] = true
		}
	}
	var all []string
	for base := range bases {
		all = append(all, path.Join("zz-other", base), path.Join(path.Dir(s.path), "zz-other", base), path.Join(path.Dir(s.path), base), base)
	}
	slices.Sort(all)
	return all
}

// checkInputs tests that evidence which pins an input does not outlive it.
func (s *subject) checkInputs(t *testing.T, whole verify.Result) {
	for _, in := range whole.Inputs {
		if in.Hash == "" || in.Missing || in.Key != "" {
			continue
		}
		if r := s.judge(s.with(in.Path, []byte("other: content\n"))); green(r) {
			t.Errorf("%s was replaced, and all is green", in.Path)
		}
		gone := maps.Clone(s.files)
		delete(gone, in.Path)
		if r := s.judge(gone); green(r) {
			t.Errorf("%s is gone, and all is green", in.Path)
		}
	}
}

// faultErrors are the ways in which a file can't be had.
var faultErrors = []error{
	syscall.EIO, syscall.EMFILE, fs.ErrPermission, context.DeadlineExceeded, errors.New("the object is missing"),
}

// checkFaults lets each access to the file system fail, one at a time, in each way: then
// nobody knows what the tree holds, and the verdict says so.
func (s *subject) checkFaults(t *testing.T) {
	const most = 2000
	for _, err := range faultErrors {
		for n := range most {
			faulty := &faultyFS{FS: s.files, err: err, left: int64(n)}
			r := s.judge(faulty)
			if atomic.LoadInt64(&faulty.left) >= 0 {
				break // it read less than that
			}
			what := fmt.Sprintf("%v at access %d, to %s: ", err, n, faulty.name.Load())
			checkForm(t, what, r)
			if green(r) || r.Lost == "" {
				t.Errorf("%sgreen %t, lost %q", what, green(r), r.Lost)
			}
		}
	}
}

// faultyFS lets one access fail, after left others.
type faultyFS struct {
	fs.FS
	err  error
	left int64
	name atomic.Value
}

func (f *faultyFS) fault(op, name string) error {
	if atomic.AddInt64(&f.left, -1) != -1 {
		return nil
	}
	f.name.Store(op + " " + name)
	return &fs.PathError{Op: op, Path: name, Err: f.err}
}

func (f *faultyFS) Stat(name string) (fs.FileInfo, error) {
	if err := f.fault("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(f.FS, name)
}

func (f *faultyFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.fault("readdir", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(f.FS, name)
}

func (f *faultyFS) Open(name string) (fs.File, error) {
	if err := f.fault("open", name); err != nil {
		return nil, err
	}
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{File: file, fs: f, name: name}, nil
}

type faultyFile struct {
	fs.File
	fs   *faultyFS
	name string
	read bool
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if !f.read {
		f.read = true
		if err := f.fs.fault("read", f.name); err != nil {
			return 0, err
		}
	}
	return f.File.Read(p)
}
