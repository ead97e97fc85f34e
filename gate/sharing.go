package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/shard"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

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
		all := *r // of which the judgement lets go of some
		s.sides[side] = append(s.sides[side], &all)
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
	kept := func(path string) bool {
		_, left := slices.BinarySearch(p.Left, path)
		return s.plan.Owner(path) == s.share.Index && !left
	}
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
func (m *maker) keyOf(j *judge.Account, v verdict) string {
	k := struct {
		Path, OldPath, Base, Evidence string
		Then, Based                   bool
		Peers                         []string
		Checks                        []verify.Check
	}{Path: j.Path, OldPath: j.OldPath, Evidence: v.SHA256, Then: j.Tree != m.head, Based: v.based, Checks: v.Checks}
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
