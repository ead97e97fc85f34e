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
	return l
}

// Paths are where evidence lies, or what may turn out to be evidence, on whichever side;
// sorted.
func (l *Listing) Paths() []string {
	all := make(map[string]bool)
	for _, f := range append([]found{l.head}, l.bases...) {
		for path := range f.formats {
			all[path] = true
		}
		for path := range f.sifted {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Known gives results that were come to elsewhere, by the same code on the same trees: one
// for each item of a side, which is 0 for the head and i for the base i-1; nil for an item
// that has to be judged here. Relations are never known: they are judged with all results
// at hand.
type Known func(ctx context.Context, side int, items []verify.Item) []*verify.Result

// knowing is the question with what is known of each side.
func (q Question) knowing(known Known) Question {
	if known == nil {
		return q
	}
	of := func(side int) func(context.Context, []verify.Item) []*verify.Result {
		return func(ctx context.Context, items []verify.Item) []*verify.Result { return known(ctx, side, items) }
	}
	q.Head.known = of(0)
	q.Bases = slices.Clone(q.Bases)
	for i := range q.Bases {
		q.Bases[i].known = of(1 + i)
	}
	return q
}

// each gives a result for each item: the known one, or the engine's. Calls of got come from
// several goroutines.
func (s Side) each(ctx context.Context, en verify.Engine, items []verify.Item, got func(i int, r *verify.Result)) {
	if s.known == nil {
		en.Each(ctx, s.Tree, items, got)
		return
	}
	var asked []verify.Item
	var at []int
	for i, r := range s.known(ctx, items) {
		if r != nil {
			got(i, r)
		} else {
			asked, at = append(asked, items[i]), append(at, i)
		}
	}
	en.Each(ctx, s.Tree, asked, func(k int, r *verify.Result) { got(at[k], r) })
}
