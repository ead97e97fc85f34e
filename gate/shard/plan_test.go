package shard

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

func someItems(n int) []Item {
	r := rand.New(rand.NewPCG(1, 2))
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{fmt.Sprintf("evals/%04d.replay.json", i), r.Int64N(1 << 20)}
	}
	return items
}

// Issue 17: the partition is deterministic, and by weight.
func TestPlan(t *testing.T) {
	t.Parallel()
	of := Subject{Tool: "t", Commit: "c", Bases: []string{"b"}, Now: time.Unix(7, 0).UTC(), Options: []string{"at=current"}}
	items := someItems(1000)
	for n := 1; n <= 9; n++ {
		p := New(of, items, n)
		loads := make([]int64, n)
		for _, it := range items {
			owner := p.Owner(it.Path)
			if owner < 1 || owner > n {
				t.Fatalf("%s is of shard %d of %d", it.Path, owner, n)
			}
			loads[owner-1] += it.weight()
		}
		if gap := slices.Max(loads) - slices.Min(loads); gap > fixed+1<<20 {
			t.Errorf("%d shards: the heaviest is %d bytes heavier than the lightest", n, gap)
		}
		other := slices.Clone(items)
		rand.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		if q := New(of, other, n); q.Digest != p.Digest {
			t.Errorf("%d shards: the order of the evidence makes another plan", n)
		}
	}
	if New(of, items, 2).Owner("evals/unknown.replay.json") != 0 {
		t.Error("evidence that no plan knew has an owner")
	}
	seen := map[string]string{New(of, items, 2).Digest: "the plan"}
	for name, digest := range map[string]string{
		"shards":  New(of, items, 3).Digest,
		"a piece": New(of, items[1:], 2).Digest,
		"a size":  New(of, append([]Item{{items[0].Path, 1}}, items[1:]...), 2).Digest,
		"tool":    New(Subject{"u", of.Commit, of.Bases, of.Now, of.Options}, items, 2).Digest,
		"commit":  New(Subject{of.Tool, "d", of.Bases, of.Now, of.Options}, items, 2).Digest,
		"bases":   New(Subject{of.Tool, of.Commit, nil, of.Now, of.Options}, items, 2).Digest,
		"time":    New(Subject{of.Tool, of.Commit, of.Bases, time.Unix(8, 0).UTC(), of.Options}, items, 2).Digest,
		"options": New(Subject{of.Tool, of.Commit, of.Bases, of.Now, []string{"at=tree"}}, items, 2).Digest,
	} {
		if same := seen[digest]; same != "" {
			t.Errorf("another %s: the digest is that of %s", name, same)
		}
		seen[digest] = name
	}
}

// Issue 17: below the size from which it pays, the plan is one shard.
func TestAuto(t *testing.T) {
	t.Parallel()
	sidecars := func(n int) []Item {
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{fmt.Sprint(i), 2 << 10}
		}
		return items
	}
	for _, test := range []struct{ pieces, shards int }{
		{0, 1}, {1, 1}, {59_999, 1}, {60_000, 4}, {95_000, 6}, {500_000, 8},
	} {
		if p := New(Subject{}, sidecars(test.pieces), 0); p.Shards != test.shards {
			t.Errorf("%d sidecars: %d shards, want %d", test.pieces, p.Shards, test.shards)
		}
	}
	large := make([]Item, 150)
	for i := range large {
		large[i] = Item{fmt.Sprint(i), 16 << 20}
	}
	if p := New(Subject{}, large, 0); p.Shards != 4 || p.Owner("0") == p.Owner("1") {
		t.Errorf("150 large pieces: %d shards", p.Shards)
	}
	if got, want := New(Subject{}, nil, 2).Matrix(), `{"include":[{"shard":"1/2","part":"1-of-2"},{"shard":"2/2","part":"2-of-2"}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Issue 17: all n parts of the same plan and commit, or what is missing, double or foreign is
// named.
func TestComplete(t *testing.T) {
	t.Parallel()
	plan := New(Subject{Tool: "t", Commit: "c"}, []Item{{"a", 1}, {"b", 1}, {"d", 1}}, 3)
	part := func(name string, edit func(*Part)) Found {
		p := &Part{Tool: "t", Commit: "c", Plan: plan.Digest, Share: Share{plan.Owner(name), 3}, Sides: [][]*verify.Result{{{Path: name}}, {}}}
		if edit != nil {
			edit(p)
		}
		return Found{"part of " + name, p}
	}
	a, b, d := part("a", nil), part("b", nil), part("d", nil)
	for _, test := range []struct {
		name  string
		parts []Found
		want  []string
	}{
		{"all", []Found{d, a, b}, nil},
		{"left counts", []Found{part("a", func(p *Part) { p.Sides[0], p.Left = nil, []string{"a"} }), b, d}, nil},
		{"on the base alone", []Found{part("a", func(p *Part) { p.Sides[0], p.Sides[1] = nil, p.Sides[0] }), b, d}, nil},
		{"none", nil, []string{"shard 1/3 is missing; shard 2/3 is missing; shard 3/3 is missing"}},
		{"one missing", []Found{a, d}, []string{"shard 2/3 is missing"}},
		{"one twice", []Found{a, b, d, {"again", b.Part}}, []string{"shard 2/3 is there 2 times: again, part of b"}},
		{"another commit", []Found{a, b, part("d", func(p *Part) { p.Commit = "other" })}, []string{"part of d is foreign: it is of commit other, and this is c", "shard 3/3 is missing"}},
		{"another plan", []Found{a, b, part("d", func(p *Part) { p.Plan = "p" })}, []string{"it is of the plan p"}},
		{"another tool", []Found{a, b, part("d", func(p *Part) { p.Tool = "u" })}, []string{"it was made by u, and this is t"}},
		{"of other shards", []Found{a, b, part("d", func(p *Part) { p.Share.Count = 4 })}, []string{"it is shard 3/4, and the plan has 3"}},
		{"nothing about a piece", []Found{a, b, part("d", func(p *Part) { p.Sides[0] = nil })}, []string{"it says nothing about d"}},
		{"a bundle is no result", []Found{a, b, part("d", func(p *Part) { p.Sides[0], p.Bundles = nil, []Bundle{{Evidence: "d"}} })}, []string{"it says nothing about d"}},
		{"a piece of another", []Found{a, b, part("d", func(p *Part) { p.Sides[0] = append(p.Sides[0], &verify.Result{Path: "a"}) })}, []string{"a is not of its share"}},
		{"a bundle of another", []Found{a, b, part("d", func(p *Part) { p.Bundles = []Bundle{{Evidence: "a"}} })}, []string{"a is not of its share"}},
		{"a piece of nobody", []Found{a, b, part("d", func(p *Part) { p.Left = []string{"x"} })}, []string{"x is not of its share"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := plan.Complete(test.parts)
			if errors.Is(err, ErrIncomplete) != (test.want != nil) {
				t.Fatalf("got %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not say %q", err, want)
				}
			}
		})
	}
}
