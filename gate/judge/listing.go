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

// verify gives a result for each item: the known one, or the engine's.
func (s Side) verify(ctx context.Context, en verify.Engine, items []verify.Item) []*verify.Result {
	results := make([]*verify.Result, len(items))
	if s.known != nil {
		results = s.known(ctx, items)
	}
	var asked []verify.Item
	var at []int
	for i, it := range items {
		if results[i] == nil {
			asked, at = append(asked, it), append(at, i)
		} else if en.Kept != nil {
			en.Kept(results[i])
		}
	}
	made := en.Verify(ctx, s.Tree, asked)
	for k := range made {
		results[at[k]] = &made[k]
	}
	return results
}
