package verify

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Limits on what is read from a tree, in bytes.
const (
	// MaxEvidence bounds a piece of evidence. Published sidecars are 1 to 13 KB.
	MaxEvidence = 16 << 20
	// MaxInput bounds an input that is read whole.
	MaxInput = 64 << 20
)

// ReadError says why a file of the tree could not be read, in words that
// complete the sentence "the file …".
type ReadError struct {
	Path    string
	Why     string
	Outcome Outcome // Absent, Unusable or Lost
	Err     error   // may be nil
}

func (e *ReadError) Error() string { return e.Path + ": the file " + e.Why }

// Unwrap gives the file system's own error, if there was one.
func (e *ReadError) Unwrap() error { return e.Err }

// ReadReason words an error of [Tree.ReadFile] without the path, which is shown
// beside it.
func ReadReason(err error) string {
	if re, ok := errors.AsType[*ReadError](err); ok {
		return "the file " + re.Why
	}
	return err.Error()
}

// Exists reports whether name is a readable regular file of the tree. A path
// that would leave the tree does not exist. Where it can't be told, that is noted, and
// the engine fails the judgement.
func (t *Tree) Exists(name string) bool {
	_, err := t.stat(name)
	err = t.sight(name, sawFile, err)
	t.note(name, err)
	return err == nil
}

// sight is err, or what is wrong with a file that is not as it was seen before.
func (t *Tree) sight(name string, now sighting, err *ReadError) *ReadError {
	switch {
	case err == nil:
		return t.saw(name, now)
	case err.Outcome == Absent:
		if wrong := t.saw(name, sawNothing); wrong != nil {
			return wrong
		}
	}
	return err
}

// ReadFile reads a regular file of at most limit bytes. Every error is a
// *[ReadError]; [fs.ErrNotExist] is kept apart through errors.Is.
func (t *Tree) ReadFile(name string, limit int64) ([]byte, error) {
	if t.held != nil && t.held.name == name && int64(len(t.held.data)) <= limit {
		t.note(name, nil)
		return t.held.data, nil
	}
	data, err := t.readFile(name, limit)
	if err == nil {
		err = t.sight(name, sightOf(data), nil)
	} else {
		err = t.sight(name, sawNothing, err)
	}
	t.note(name, err)
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (t *Tree) note(name string, err *ReadError) {
	if t.reads == nil {
		return
	}
	read := Read{Op: OpFile, Name: name, Outcome: Found}
	if err != nil {
		read.Outcome = err.Outcome
		if err.Outcome != Absent {
			read.Why = err.Why
		}
	}
	t.reads.add(read)
}

func (t *Tree) stat(name string) (fs.FileInfo, *ReadError) {
	if !fs.ValidPath(name) {
		return nil, &ReadError{name, "has a path that leaves the tree", Absent, fs.ErrInvalid}
	}
	info, err := fs.Stat(t.fsys, name)
	switch {
	case err != nil:
		return nil, failed(name, err)
	case info.IsDir():
		return nil, &ReadError{name, "is a folder", Unusable, nil}
	case !info.Mode().IsRegular():
		return nil, &ReadError{name, "is not a regular file", Unusable, nil}
	}
	return info, nil
}

// failed sorts an error of the file system. One that is not known to be about the file
// itself may pass by tomorrow: the file is lost, not absent.
func failed(name string, err error) *ReadError {
	var about interface{ Unusable() bool }
	var known *ReadError
	switch {
	case errors.As(err, &known): // as a bundle says of what its evidence met
		return &ReadError{name, known.Why, known.Outcome, known.Err}
	case errors.Is(err, fs.ErrNotExist):
		return &ReadError{name, "does not exist", Absent, err}
	case errors.Is(err, fs.ErrInvalid), errors.As(err, &about) && about.Unusable(), bare(err) == escapes:
		return &ReadError{name, "can't be read: " + bare(err), Unusable, err}
	}
	return &ReadError{name, "can't be read: " + bare(err), Lost, err}
}

// escapes is what os.Root says of a link that leads out of it; the error has no name.
const escapes = "path escapes from parent"

// A RegularReader is a file system that reads a regular file of at most limit bytes in one
// go, without anything that could block. An error other than [fs.ErrNotExist] says nothing by
// itself: the file is then looked at closer.
type RegularReader interface {
	ReadRegular(name string, limit int64) ([]byte, error)
}

// ReadRegular is [RegularReader.ReadRegular] of a file system that has it.
func ReadRegular(fsys fs.FS, name string, limit int64) ([]byte, error) {
	if r, ok := fsys.(RegularReader); ok {
		return r.ReadRegular(name, limit)
	}
	return nil, errors.ErrUnsupported
}

func (t *Tree) readFile(name string, limit int64) ([]byte, *ReadError) {
	if fs.ValidPath(name) {
		data, err := ReadRegular(t.fsys, name, limit)
		switch {
		case err == nil:
			return data, nil
		case errors.Is(err, fs.ErrNotExist):
			return nil, failed(name, err)
		}
	}
	info, re := t.stat(name)
	if re != nil {
		return nil, re
	}
	if info.Size() > limit {
		return nil, &ReadError{name, fmt.Sprintf("is larger than %d MiB (%d bytes)", limit>>20, info.Size()), Unusable, nil}
	}
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, failed(name, err)
	}
	defer f.Close()
	buf := make([]byte, 0, info.Size()+1)
	// The size may have been a lie, so the limit is enforced once more.
	lr := io.LimitReader(f, limit+1)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := lr.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, failed(name, err)
		}
	}
	if int64(len(buf)) > limit {
		return nil, &ReadError{name, fmt.Sprintf("is larger than %d MiB", limit>>20), Unusable, nil}
	}
	return buf, nil
}

// bare drops the operation and path that fs.PathError adds: the path is shown
// once already, and may be a path of the machine.
func bare(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
