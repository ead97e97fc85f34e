package repo

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Snapshot is one state of the files: a commit, or the work tree. It is an [fs.FS],
// [fs.StatFS], [fs.ReadFileFS], [fs.ReadDirFS] and [fs.ReadLinkFS] of the repository's root.
//
// The work tree's list of files is taken when [Repository.WorkTree] is called;
// contents are read when they are asked for. Any file inside the root can be opened there,
// also one that is ignored; [Snapshot.Files] and [Snapshot.BlobID] know only those that
// belong to the state.
type Snapshot struct {
	repo     *Repository
	commit   *Commit // nil: no commits yet
	files    listing // links and submodules too
	unusable listing
	links    []string // the submodules among files, sorted
	stored   *storedFS
	disk     *diskFS // nil for a commit

	mu     sync.Mutex
	hashed map[string]plumbing.Hash // ids of files whose entry has none
}

var _ interface {
	fs.StatFS
	fs.ReadFileFS
	fs.ReadDirFS
	fs.ReadLinkFS
} = (*Snapshot)(nil)

// CommitTree returns the state of a commit that came from this repository. In a partial clone its
// folders may be missing: the error is [ErrMissingObject].
func (r *Repository) CommitTree(c Commit) (*Snapshot, error) {
	return r.CommitTreeContext(context.Background(), c)
}

// CommitTreeContext is CommitTree that ends with its context.
func (r *Repository) CommitTreeContext(ctx context.Context, c Commit) (*Snapshot, error) {
	all, err := r.objects.list(ctx, c.tree, "", r.listed.Load())
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", c.Hash, err)
	}
	t := &Snapshot{repo: r, commit: &c}
	inOrder := slices.IsSortedFunc(all.entries, byPath)
	t.setFiles(all.entries)
	if inOrder && len(t.unusable) == 0 {
		r.listed.CompareAndSwap(nil, all)
	}
	t.stored = &storedFS{objects: r.objects, files: t.files, when: c.When}
	t.stored.modules = newModules(r, r.root, []string{filepath.Join(r.gitDir, "modules"), filepath.Join(r.commonDir, "modules")}, t.files)
	return t, nil
}

func (t *Snapshot) setFiles(entries []entry) {
	t.files, t.unusable = newListing(entries)
	for _, e := range t.files {
		if e.mode == filemode.Submodule {
			t.links = append(t.links, e.path)
		}
	}
}

// Commit returns the commit behind the state: for the work tree HEAD, and false
// when there is none yet.
func (t *Snapshot) Commit() (Commit, bool) {
	if t.commit == nil {
		return Commit{}, false
	}
	return *t.commit, true
}

// Files returns every file that belongs to the state, sorted: regular files, and
// links, wherever they lead, so that one that can't be followed is found when it is
// opened. For a commit these are its blobs; for the work tree the tracked files that
// exist, those that a sparse checkout left out, and untracked files that are not
// ignored by a .gitignore or .git/info/exclude.
func (t *Snapshot) Files() []string {
	names := make([]string, 0, len(t.files))
	for _, e := range t.files {
		if e.mode != filemode.Submodule {
			names = append(names, e.path)
		}
	}
	return names
}

// Lists reports whether a path is among Files.
func (t *Snapshot) Lists(path string) bool {
	e, ok := t.files.find(path)
	return ok && e.mode != filemode.Submodule
}

// isPlain reports whether a mode is that of a regular file, executable or not.
func isPlain(m filemode.FileMode) bool { return m == filemode.Regular || m == filemode.Executable }

// Unusable returns the paths of the state that can't be opened by their name, sorted:
// they are not valid for [fs.ValidPath] (".." in them, not UTF-8), hold a .git, or
// stand twice in their folder. Neither Files nor Diff knows them. They may be
// any bytes: escape them where they are shown.
func (t *Snapshot) Unusable() []string {
	names := make([]string, 0, len(t.unusable))
	for _, e := range t.unusable {
		names = append(names, e.path)
	}
	return names
}

