package bundle

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
)

// ReadFolder reads a bundle that was unpacked: a folder with manifest.json in it
// (Replay Bundle v1, section 5.2). The rules and limits are those of [Read], as
// far as they are not about the archive itself. Content is copied while it is
// digested, so that what was verified is what is used.
//
// There is no archive, so the Digest of the result is empty.
func ReadFolder(fsys fs.FS, l Limits) (*Archive, error) {
	sc := newScan(l, true)
	var err error
	// A folder that is no bundle is not read through first.
	if _, missing := fs.Stat(fsys, manifestName); missing == nil {
		err = sc.folder(fsys)
	}
	if sc.limit = asLimit(err); sc.limit == nil && err != nil {
		_ = sc.store.close()
		return nil, err
	}
	sc.ended = true
	return newArchive(sc)
}

// folder takes each file below fsys for an entry.
func (sc *scan) folder(fsys fs.FS) error {
	count := 0
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return &sourceError{err}
		case d.IsDir():
			return nil
		}
		if count++; count > sc.limits.Entries {
			return &LimitError{Dimension: "entries", Limit: int64(sc.limits.Entries)}
		}
		if len(name) > sc.limits.Path {
			return &LimitError{Dimension: "bytes in an entry's name", Limit: int64(sc.limits.Path)}
		}
		if !d.Type().IsRegular() {
			sc.report(ruleTypes, "not-regular", name, "is no regular file")
			return nil
		}
		return sc.file(fsys, name)
	})
}

func (sc *scan) file(fsys fs.FS, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return &sourceError{err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &sourceError{err}
	}
	// The name may have come to mean something else since it was listed.
	if !info.Mode().IsRegular() {
		sc.report(ruleTypes, "not-regular", name, "is no regular file")
		return nil
	}
	if sc.size += info.Size(); sc.size > sc.limits.Decoded {
		return &LimitError{Dimension: "decoded bytes", Limit: sc.limits.Decoded}
	}
	body := &io.LimitedReader{R: sourceReader{f}, N: info.Size()}
	header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: info.Size(), Mode: int64(info.Mode().Perm())}
	before := len(sc.entries)
	if err := sc.entry(header, body); err != nil {
		return err
	}
	if body.N > 0 && (len(sc.entries) > before || name == manifestName) {
		return &sourceError{fmt.Errorf("%s: the file changed while it was read", name)}
	}
	return nil
}
