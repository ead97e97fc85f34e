package gate

import (
	"context"
	"errors"
	"fmt"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// ErrNoBundle: a commit gives no bundle of the evidence that was asked for.
var ErrNoBundle = errors.New("there is no such bundle")

// Rebuild makes the bundle of what g names from a commit, as the gate would, with
// the cassettes at those paths, and writes nothing. The error is [ErrNoBundle] where
// the commit gives none, and else an *[Error].
func Rebuild(ctx context.Context, root, rev string, g bundle.ReplayGate, cassettes []string) (*bundle.Bundle, error) {
	r, err := repo.Open(root)
	if errors.Is(err, repo.ErrNotRepository) {
		return nil, usageError(ReasonNoRepo, "run it inside the repository that the bundle is from, or name one with --root", "%w", err)
	} else if err != nil {
		return nil, infraError(err)
	}
	defer r.Close()
	at, err := r.Resolve(rev)
	if errors.Is(err, repo.ErrNoRevision) {
		return nil, usageError(ReasonNoRevision, "fetch it (git fetch origin), or name another revision", "--rebuild: %w", err)
	} else if err != nil {
		return nil, infraError(err)
	}
	fsys, err := r.CommitTree(at)
	if err != nil {
		return nil, infraError(err)
	}
	tree := verify.NewTree(fsys)
	m := maker{tree: tree, commit: at, strict: g.Strict, cassettes: cassettes}
	if g.History {
		if m.past = newPast(ctx, r, fsys, false, r.Histories(at, repo.HistoryOptions{})); m.past == nil {
			return nil, usageError(ReasonMissing, "run it in a full clone; git fetch --unshallow makes one of a shallow clone",
				"--rebuild: the bundle tells the history of its inputs, and this clone is shallow or partial")
		}
	}
	for _, f := range ownFormats(tree) {
		if f.Kind() != g.Kind {
			continue
		}
		b, err := m.make(m.judge(ctx, target{path: g.Evidence, format: f}, at.When), f.Title(), at.When)
		if ctx.Err() != nil {
			return nil, interrupted(ctx.Err())
		}
		switch {
		case errors.Is(err, repo.ErrMissingObject):
			return nil, usageError(ReasonMissing, "run it in a full clone, or check that commit out first", "--rebuild: %w", err)
		case err != nil:
			return nil, fmt.Errorf("%w: commit %s: %w", ErrNoBundle, at.Hash, err)
		}
		return b, nil
	}
	return nil, usageError(ReasonInvalidArgs, "use the release of replay-gate that made the bundle",
		"this release does not know evidence of the kind %q", verify.Shorten(g.Kind, 64))
}
