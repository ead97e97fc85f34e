package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Source is where commits can be fetched from: a git server. This package opens no
// connection itself.
type Source interface {
	// Pack writes a pack (gitformat-pack(5)) with the commits in want, without their
	// parents, with all their files, but for what is in the commits in have. shallow are
	// the commits whose parents are not here. Ids are 40 hex digits. No object of the
	// pack may need one that is neither in it nor in the commits in have.
	Pack(ctx context.Context, w io.Writer, want, have, shallow []string) error
}

// Fetch makes commits readable that this clone lacks, or has not whole: each with all its
// files, without its history, and without what is in submodules. hashes are 40 hex digits.
// Nothing is asked for that is here.
//
// The user's repository is not written to: what comes is kept in a temporary folder until
// [Repository.Close], and looked at after the repository's own objects. Trees that
// exist already see it too.
//
// The error is that of the source, of ctx, [ErrTooLarge] where the files are over the
// bounds of this package, and [ErrMissingObject] or [ErrCorruptObject] where the source did
// not give all.
func (r *Repository) Fetch(ctx context.Context, from Source, hashes ...string) error {
	c := checker{r.objects, map[plumbing.Hash]bool{}}
	want, err := c.lacking(ctx, hashes)
	if err != nil || len(want) == 0 {
		return err
	}
	have, shallow := r.offer(ctx, c)
	err = r.receive(ctx, from, want, have, shallow)
	damaged := errors.Is(err, ErrCorruptObject) || errors.Is(err, ErrMissingObject)
	if err != nil && (len(have) == 0 || !damaged) {
		return fmt.Errorf("fetching %s: %w", strings.Join(want, ", "), err)
	}
	// What the source left out because it is in what we have may be missing or damaged here.
	// Then it has to come from there.
	left, err := c.lacking(ctx, want)
	if err == nil && len(left) > 0 && len(have) > 0 {
		err = r.receive(ctx, from, left, nil, nil)
	}
	if err != nil {
		return fmt.Errorf("fetching %s: %w", strings.Join(left, ", "), err)
	}
	for _, hash := range want {
		id := plumbing.NewHash(hash)
		if err := c.commit(ctx, id); err != nil {
			return fmt.Errorf("fetched commit %s: %w", hash, err)
		}
		r.markCut(id)
	}
	return nil
}

// offer returns which commits a source need not send again, and where our history is cut
// off. A partial clone offers nothing: it has commits without what is in them.
func (r *Repository) offer(ctx context.Context, c checker) (have, shallow []string) {
	const most = 1000 // lines of .git/shallow that are told
	head, err := r.Head()
	if r.partial || err != nil || c.commit(ctx, head.id) != nil {
		return nil, nil
	}
	text, err := readSmall(filepath.Join(r.commonDir, "shallow"))
	if err != nil {
		return []string{head.Hash}, nil
	}
	shallow = strings.Fields(string(text))
	if len(shallow) > most || slices.ContainsFunc(shallow, func(id string) bool { return !plumbing.IsHash(id) }) {
		return nil, nil
	}
	return []string{head.Hash}, shallow
}

// markCut notes that history is cut off at a commit whose parents are not here.
func (r *Repository) markCut(id plumbing.Hash) {
	n, err := r.node(id)
	if err != nil {
		return
	}
	for _, p := range n.parents {
		if !r.Has(p.String()) {
			r.cut.Store(true)
		}
	}
}
