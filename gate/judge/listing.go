package judge

import (
	"context"
	"maps"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// Listing is what evidence there is on each side, before any of it is judged. What only
// turns out to be evidence because other evidence refers to it is not yet in it.
type Listing struct {
	question Question
	head     found
	bases    []found
}

// List finds the evidence of all sides.
func List(q Question) *Listing {
	if q.Progress == nil {
		q.Progress = func(string, int, int) {}
	}
	trees := []*verify.Tree{q.Head.Tree}
	for _, b := range q.Bases {
		trees = append(trees, b.Tree)
	}
	q.Kinds = Place(q.Kinds, trees...)
	l := &Listing{question: q, head: q.find(q.Head), bases: make([]found, len(q.Bases))}
	for i, b := range q.Bases {
		l.bases[i] = q.find(b.Side)
	}
	for i := range l.bases {
		l.head.adopt(l.bases[i])
	}
	return l
}

// Paths are where the evidence lies, on whichever side, sorted.
func (l *Listing) Paths() []string {
	all := maps.Clone(l.head.formats)
	for _, f := range l.bases {
		maps.Copy(all, f.formats)
	}
	return slices.Sorted(maps.Keys(all))
}

// Known gives results that were come to elsewhere, by the same code on the same trees: one
// for each item of a side, which is 0 for the head and i for the base i-1; nil for an item
// that has to be judged here. Relations are never known: they are judged with all results
// at hand.
type Known func(ctx context.Context, side int, items []verify.Item) []*verify.Result

// ofSide is what is known of one side; nil for nothing.
type ofSide func(items []verify.Item) []*verify.Result

func (k Known) of(ctx context.Context, side int) ofSide {
	if k == nil {
		return nil
	}
	return func(items []verify.Item) []*verify.Result { return k(ctx, side, items) }
}

// verify gives a result for each item: the known one, or the engine's.
func (known ofSide) verify(ctx context.Context, en verify.Engine, tree *verify.Tree, items []verify.Item) []*verify.Result {
	results := make([]*verify.Result, len(items))
	if known != nil {
		results = known(items)
	}
	var asked []verify.Item
	var at []int
	for i, it := range items {
		if results[i] == nil {
			asked, at = append(asked, it), append(at, i)
		}
	}
	for k, r := range en.Verify(ctx, tree, asked) {
		results[at[k]] = &r
	}
	return results
}
