package pinning

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// workTree is the files as they are on disk at one moment.
type workTree struct {
	tree   *verify.Tree
	stored pin.Storer             // nil outside of a repository
	lists  func(name string) bool // whether git would commit it
	close  func()
}

func (o *Options) open() (*workTree, error) {
	r, err := repo.Open(o.Root)
	if errors.Is(err, repo.ErrNotRepository) {
		root, err := os.OpenRoot(o.Root)
		if err != nil {
			return nil, fail(ErrDisk, "check the folder", "%w", err)
		}
		return &workTree{verify.NewTree(root.FS()), nil, func(string) bool { return true }, func() { root.Close() }}, nil
	}
	if err != nil {
		return nil, fail(ErrDisk, "check the repository with git status", "%w", err)
	}
	files, err := r.WorkTree()
	if err != nil {
		r.Close()
		return nil, fail(ErrDisk, "check the repository with git status", "%w", err)
	}
	c, err := r.Converter(files, o.GitConfig)
	if err != nil {
		r.Close()
		return nil, fail(ErrDisk, "check the repository with git status", "%w", err)
	}
	stored := func(name string, data []byte) (pin.Stored, error) {
		s, err := c.Stored(name, data)
		return pin.Stored{Data: s.Data, Blob: s.Blob, Note: s.Note}, err
	}
	return &workTree{verify.NewTree(files), stored, files.Lists, func() { r.Close() }}, nil
}

// ignored are the files of a pin that git will not commit.
func (o *Options) ignored(p pin.Pin) ([]string, error) {
	w, err := o.open()
	if err != nil {
		return nil, err
	}
	defer w.close()
	var names []string
	for _, list := range [][]pin.Artifact{p.Subjects, p.Inputs} {
		for _, a := range list {
			if !w.lists(a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names, nil
}

// save writes the pin in one step: there is the old one, or the new one, and never half.
func (o *Options) save(name string, text []byte) error {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return fail(ErrDisk, "check the folder", "%w", err)
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	draft := name + ".tmp"
	f, err := root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) { // of a run that was killed
		if err = root.Remove(draft); err == nil {
			f, err = root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		}
	}
	if err == nil {
		_, err = f.Write(text)
		err = cmp.Or(err, f.Close())
		if err == nil {
			err = root.Rename(draft, name)
		}
		if err != nil {
			_ = root.Remove(draft)
		}
	}
	if err != nil {
		return fail(ErrDisk, "check the disk and the rights of the folder", "writing the pin: %w", err)
	}
	return nil
}

// Relative turns a path, or a spec, that counts from the folder dir into one that counts
// from root, which dir must not leave. A note such as model=gpt-4.1 that names no file
// stays as it is.
func Relative(root, dir, spec string) (string, error) {
	pattern, keys, hasKeys := strings.Cut(filepath.ToSlash(spec), "#")
	if strings.Contains(spec, "=") {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(pattern))); err != nil {
			return spec, nil
		}
	}
	at := pattern
	if !path.IsAbs(at) {
		at = path.Join(filepath.ToSlash(dir), pattern)
	}
	rel, err := filepath.Rel(root, filepath.FromSlash(at))
	if err != nil || !filepath.IsLocal(rel) {
		return "", fail(ErrUsage, "use files inside of the repository", "%s is not below the root", spec)
	}
	rel = filepath.ToSlash(rel)
	if hasKeys {
		rel += "#" + keys
	}
	return rel, nil
}
