package repo

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// maxWords bounds what an author wrote and a [Commit] holds, in bytes: thousands of
// commits are remembered.
const maxWords = 4 << 10

// Commit is what a gate needs to know about one commit. AuthorName and Subject
// are whatever the author wrote, at most 4 KiB of it: escape them where they are shown.
type Commit struct {
	Hash string // 40 lower-case hex digits
	// Parents as the commit records them. In a shallow clone they may not be in
	// the repository: ask [Repository.Has].
	Parents    []string
	When       time.Time // when it was committed, UTC
	AuthorName string
	Subject    string // first paragraph of the message on one line, as git's %s

	id, tree plumbing.Hash
}

// commit reads one commit.
func (r *Repository) commit(id plumbing.Hash) (Commit, error) {
	content, err := r.objects.readAs(plumbing.CommitObject, id)
	if err != nil {
		return Commit{}, err
	}
	raw := &plumbing.MemoryObject{}
	raw.SetType(plumbing.CommitObject)
	if _, err := raw.Write(content); err != nil {
		return Commit{}, err
	}
	var o object.Commit
	if err := o.Decode(raw); err != nil {
		return Commit{}, fmt.Errorf("reading commit %s: %w", id, err)
	}
	c := Commit{
		Hash:       id.String(),
		When:       o.Committer.When.UTC(),
		AuthorName: words(o.Author.Name),
		Subject:    words(subject(o.Message)),
		id:         id,
		tree:       o.TreeHash,
	}
	for _, p := range o.ParentHashes {
		c.Parents = append(c.Parents, p.String())
	}
	return c, nil
}

// words are the beginning of a text, and keep no more of it in memory.
func words(s string) string {
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords], "")
	}
	return strings.Clone(s)
}

// subject joins the first paragraph of a commit message to one line.
func subject(message string) string {
	var words []string
	for line := range strings.Lines(strings.TrimLeft(message, "\n")) {
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		words = append(words, line)
	}
	return strings.Join(words, " ")
}

// Head returns the commit that is checked out, or [ErrNoCommits].
func (r *Repository) Head() (Commit, error) {
	id, err := r.refTarget("HEAD")
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return Commit{}, ErrNoCommits
	}
	if err != nil {
		return Commit{}, fmt.Errorf("reading HEAD: %w", err)
	}
	return r.commit(id)
}

// Has reports whether the repository holds this commit; hash is 40 hex digits.
func (r *Repository) Has(hash string) bool {
	if !plumbing.IsHash(hash) {
		return false
	}
	kind, _, err := r.objects.read(plumbing.NewHash(hash))
	return err == nil && kind == plumbing.CommitObject
}

// Shallow reports whether history is cut off, and if so how many commits can be
// reached from HEAD.
func (r *Repository) Shallow() (int, bool) {
	if !r.isShallow() {
		return 0, false
	}
	head, err := r.Head()
	if err != nil {
		return 0, true
	}
	seen := map[string]bool{head.Hash: true}
	queue := []Commit{head}
	n := 0
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		n++
		for _, p := range c.Parents {
			if seen[p] {
				continue
			}
			seen[p] = true
			if parent, err := r.commit(plumbing.NewHash(p)); err == nil {
				queue = append(queue, parent)
			}
		}
	}
	return n, true
}

// WholeHistory reports whether the history of every commit is at hand with all that
// belongs to it: the clone is neither shallow nor partial.
func (r *Repository) WholeHistory() bool { return !r.partial && !r.isShallow() }

// isShallow reports whether .git/shallow lists a commit, or the history of one that was
// fetched is not here.
func (r *Repository) isShallow() bool {
	if r.cut.Load() {
		return true
	}
	lists := false
	fault := r.objects.own(func(s *filesystem.Storage) {
		f, err := s.Filesystem().Open("shallow")
		if err != nil {
			return
		}
		defer f.Close()
		_, err = io.ReadFull(f, make([]byte, 40))
		lists = err == nil
	})
	return lists || fault != nil // what it would have listed nobody knows
}
