package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

type options struct {
	patterns []string
	sample   int
	seed     uint64
	workers  int
	outer    bool
	reach    time.Duration
	state    string
	argued   string
	out      io.Writer
}

// outerSuites are the tests through which whole runs go.
var outerSuites = []string{"./bundle", "./gate", "./internal/cli"}

// run tries the mutants, and reports whether enough of them were noticed.
func (o *options) run(ctx context.Context) (bool, error) {
	began := time.Now()
	scratch, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return false, err
	}
	module := filepath.Join(scratch, "module")
	points, err := copyModule(ctx, module, o.patterns)
	if err != nil {
		return false, err
	}
	chosen := o.choose(points)
	fmt.Fprintf(o.out, "%d mutants, %d of them tried\n", len(points), len(chosen))

	alive := make(map[int]*point)
	for i := range chosen {
		alive[chosen[i].id] = &chosen[i]
	}
	known, err := resume(o.state)
	if err != nil {
		return false, err
	}
	maps.DeleteFunc(alive, func(_ int, m *point) bool { return known.noticed(m) })
	fmt.Fprintf(o.out, "%d were noticed before\n", len(chosen)-len(alive))
	suites, err := o.suites(ctx, module)
	if err != nil {
		return false, err
	}
	done := make(map[string]bool) // packages
	for _, p := range suites {
		if err = o.suite(ctx, scratch, p, known, alive); err != nil {
			break
		}
		done[p.ImportPath] = true
	}
	if err != nil && ctx.Err() == nil {
		return false, err
	}
	if ctx.Err() != nil { // what was tried until here is told
		maps.DeleteFunc(alive, func(_ int, p *point) bool { return !done[p.pkg] })
		chosen = slices.DeleteFunc(chosen, func(p point) bool { return !done[p.pkg] })
		fmt.Fprintf(o.out, "interrupted: what follows is of %d packages\n", len(done))
	}
	return o.report(points, chosen, alive, time.Since(began))
}

// suites are the packages whose tests are run, each behind what it imports.
func (o *options) suites(ctx context.Context, module string) ([]listed, error) {
	patterns := o.patterns
	if o.outer {
		patterns = slices.Concat(patterns, outerSuites)
	}
	named, err := list(ctx, module, patterns...)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, module, append([]string{"-deps"}, patterns...)...)
	return slices.DeleteFunc(all, func(p listed) bool {
		return !slices.ContainsFunc(named, func(n listed) bool { return n.ImportPath == p.ImportPath })
	}), err
}

// choose takes a sample, the same for the same seed wherever lines stand.
func (o *options) choose(points []point) []point {
	if o.sample == 0 || o.sample >= len(points) {
		return points
	}
	rank := make(map[int]uint64)
	for i := range points {
		h := fnv.New64a()
		h.Write(binary.BigEndian.AppendUint64([]byte(points[i].key()), o.seed))
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(points[i].nth)))
		rank[points[i].id] = h.Sum64()
	}
	chosen := slices.Clone(points)
	slices.SortFunc(chosen, func(a, b point) int { return cmp.Compare(rank[a.id], rank[b.id]) })
	chosen = chosen[:o.sample]
	slices.SortFunc(chosen, func(a, b point) int { return cmp.Compare(a.id, b.id) })
	return chosen
}

// suite tries the mutants that are alive with the tests of a package, its own and those of
// what it imports. Those that are noticed are alive no more.
func (o *options) suite(ctx context.Context, scratch string, p listed, known *state, alive map[int]*point) error {
	if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		return nil
	}
	var tried []*point
	before := 0
	outer := o.outer && slices.ContainsFunc(outerSuites, func(name string) bool { return strings.HasSuffix(p.ImportPath, name[1:]) })
	for _, m := range alive {
		switch own := m.pkg == p.ImportPath; {
		case !own && !(outer && slices.Contains(p.Deps, m.pkg)):
		case known.survived(p.ImportPath, m):
			before++
		default:
			tried = append(tried, m)
		}
	}
	noticed := 0
	if len(tried) > 0 {
		slices.SortFunc(tried, func(a, b *point) int { return cmp.Compare(a.id, b.id) })
		began := time.Now()
		s, err := o.open(ctx, scratch, p)
		if err != nil {
			return err
		}
		defer os.Remove(s.binary)
		fmt.Fprintf(o.out, "%6.0f s  %-50s %d tests\n", time.Since(began).Seconds(), p.ImportPath, len(s.tests))
		began = time.Now()
		var mu sync.Mutex
		err = each(ctx, o.workers, len(tried), func(i int) error {
			m := tried[i]
			reach := o.reach
			if m.pkg != p.ImportPath {
				reach /= 4
			}
			is := s.notices(ctx, m.id, reach)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			if is {
				delete(alive, m.id)
				noticed++
			} else if m.pkg == p.ImportPath {
				fmt.Fprintf(o.out, "          not noticed: %s -> %s  line %d\n", m.key(), m.becomes, m.line)
			}
			return known.say(p.ImportPath, m, is)
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(o.out, "%6.0f s  ", time.Since(began).Seconds())
	}
	if len(tried)+before > 0 {
		fmt.Fprintf(o.out, "%-50s %4d of %4d noticed\n", p.ImportPath, noticed, len(tried)+before)
	}
	return nil
}

// each calls do for 0 to n-1, some at a time.
func each(ctx context.Context, workers, n int, do func(i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(i)
		})
	}
	return g.Wait()
}
