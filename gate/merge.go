package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/shard"
	"github.com/replay-gate/replay-gate/verify"
)

// gather reads the parts that others made of the same plan, and gives what they know; nil
// where everything is judged here. A part brings results and bundles, and no verdict: that is
// come to as ever, from all of them.
func (x *run) gather(ctx context.Context, l *judge.Listing) (judge.Known, error) {
	if !x.Merge {
		return nil, nil
	}
	parts, err := x.readParts(ctx)
	if err != nil {
		return nil, err
	}
	n := x.Shards
	if n == 0 && len(parts) > 0 {
		n = parts[0].Share.Count
	}
	if n == 0 {
		return nil, incompleteParts(fmt.Errorf("there is no part in %s", x.Parts))
	}
	plan, err := x.plan(l, n)
	if err != nil {
		return nil, err
	}
	if err := x.samePlan(plan); err != nil {
		return nil, err
	}
	if err := plan.Complete(parts); err != nil {
		return nil, incompleteParts(err)
	}
	return x.known(parts), nil
}

func incompleteParts(err error) error {
	return &Error{Exit: ExitInfra, Reason: reason.Parts, Err: err,
		NextStep: "run the jobs again that failed or did not run, with the same release of replay-gate in each; download each shard's artifact into a folder of its own"}
}

// readParts reads all parts that lie in the folder.
func (x *run) readParts(ctx context.Context) ([]shard.Found, error) {
	top, err := os.OpenRoot(x.repo.Root())
	if err != nil {
		return nil, reason.Infra(err)
	}
	defer top.Close()
	root, err := top.OpenRoot(filepath.FromSlash(x.Parts))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, incompleteParts(fmt.Errorf("there is no folder %s with parts", x.Parts))
	} else if err != nil {
		return nil, reason.Infra(err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, reason.Infra(err)
	}
	var parts []shard.Found
	x.shards.bundles = make(map[string]partBundle)
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		name := path.Join(e.Name(), shard.FileName)
		p, err := readPart(root, name)
		if ctx.Err() != nil {
			return nil, reason.Interrupted(ctx.Err())
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // that a part is missing is known by the others
		} else if err != nil {
			return nil, incompleteParts(fmt.Errorf("%s %w", name, err))
		}
		parts = append(parts, shard.Found{Name: e.Name(), Part: p})
		for _, b := range p.Bundles {
			x.shards.bundles[b.Evidence] = partBundle{b, path.Join(x.Parts, e.Name())}
		}
	}
	return parts, nil
}

func readPart(root *os.Root, name string) (*shard.Part, error) {
	f, err := openPlain(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return shard.Read(f)
}

// openPlain opens a plain file: a pipe would never end.
func openPlain(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("can't be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a plain file")
	}
	return root.Open(filepath.FromSlash(name))
}

// known gives the results of parts. What rests on a file that only this machine's disk has is
// judged here.
func (x *run) known(parts []shard.Found) judge.Known {
	sides := make([]map[string]*verify.Result, 1+len(x.bases))
	for i := range sides {
		sides[i] = make(map[string]*verify.Result)
	}
	looked := make(map[*verify.Reads]bool)
	for _, p := range parts {
		for i, side := range p.Sides[:min(len(p.Sides), len(sides))] {
			for _, r := range side {
				if x.portable(r, looked) {
					sides[i][r.Path] = r
				} else {
					delete(x.shards.bundles, r.Path)
				}
			}
		}
	}
	return func(_ context.Context, side int, items []verify.Item) []*verify.Result {
		results := make([]*verify.Result, len(items))
		for i, it := range items {
			if r := sides[side][it.Path]; r != nil && it.May(r.Kind) {
				results[i] = r
			}
		}
		return results
	}
}

// partBundle is a bundle beside a part, in a folder below the root.
type partBundle struct {
	shard.Bundle
	folder string
}

// take gives the bundle that a shard made of judged evidence, and the commit of the base that
// it carries; false if none made the very same, which is then made here. A shard's bundle is
// believed as its results are; nothing of it is unpacked here, and who replays it believes
// nothing.
func (x *run) take(j *judge.Account, key string) ([]byte, string, bool) {
	b, ok := x.shards.bundles[j.Path]
	if !ok || b.Key != key || b.Size > bundle.DefaultLimits().Source || b.Base && len(x.change.Bases) == 0 {
		return nil, "", false
	}
	root, err := os.OpenRoot(x.repo.Root())
	if err != nil {
		return nil, "", false
	}
	defer root.Close()
	f, err := openPlain(root, path.Join(b.folder, b.File))
	if err != nil {
		return nil, "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, b.Size+1))
	if err != nil || bundle.Digest(data) != b.SHA256 {
		return nil, "", false
	}
	if b.Base {
		return data, x.change.Bases[0].Commit.Hash, true
	}
	return data, "", true
}
