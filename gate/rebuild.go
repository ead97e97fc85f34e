package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// ErrNoBundle: a commit gives no bundle of the evidence that was asked for.
var ErrNoBundle = errors.New("there is no such bundle")

// Rebuild makes the bundle of what g names from a commit, as the gate would, with
// the cassettes at those paths, and writes nothing. The error is [ErrNoBundle] where
// the commit gives none, and else an *[Error].
func Rebuild(ctx context.Context, root, rev string, g bundle.ReplayGate, cassettes []string) (*bundle.Bundle, error) {
	if !slices.ContainsFunc(Formats(), func(f verify.Format) bool { return f.Kind() == g.Kind }) {
		return nil, reason.Usage(reason.InvalidArgs, "use the release of replay-gate that made the bundle",
			"this release does not know evidence of the kind %q", verify.Shorten(g.Kind, 64))
	}
	x, err := reopen(ctx, root, rev, g)
	if err != nil {
		return nil, err
	}
	defer x.repo.Close()
	x.judged = judge.Judge(ctx, x.question())
	if ctx.Err() != nil {
		return nil, reason.Interrupted(ctx.Err())
	}
	i := slices.IndexFunc(x.judged.Evidence, func(e judge.Account) bool {
		return e.Path == g.Evidence && e.Format.Kind() == g.Kind && !e.Removed
	})
	if i < 0 {
		return nil, fmt.Errorf("%w: commit %s: it has no such evidence", ErrNoBundle, x.change.HeadCommit.Hash)
	}
	j := &x.judged.Evidence[i]
	if lost := j.Head.Lost; lost != "" {
		return nil, reason.Usage(reason.Missing, "run it in a full clone, or check that commit out first", "--rebuild: %s", lost)
	}
	x.shown = make([]bool, len(x.judged.Evidence))
	x.shown[i] = true
	if err := x.readSecrets(ctx); err != nil {
		return nil, err
	}
	m, err := x.maker(ctx)
	if err != nil {
		return nil, reason.Infra(err)
	}
	m.cassettes = cassettes
	b, err := m.make(j)
	if err != nil {
		return nil, fmt.Errorf("%w: commit %s: %w", ErrNoBundle, x.change.HeadCommit.Hash, err)
	}
	return b, nil
}

// reopen opens a commit as the gate did that made a bundle of it.
func reopen(ctx context.Context, root, rev string, g bundle.ReplayGate) (*run, error) {
	o := Options{
		Root: root, Head: rev, Strict: g.Strict, Evidence: []string{g.Evidence}, Whole: true,
		StrictFixtures: slices.Contains(g.Options, strictFixtures), At: string(judge.AtTree),
		Clock: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), // a commit is judged at its own time
	}
	if g.Base != nil {
		o.Base = g.Base.Commit
	}
	if len(g.Peers) > 0 {
		o.At = string(judge.AtCurrent)
	}
	if g.At != "" {
		o.At = string(judge.AtRecorded)
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := repo.Open(o.Root)
	if errors.Is(err, repo.ErrNotRepository) {
		return nil, reason.Usage(reason.NoRepo, "run it inside the repository that the bundle is from, or name one with --root", "%w", err)
	} else if err != nil {
		return nil, reason.Infra(err)
	}
	at, err := r.Resolve(rev)
	if errors.Is(err, repo.ErrNoRevision) {
		r.Close()
		return nil, reason.Usage(reason.NoRevision, "fetch it (git fetch origin), or name another revision", "--rebuild: %w", err)
	}
	x, err := o.begin(ctx, r)
	var wrong *Error
	switch {
	case errors.As(err, &wrong) && wrong.Reason == reason.InvalidArgs:
		r.Close()
		return nil, fmt.Errorf("%w: commit %s: %w", ErrNoBundle, at.Hash, err)
	case err != nil:
		r.Close()
		return nil, err
	}
	if g.Settings == settingsNone {
		x.change.Settings = change.Settings{Settings: config.Settings{Formats: o.formats()}}
	}
	return x, nil
}
