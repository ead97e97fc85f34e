package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// maxFetched bounds the commits of one [Repository.Fetch].
const maxFetched = 64

// checker finds out whether everything in a commit is at hand. What several commits share is
// looked at once: two states of 300,000 files rarely differ in many folders.
type checker struct {
	objects *objects
	whole   map[plumbing.Hash]bool // trees with all that is below them, and contents
}

// lacking returns those of some commits that are not here, or not whole.
func (c checker) lacking(ctx context.Context, hashes []string) ([]string, error) {
	if len(hashes) > maxFetched {
		return nil, fmt.Errorf("fetching %d commits: %w", len(hashes), ErrTooLarge)
	}
	var want []string
	asked := map[string]bool{}
	for _, hash := range hashes {
		if !plumbing.IsHash(hash) || len(hash) != 40 {
			return nil, &RevisionError{Rev: hash, Reason: "not a full commit hash"}
		}
		if hash = strings.ToLower(hash); asked[hash] {
			continue
		}
		asked[hash] = true
		err := c.commit(ctx, plumbing.NewHash(hash))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrTooLarge):
			return nil, fmt.Errorf("commit %s: %w", hash, err) // fetching makes it no smaller
		case err != nil:
			want = append(want, hash)
		}
	}
	return want, nil
}

// commit returns why not everything in a commit can be read. Folders are read, contents of
// files are only looked up.
func (c checker) commit(ctx context.Context, id plumbing.Hash) error {
	content, err := c.objects.readAs(plumbing.CommitObject, id)
	if err != nil {
		return err
	}
	n, err := parseNode(content)
	if err != nil {
		return err
	}
	return c.tree(ctx, n.tree, "", 0)
}

func (c checker) tree(ctx context.Context, id plumbing.Hash, prefix string, depth int) error {
	if c.whole[id] {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxTreeDepth {
		return tooDeep(prefix)
	}
	content, err := c.objects.readAs(plumbing.TreeObject, id)
	if err != nil {
		return err
	}
	for len(content) > 0 {
		e, rest, err := cutTreeEntry(content)
		if err != nil {
			return err
		}
		content = rest
		switch {
		case e.mode == filemode.Submodule:
		case e.mode == filemode.Dir:
			err = c.tree(ctx, e.id, prefix+e.path+"/", depth+1)
		case !c.whole[e.id]:
			if err = c.objects.lookUp(e.id); err == nil {
				c.whole[e.id] = true
			}
		}
		if err != nil {
			return err
		}
		if len(c.whole) > maxPackObjects {
			return fmt.Errorf("more than %d objects: %w", maxPackObjects, ErrTooLarge)
		}
	}
	c.whole[id] = true
	return nil
}

// lookUp returns why an object is not here. A loose one, whose file may be empty after a crash, is
// looked into; of a packed one it is enough that the index has it.
func (o *objects) lookUp(id plumbing.Hash) error {
	return o.each(id, func(s *filesystem.Storage) error {
		hex := id.String()
		if _, err := s.Filesystem().Stat("objects/" + hex[:2] + "/" + hex[2:]); err == nil {
			_, err := s.EncodedObjectSize(id)
			return err
		}
		return s.HasEncodedObject(id)
	})
}
