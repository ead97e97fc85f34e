package gate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/shard"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// sharded is what a run on several machines has besides: what it judged of its share, or what
// the others found.
type sharded struct {
	made    sync.Map // of a shard: evidence -> key of the bundle that was made
	bundles map[string]partBundle
}

// Plan parts the evidence of a change among shards; 0 is as many as pay. An error is always
// an *[Error].
func Plan(ctx context.Context, o Options, shards int) (*shard.Plan, error) {
	x, ctx, end, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	p, err := x.plan(judge.List(x.question()), shards)
	if ctx.Err() != nil {
		return nil, reason.Interrupted(ctx.Err())
	}
	return p, err
}

// plan makes the plan of what is listed. It is one of commits alone: what else lies in a work
// tree, another machine has not.
func (x *run) plan(l *judge.Listing, shards int) (*shard.Plan, error) {
	c := x.change
	if dirty := slices.Sorted(maps.Keys(c.Dirty)); c.HeadCommit.Hash == "" || len(dirty) > 0 {
		return nil, reason.Usage(reason.InvalidArgs, "commit it, or run the gate on one machine, without shards",
			"shards need a commit that all of them have, and the work tree is none: %s", cmp.Or(strings.Join(dirty[:min(len(dirty), 3)], ", "), "it has no commit"))
	}
	of := shard.Subject{
		Tool: "replay-gate " + x.Version, Commit: c.HeadCommit.Hash, Now: c.Now.UTC(),
		Options: []string{
			"at=" + x.At, "config-from=" + x.ConfigFrom, fmt.Sprint("strict=", x.Strict), fmt.Sprint("strict-fixtures=", x.StrictFixtures),
			"sidecars=" + strings.Join(x.Sidecars, ","), "cassettes=" + strings.Join(x.Cassettes, ","),
			fmt.Sprint("golden-secret=", len(x.GoldenSecret) > 0),
		},
	}
	for _, b := range c.Bases {
		of.Bases = append(of.Bases, b.Commit.Hash)
	}
	var items []shard.Item
	for _, path := range l.Paths() {
		items = append(items, shard.Item{Path: path, Size: x.size(path)})
	}
	return shard.New(of, items, shards), nil
}

// size is that of a file of the head, or else of the base; 0 if it can't be had.
func (x *run) size(path string) int64 {
	for _, t := range append([]*verify.Tree{x.head}, x.bases...) {
		if info, err := fs.Stat(t.FS(), path); err == nil {
			return info.Size()
		}
	}
	return 0
}

// Shard judges one share of a plan, and leaves a part and the bundles that it could make
// beside each other in the folder for bundles: no report, no verdict. An error is always an
// *[Error].
func Shard(ctx context.Context, o Options, share shard.Share) (*shard.Part, error) {
	x, ctx, end, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	q := x.question()
	q.Brief = false // whoever has all parts knows what is asked for
	listed := judge.List(q)
	plan, err := x.plan(listed, share.Count)
	if err != nil {
		return nil, err
	}
	if err := x.samePlan(plan); err != nil {
		return nil, err
	}
	s := &sharing{run: x, plan: plan, share: share, sides: make([][]*verify.Result, 1+len(x.bases)), looked: make(map[*verify.Reads]bool)}
	x.judged = listed.Judge(ctx, s.results)
	x.shown = scope(x.judged, x.Scope)
	report := &summary.Report{}
	for i, e := range x.judged.Evidence {
		x.shown[i] = x.shown[i] && plan.Owner(e.Path) == share.Index
		report.Evidence = append(report.Evidence, summary.Entry{Path: e.Path})
	}
	if err := x.readSecrets(ctx); err != nil {
		return nil, err
	}
	unlock, err := x.lock(ctx)
	defer unlock()
	if err != nil {
		return nil, err
	}
	names, err := x.bundles(ctx, report)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, reason.Interrupted(err)
	}
	part := s.part(report)
	var data bytes.Buffer
	if err := part.Write(&data); err != nil {
		return nil, reason.Infra(fmt.Errorf("writing the part: %w", err))
	}
	if data.Len() > shard.MaxPart {
		return nil, reason.Usage(reason.Limit, "make a plan of more shards", "the part is larger than %d MiB, and nobody would read it", shard.MaxPart>>20)
	}
	t := x.target(names, nil)
	return part, t.Leave(map[string]publish.Content{publish.PartFile: publish.Of(data.Bytes())})
}

// samePlan reports whether this machine came to the plan that was asked for.
func (x *run) samePlan(p *shard.Plan) error {
	if x.Options.Plan == "" || x.Options.Plan == p.Digest {
		return nil
	}
	return &Error{Exit: ExitInfra, Reason: reason.Parts, NextStep: "check out the same commit in each job, and give each the same inputs and the same release of replay-gate",
		Err: fmt.Errorf("this machine comes to the plan %s, and the plan is %s", p.Digest, verify.Shorten(x.Options.Plan, 80))}
}
