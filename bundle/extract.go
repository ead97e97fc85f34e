package bundle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Extract lays the evidence, its inputs, its report and the cassettes out below
// root, at their paths in the repository, and returns how many files it wrote.
//
// The folder must be empty. Nothing is written outside of it, nothing is
// overwritten, no link is made, and no path that git would take for its own
// (".git" in any spelling): whoever looks into the tree with git must not run
// what a bundle brought along.
func (a *Archive) Extract(root *os.Root) (int, error) {
	if err := empty(root); err != nil {
		return 0, err
	}
	files, wrong := layOut(places[:], a.Entries, a.Manifest.Paths)
	if len(wrong) > 0 {
		return 0, &FormatError{Rule: wrong[0].rule, Reason: wrong[0].sentence(), Digest: a.Digest}
	}
	for name := range files {
		if reservedPath(name) {
			return 0, &FormatError{Rule: "repository paths", Reason: fmt.Sprintf("%q belongs to git", name), Digest: a.Digest}
		}
	}
	n := 0
	for name, e := range sorted(files) {
		if err := extract(root, name, e); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// ErrNotEmpty says that a folder to extract into holds something already.
var ErrNotEmpty = errors.New("the folder is not empty")

func empty(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	switch _, err := dir.Readdirnames(1); {
	case err == nil:
		return fmt.Errorf("%s: %w", filepath.ToSlash(root.Name()), ErrNotEmpty)
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

func extract(root *os.Root, name string, e Entry) error {
	native := filepath.FromSlash(name)
	if !filepath.IsLocal(native) {
		return &fs.PathError{Op: "extract", Path: name, Err: errors.New("this system can't have a file of that name")}
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(native, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, e.Open())
	return errors.Join(err, f.Close())
}

// reservedPath reports whether a segment of a path is ".git" to a file system
// that folds case, drops trailing dots and blanks, ignores characters that show
// nothing, or has short names.
func reservedPath(name string) bool {
	for segment := range strings.SplitSeq(name, "/") {
		plain := strings.TrimRight(strings.ToLower(strings.Map(func(r rune) rune {
			if r > 0x7e {
				return -1
			}
			return r
		}, segment)), ". ")
		stem, _, _ := strings.Cut(plain, ":")
		if stem == ".git" || strings.HasPrefix(stem, "git~") {
			return true
		}
	}
	return false
}
