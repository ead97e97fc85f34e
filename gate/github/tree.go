package github

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	gh "github.com/google/go-github/v60/github"
)

var (
	// ErrTreeTruncated: GitHub lists at most 100,000 entries of a tree, and
	// this one has more.
	ErrTreeTruncated = errors.New("the list of the commit's files is not complete")
	// ErrFileTooLarge: a file is larger than 16 MiB.
	ErrFileTooLarge = errors.New("a file is too large to read over the API")
	// ErrTooManyReads: more files were asked for than [MaxReads].
	ErrTooManyReads = errors.New("too many files to read over the API")
)

// Limits of a [Tree].
const (
	// MaxReads is how many files are fetched, one request each: the token has
	// 1,000 requests an hour for the whole repository.
	MaxReads    = 500
	maxBlob     = 16 << 20 // bytes of one file
	maxKept     = 64 << 20 // bytes of files that are kept
	maxEntries  = 500_000
	maxLinks    = 40 // symbolic links followed for one path, as Linux
	maxLinkSize = 4 << 10
)

// Tree shows the files of a commit over the API, for where the commit was not
// fetched. It is an [fs.FS] that lists itself (Files) and reads a file when it
// is asked for, once. Symbolic links are followed inside the tree, submodules
// are not there. It is safe for use by several goroutines.
//
// A file that could not be fetched is not one that does not exist. After the
// first such failure every read fails, and [Tree.Err] tells why: whoever
// compares with this tree must ask it before concluding anything.
type Tree struct {
	ctx     context.Context
	client  *Client
	entries map[string]treeEntry // files and links by path
	dirs    map[string][]string  // names in a folder, sorted; "." is the root

	mu    sync.Mutex
	blobs map[string]*blob // by id
	kept  int
	reads int
	err   error
}

type treeEntry struct {
	id   string
	size int64
	mode fs.FileMode
}

type blob struct {
	once    sync.Once
	content []byte
	err     error
}

// Tree lists a commit's files, in one request. Reading them takes ctx too.
func (c *Client) Tree(ctx context.Context, commit string) (*Tree, error) {
	if !commitID.MatchString(commit) {
		return nil, fmt.Errorf("%q is no commit id", clip(commit))
	}
	doing := "listing the files of " + commit
	list, _, err := c.api.Git.GetTree(ctx, c.owner, c.name, commit, true)
	if err != nil {
		return nil, apiError(doing, "contents: read", err)
	}
	if list.GetTruncated() || len(list.Entries) > maxEntries {
		return nil, fmt.Errorf("%s: %w", doing, ErrTreeTruncated)
	}
	t := &Tree{ctx: ctx, client: c, entries: make(map[string]treeEntry), dirs: map[string][]string{".": nil}, blobs: make(map[string]*blob)}
	for _, e := range list.Entries {
		if err := t.add(e); err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
	}
	for _, names := range t.dirs {
		slices.Sort(names)
	}
	return t, nil
}

func (t *Tree) add(e *gh.TreeEntry) error {
	name := e.GetPath()
	if name == "." || !fs.ValidPath(name) {
		return fmt.Errorf("%q is no path", clip(name))
	}
	var mode fs.FileMode
	switch e.GetMode() {
	case "040000", "160000": // folders follow from their files; a submodule's files are elsewhere
		return nil
	case "120000":
		mode = fs.ModeSymlink | 0o777
	case "100755":
		mode = 0o755
	default:
		mode = 0o644
	}
	if !commitID.MatchString(e.GetSHA()) {
		return fmt.Errorf("%q has no id", clip(name))
	}
	_, isFile := t.entries[name]
	if _, isDir := t.dirs[name]; isFile || isDir {
		return fmt.Errorf("%q is there twice", clip(name))
	}
	t.entries[name] = treeEntry{e.GetSHA(), int64(max(e.GetSize(), 0)), mode}
	for child := name; ; {
		dir := path.Dir(child)
		if _, isFile := t.entries[dir]; isFile {
			return fmt.Errorf("%q is a file and a folder", clip(dir))
		}
		_, known := t.dirs[dir]
		t.dirs[dir] = append(t.dirs[dir], path.Base(child))
		if known {
			return nil
		}
		child = dir
	}
}

// Files lists every file and symbolic link, sorted.
func (t *Tree) Files() []string {
	names := make([]string, 0, len(t.entries))
	for name := range t.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// BlobID returns git's id of a file's content, which the list told: whoever
// holds another tree with ids, such as a checkout's, knows from them which
// files differ, with no request more. For a link it is the id of the link.
func (t *Tree) BlobID(name string) (string, bool) {
	e, ok := t.entries[name]
	return e.id, ok
}

// Err is the first failure to fetch a file that is in the tree.
func (t *Tree) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// read returns the content of an entry. Callers must not change it.
func (t *Tree) read(e treeEntry) ([]byte, error) {
	t.mu.Lock()
	if t.err != nil {
		defer t.mu.Unlock()
		return nil, t.err
	}
	b := t.blobs[e.id]
	if b == nil {
		b = new(blob)
		t.blobs[e.id] = b
		t.reads++
	}
	reads := t.reads
	t.mu.Unlock()

	b.once.Do(func() {
		switch {
		case reads > MaxReads:
			b.err = ErrTooManyReads
		case e.size > maxBlob:
			b.err = fmt.Errorf("%d bytes: %w", e.size, ErrFileTooLarge)
		default:
			b.content, b.err = t.fetch(e)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		switch {
		case b.err != nil && t.err == nil:
			t.err = b.err
		case t.kept+len(b.content) > maxKept:
			delete(t.blobs, e.id)
		default:
			t.kept += len(b.content)
		}
	})
	return b.content, b.err
}

func (t *Tree) fetch(e treeEntry) ([]byte, error) {
	const doing = "reading a file of the base over the API"
	content, _, err := t.client.api.Git.GetBlobRaw(t.ctx, t.client.owner, t.client.name, e.id)
	if err != nil {
		return nil, apiError(doing, "contents: read", err)
	}
	if gitID(content, len(e.id)) != e.id {
		return nil, fmt.Errorf("%s: what came is not %s", doing, e.id)
	}
	return content, nil
}

// gitID is git's id of a file, in as many digits as asked for.
func gitID(content []byte, digits int) string {
	var sum hash.Hash = sha1.New()
	if digits == 2*sha256.Size {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

var errEscapes = errors.New("symbolic link leaves the repository")

// resolve follows the symbolic links in a path. The result is a file or a
// folder of the tree.
func (t *Tree) resolve(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", fs.ErrInvalid
	}
	at, links := ".", 0
	pending := strings.Split(name, "/")
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		if next == "" || next == "." {
			continue
		}
		if next == ".." {
			if at == "." {
				return "", errEscapes
			}
			at = path.Dir(at)
			continue
		}
		step := path.Join(at, next)
		e, isFile := t.entries[step]
		if _, isDir := t.dirs[step]; !isFile && !isDir {
			return "", fs.ErrNotExist
		}
		if e.mode&fs.ModeSymlink == 0 {
			if isFile && len(pending) > 0 {
				return "", fs.ErrNotExist
			}
			at = step
			continue
		}
		if links++; links > maxLinks || e.size > maxLinkSize {
			return "", fs.ErrInvalid
		}
		target, err := t.read(e)
		if err != nil {
			return "", err
		}
		if bytes.HasPrefix(target, []byte("/")) {
			return "", errEscapes
		}
		pending = append(strings.Split(string(target), "/"), pending...)
	}
	return at, nil
}