// UnusableSince returns those of Unusable that base has not, or has with other content.
func (t *Snapshot) UnusableSince(base *Snapshot) []string {
	type state struct {
		path string
		mode filemode.FileMode
		id   plumbing.Hash
	}
	before := make(map[state]bool)
	for _, e := range base.unusable {
		if id, err := base.id(context.Background(), e); err == nil {
			before[state{e.path, e.mode, id}] = true
		}
	}
	var names []string
	for _, e := range t.unusable {
		if id, err := t.id(context.Background(), e); err != nil || !before[state{e.path, e.mode, id}] {
			names = append(names, e.path)
		}
	}
	return names
}

// BlobID returns the git blob id (40 hex digits) of a file's content, if that is
// known without reading the file, and content and blob are known to be the same size:
// a content filter makes them differ. For a link it is the id of the link.
func (t *Snapshot) BlobID(name string) (string, bool) {
	e, ok := t.files.find(name)
	if !ok || !e.known || e.mode == filemode.Submodule {
		return "", false
	}
	if t.disk != nil && !e.sparse && isPlain(e.mode) {
		info, err := t.Stat(name)
		if err != nil {
			return "", false
		}
		if size, err := t.repo.objects.size(e.id); err != nil || size != info.Size() {
			return "", false
		}
	}
	return e.id.String(), true
}

// ContentID returns the blob id that name's content has now. Unlike [Snapshot.BlobID]
// it reads the file if it must.
func (t *Snapshot) ContentID(name string) (string, error) {
	e, ok := t.files.find(name)
	if !ok {
		return "", &fs.PathError{Op: "hash", Path: name, Err: fs.ErrNotExist}
	}
	if t.tooLarge(e) {
		return "", &fs.PathError{Op: "hash", Path: name, Err: ErrTooLarge}
	}
	id, err := t.id(context.Background(), e)
	return id.String(), err
}

// Clean reports whether the state equals its commit: for the work tree, that
// nothing tracked is modified, staged or deleted, and that no untracked file exists
// that is not ignored. What can't be checked is not clean.
func (t *Snapshot) Clean() bool { return t.CleanContext(context.Background()) }

// CleanContext is Clean that ends with its context, and then is false.
func (t *Snapshot) CleanContext(ctx context.Context) bool {
	if t.disk == nil {
		return true
	}
	if t.commit == nil {
		return false
	}
	head, err := t.repo.CommitTreeContext(ctx, *t.commit)
	return err == nil && t.equal(ctx, t.files, head.files) && t.equal(ctx, t.unusable, head.unusable)
}

func (t *Snapshot) equal(ctx context.Context, files, committed listing) bool {
	return slices.EqualFunc(files, committed, func(e, c entry) bool {
		return ctx.Err() == nil && e.path == c.path && e.mode == c.mode && t.holds(ctx, e, c.id)
	})
}

// holds reports whether the content of e is the blob id. A file of the work tree
// that can't be read is not: nobody knows what it holds. One of another size isn't
// read at all, however large it is.
func (t *Snapshot) holds(ctx context.Context, e entry, id plumbing.Hash) bool {
	if !e.known && isPlain(e.mode) {
		size, err := t.repo.objects.size(id)
		if info, statErr := t.Stat(e.path); err == nil && statErr == nil && info.Size() != size {
			return false
		}
	}
	is, err := t.id(ctx, e)
	return err == nil && is == id
}

// id returns the blob id of an entry, and reads the file if it must.
func (t *Snapshot) id(ctx context.Context, e entry) (plumbing.Hash, error) {
	if e.known {
		return e.id, nil
	}
	t.mu.Lock()
	id, ok := t.hashed[e.path]
	t.mu.Unlock()
	if ok {
		return id, nil
	}
	var err error
	if e.mode == filemode.Submodule {
		id, err = t.repo.submoduleCommit(ctx, e.path)
	} else {
		id, err = t.disk.hash(e)
	}
	if err != nil {
		return id, &fs.PathError{Op: "hash", Path: e.path, Err: err}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hashed == nil {
		t.hashed = map[string]plumbing.Hash{}
	}
	t.hashed[e.path] = id
	return id, nil
}

// tooLarge reports whether e is a file of the work tree that is larger than any
// that the gate reads, so that it is not worth hashing either.
func (t *Snapshot) tooLarge(e entry) bool {
	if e.known || !isPlain(e.mode) {
		return false
	}
	info, err := t.Stat(e.path)
	return err == nil && info.Size() > maxObject
}
