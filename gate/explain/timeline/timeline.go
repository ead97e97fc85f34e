// Package timeline tells how the inputs of evidence changed over time, and which
// evidence pins which of their versions.
//
//	b := timeline.New(repository, repository.Histories(head, repo.HistoryOptions{}), timeline.Options{})
//	t, err := b.Build(ctx, results)
//	for _, lane := range t.Lanes {
//		fmt.Println(lane.Input, len(lane.Versions), "versions,", lane.Drifts(), "drifts")
//	}
//
// The results are verdicts on evidence at the head. What it pins is looked for in the
// history of each input, renames followed, by the hash of the bytes and of the parsed
// value.
//
// # What it promises
//
// Commits, versions, inputs and time are bounded, and a bound that was reached is
// said. Each history is walked once and each blob hashed once, for all timelines of
// one builder. The same history gives the same timeline, unless time ran out.
package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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
	// Input leaves out every other input; empty means all.
	Input string
	// Recall gives what tells whether a version of an input is the one that evidence pins,
	// by a hash of its own kind: nil where the bytes or the parsed value were hashed.
	Recall func(evidence *verify.Result, in verify.Input) (holds func(content []byte) bool)
	// Uncommitted says that the verdicts are on a work tree: what it holds need not be
	// what the head has.
	Uncommitted bool
	// NoGaps makes an object that the clone lacks an error and not a note.
	NoGaps bool
	// MaxTime bounds all walks of one timeline together; 0 means DefaultMaxTime, and
	// a negative one no bound but the context.
	MaxTime time.Duration
}

// ErrNotPinned says that no evidence at the head pins Options.Input.
var ErrNotPinned = errors.New("no evidence pins this input")

// Builder makes timelines of one commit. Several goroutines may use it; they are
// served one after the other.
type Builder struct {
	repo      *repo.Repository
	histories *repo.Histories
	o         Options

	mu     sync.Mutex
	sums   map[string]sums // by blob id
	places map[string]int  // of commits; nil before they were asked for
}

// New returns a Builder for the commit of r at which the histories start.
func New(r *repo.Repository, histories *repo.Histories, o Options) *Builder {
	if o.MaxTime == 0 {
		o.MaxTime = DefaultMaxTime
	}
	return &Builder{repo: r, histories: histories, o: o, sums: map[string]sums{}}
}

// Build makes the timeline of the inputs that results pin. Those are verdicts on
// evidence at the head. The error is [ErrNotPinned], that of ctx, or one of the
// repository, [repo.ErrMissingObject] only with NoGaps.
func (b *Builder) Build(ctx context.Context, results []verify.Result) (*verify.Timeline, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &verify.Timeline{Head: b.histories.From().Hash, Commits: []verify.TimelineCommit{}, Lanes: lanesOf(results, b.o.Input)}
	if len(t.Lanes) == 0 && b.o.Input != "" {
		return nil, fmt.Errorf("%s: %w", b.o.Input, ErrNotPinned)
	}
	if n := len(t.Lanes) - maxLanes; n > 0 {
		t.Lanes = t.Lanes[:maxLanes]
		t.Notes = append(t.Notes, fmt.Sprintf("%d more inputs are not shown; name one to see it", n))
	}
	if err := b.fill(ctx, t, b.recalls(results)); err != nil {
		return nil, err
	}
	// What git never held and nobody misses, such as data that lies elsewhere, has no history.
	t.Lanes = slices.DeleteFunc(t.Lanes, func(l verify.Lane) bool {
		return l.Missing && len(l.Versions) == 0 && l.Note == "" && l.Drifts() == 0 && b.o.Input == ""
	})
	return t, nil
}

// pinKey is a hash of an input that evidence pins.
type pinKey struct{ evidence, input, hash string }

// recalls are the ways to tell the versions that hashes of other kinds are of.
func (b *Builder) recalls(results []verify.Result) map[pinKey]func([]byte) bool {
	all := make(map[pinKey]func([]byte) bool)
	for i := range results {
		for _, in := range results[i].Inputs {
			if b.o.Recall == nil || in.Path == "" || in.Hash == "" {
				continue
			}
			if holds := b.o.Recall(&results[i], in); holds != nil {
				all[pinKey{results[i].Path, in.Path, in.Hash}] = holds
			}
		}
	}
	return all
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
		// The row may be about the file in which a producer's word of the input stands.
		if c.Recorded == in.Hash && (c.Input == in.Path || in.Field != "" && c.Field == in.Field) {
			return c.Status == verify.Fail
		}
	}
	return true
}
