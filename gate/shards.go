package gate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/bundle"
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

// start opens a run that is not brought to a report. The caller ends it.
func (o Options) start(ctx context.Context) (*run, context.Context, func(), error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	r, err := open(o.Root)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	end := func() { r.Close(); cancel() }
	x, err := o.begin(ctx, r)
	if err != nil {
		end()
		return nil, nil, nil, err
	}
	return x, ctx, end, nil
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
		report.Evidence = append(report.Evidence, summary.Evidence{Path: e.Path})
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
	t := x.target(names, nil)
	return part, t.Leave(map[string][]byte{publish.PartFile: data.Bytes()})
}

// samePlan reports whether this machine came to the plan that was asked for.
func (x *run) samePlan(p *shard.Plan) error {
	if x.Options.Plan == "" || x.Options.Plan == p.Digest {
		return nil
	}
	return &Error{Exit: ExitInfra, Reason: reason.Parts, NextStep: "check out the same commit in each job, and give each the same inputs and the same release of replay-gate",
		Err: fmt.Errorf("this machine comes to the plan %s, and the plan is %s", p.Digest, verify.Shorten(x.Options.Plan, 80))}
}

// sharing is the judging of one share.
type sharing struct {
	*run
	plan   *shard.Plan
	share  shard.Share
	sides  [][]*verify.Result // what was judged of the share
	left   []string
	looked map[*verify.Reads]bool
}

// results judges what is of the share, and keeps it. Of the rest it reads off what it claims:
// claims part what describes the present from records of the past all over the evidence, and
// a bundle says which of both its evidence is.
func (s *sharing) results(ctx context.Context, side int, items []verify.Item) []*verify.Result {
	tree := append([]*verify.Tree{s.head}, s.bases...)[side]
	var own, others []verify.Item
	for _, it := range items {
		switch s.plan.Owner(it.Path) {
		case 0: // only found to be evidence now, and judged by whoever has all parts
		case s.share.Index:
			own = append(own, it)
		default:
			others = append(others, it)
		}
	}
	found := make(map[string]*verify.Result)
	en := verify.Engine{Now: s.change.Now, Strict: s.Strict, Progress: func(done int) { s.Progress("checking the shard's share", done, len(own)) }}
	for _, r := range en.Verify(ctx, tree, own) {
		found[r.Path] = &r
		s.keep(side, &r)
	}
	for _, r := range s.skim(ctx, tree, others) {
		found[r.Path] = r
	}
	all := make([]*verify.Result, len(items))
	for i, it := range items {
		all[i] = found[it.Path]
	}
	return all
}

// skim reads off evidence of other shards what it claims, without its inputs.
func (s *sharing) skim(ctx context.Context, tree *verify.Tree, items []verify.Item) []*verify.Result {
	en := verify.Engine{Now: s.change.Now, NoHints: true}
	all := make([]*verify.Result, len(items))
	for i, r := range en.Verify(ctx, tree.Sibling(evidenceOnly{tree, s.plan}), items) {
		rows := verify.Rows{Path: r.Path}
		rows.Info("evidence", verify.Spot{}, "of-another-shard", "is judged by another shard")
		all[i] = &verify.Result{Path: r.Path, Kind: r.Kind, Claims: r.Claims, Checks: rows.Checks}
	}
	return all
}

// evidenceOnly is a tree of which the evidence can be read, and everything else only be
// found.
type evidenceOnly struct {
	tree *verify.Tree
	plan *shard.Plan
}

func (t evidenceOnly) Open(name string) (fs.File, error) {
	if t.plan.Owner(name) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return t.tree.FS().Open(name)
}

func (t evidenceOnly) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.tree.FS(), name) }
func (t evidenceOnly) Files() []string                       { return t.tree.Aside().Files() }

// keep puts a result into the part, unless it may be another one where the parts are put
// together, or the file is no evidence: it has none of the marks.
func (s *sharing) keep(side int, r *verify.Result) {
	if r.Kind != "" && s.portable(r, s.looked) {
		s.sides[side] = append(s.sides[side], r)
	} else {
		s.left = append(s.left, r.Path)
	}
}

// portable reports whether a result is one of what the commit holds, and can be written down:
// not of files that only this machine's disk has, and not with text in no known encoding.
func (x *run) portable(r *verify.Result, looked map[*verify.Reads]bool) bool {
	if r.Reads.Any(looked, func(read verify.Read) bool {
		return !utf8.ValidString(read.Name) || read.Op == verify.OpFile && x.change.Head.Unlisted(read.Name) != ""
	}) {
		return false
	}
	text := true
	eachString(reflect.ValueOf(r), func(s string) string { text = text && utf8.ValidString(s); return s })
	return text
}

// part is what the shard found, with the bundles that were made.
func (s *sharing) part(report *summary.Report) *shard.Part {
	p := &shard.Part{
		Tool: "replay-gate " + s.Version, Plan: s.plan.Digest, Commit: s.change.HeadCommit.Hash, Share: s.share,
		Sides: s.sides, Left: slices.Compact(slices.Sorted(slices.Values(s.left))),
	}
	kept := func(path string) bool { return s.plan.Owner(path) == s.share.Index && !slices.Contains(p.Left, path) }
	for i := range report.Evidence {
		b, j := report.Evidence[i].Bundle, &s.judged.Evidence[i]
		key, ok := s.shards.made.Load(j.Path)
		// What a bundle holds of the base depends on the base's result, too.
		if !ok || b == nil || b.Path == "" || !kept(j.Path) || len(j.Bases) > 0 && j.Bases[0] != nil && !kept(j.Bases[0].Path) {
			continue
		}
		p.Bundles = append(p.Bundles, shard.Bundle{
			Evidence: j.Path, Key: key.(string), File: path.Base(b.Path), SHA256: b.SHA256, Size: b.Size, Base: b.Base != "",
		})
	}
	return p
}

// keyOf stands for what the bundle of judged evidence depends on besides the plan and the
// results of the evidence itself: what other evidence makes of it.
func (m *maker) keyOf(j *judge.Evidence, v verdict) string {
	k := struct {
		Path, OldPath, Base, Evidence string
		Then, Related                 bool
		Peers                         []string
		Checks                        []verify.Check
	}{Path: j.Path, OldPath: j.OldPath, Evidence: v.SHA256, Then: j.Tree != m.head, Related: v.related, Checks: v.Checks}
	if len(j.Bases) > 0 && j.Bases[0] != nil {
		k.Base = j.Bases[0].Path
	}
	if restsOnPeers(j) {
		k.Peers = j.Peers
	}
	data, err := json.Marshal(k)
	if err != nil {
		panic(fmt.Sprint("gate: ", err)) // of texts and numbers alone
	}
	return bundle.Digest(data)
}
