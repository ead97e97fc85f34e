// Package timeline tells how the inputs of evidence changed over time, and which
// evidence pins which of their versions.
//
//	t, err := timeline.Build(ctx, repository, timeline.Options{Discover: gate.Discover})
//	for _, lane := range t.Lanes {
//		fmt.Println(lane.Input, len(lane.Versions), "versions,", lane.Drifts(), "drifts")
//	}
//
// What counts is the commit that is checked out, not the work tree. The evidence in it
// is judged as the gate judges it; what it pins is then looked for in the history of
// each input, renames followed, by the hash of the bytes and of the parsed value.
//
// # What it promises
//
// Commits, versions, inputs and time are bounded ([Options]), and a bound that was
// reached is said. Each blob is hashed once, whatever path or commit holds it. The same
// repository gives the same timeline, unless time ran out.
package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// DefaultMaxTime is how long the walks through history may take together.
const DefaultMaxTime = 30 * time.Second

const (
	maxLanes    = 1000   // inputs
	maxVersions = 20_000 // of all inputs together
)

// Options say what to show. The zero value of a bound means the default.
type Options struct {
	// Discover lists the evidence of a tree.
	Discover func(*verify.Tree) ([]verify.Item, error)
	// Input leaves out every other input; empty means all.
	Input string
	// MaxCommits bounds the commits visited for one input; 0 means
	// [repo.DefaultMaxCommits].
	MaxCommits int
	// MaxTime bounds all walks together; 0 means DefaultMaxTime.
	MaxTime time.Duration
}

// ErrNotPinned says that no evidence at the head pins Options.Input.
var ErrNotPinned = errors.New("no evidence pins this input")

// Build makes the timeline of the commit that is checked out. The error is
// [ErrNotPinned], [repo.ErrNoCommits], that of ctx or of Discover, or one of the
// repository.
func Build(ctx context.Context, r *repo.Repository, o Options) (*verify.Timeline, error) {
	head, err := r.Head()
	if err != nil {
		return nil, err
	}
	tree, err := r.CommitTree(head)
	if err != nil {
		return nil, err
	}
	checked := verify.NewTree(tree)
	items, err := o.Discover(checked)
	if err != nil {
		return nil, err
	}
	results := verify.Engine{Now: head.When, NoHints: true}.Verify(ctx, checked, items)
	t := &verify.Timeline{Head: head.Hash, Commits: []verify.TimelineCommit{}, Lanes: lanesOf(results, o.Input)}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(t.Lanes) == 0 && o.Input != "" {
		return nil, fmt.Errorf("%s: %w", o.Input, ErrNotPinned)
	}
	if n := len(t.Lanes) - maxLanes; n > 0 {
		t.Lanes = t.Lanes[:maxLanes]
		t.Notes = append(t.Notes, fmt.Sprintf("%d more inputs are not shown; name one to see it", n))
	}
	w := &walker{repo: r, head: head, o: o, sums: map[string]sums{}, left: maxVersions}
	if err := w.walkAll(ctx, t); err != nil {
		return nil, err
	}
	return t, nil
}

// lanesOf returns the inputs that judged evidence pins, with their pins and without
// their versions. If only is not empty it is the one input that is wanted.
func lanesOf(results []verify.Result, only string) []verify.Lane {
	lanes := make(map[string]*verify.Lane)
	for i := range results {
		res := &results[i]
		for _, in := range res.Inputs {
			if in.Path == "" || in.Hash == "" || (only != "" && in.Path != only) {
				continue
			}
			lane := lanes[in.Path]
			if lane == nil {
				lane = &verify.Lane{Input: in.Path, Versions: []verify.LaneVersion{}}
				lanes[in.Path] = lane
			}
			lane.Missing = lane.Missing || in.Missing
			lane.Pins = append(lane.Pins, verify.Pin{
				Evidence: res.Path, Role: in.Role, Hash: in.Hash, Version: -1, Drift: drifted(res, in),
			})
		}
	}
	sorted := make([]verify.Lane, 0, len(lanes))
	for _, l := range lanes {
		slices.SortFunc(l.Pins, func(a, b verify.Pin) int {
			return cmp.Or(cmp.Compare(a.Evidence, b.Evidence), cmp.Compare(a.Role, b.Role), cmp.Compare(a.Hash, b.Hash))
		})
		sorted = append(sorted, *l)
	}
	slices.SortFunc(sorted, func(a, b verify.Lane) int { return cmp.Compare(a.Input, b.Input) })
	return sorted
}

// drifted takes over the verdict on the hash of an input. Where there is none, the
// input could not be judged.
func drifted(r *verify.Result, in verify.Input) bool {
	for _, c := range r.Checks {
		if c.Input == in.Path && c.Recorded == in.Hash {
			return c.Status == verify.Fail
		}
	}
	return true
}
