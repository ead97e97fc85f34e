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
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

type options struct {
	patterns []string
	sample   int
	seed     uint64
	workers  int
	outer    bool
	argued   string
	out      io.Writer
}

// outerSuites are the tests through which whole runs go.
var outerSuites = []string{"./bundle", "./gate", "./internal/cli"}

// enough is the share that has to be noticed, of a hundred.
const enough = 95

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
	packages, err := list(ctx, module, o.patterns...)
	if err != nil {
		return false, err
	}
	done := make(map[string]bool) // packages
	for _, p := range packages {
		err := o.suite(ctx, scratch, p, alive, func(m *point) bool { return m.pkg == p.ImportPath })
		if ctx.Err() != nil {
			break // what was tried until here is told
		}
		if err != nil {
			return false, err
		}
		done[p.ImportPath] = true
	}
	if ctx.Err() != nil {
		maps.DeleteFunc(alive, func(_ int, p *point) bool { return !done[p.pkg] })
		chosen = slices.DeleteFunc(chosen, func(p point) bool { return !done[p.pkg] })
		fmt.Fprintf(o.out, "interrupted: what follows is of %d packages\n", len(done))
	}
	if o.outer && ctx.Err() == nil && len(alive) > 0 {
		packages, err := list(ctx, module, outerSuites...)
		if err != nil {
			return false, err
		}
		for _, p := range packages {
			err := o.suite(ctx, scratch, p, alive, func(m *point) bool { return m.pkg != p.ImportPath })
			if err != nil && ctx.Err() == nil {
				return false, err
			}
		}
	}
	return o.report(chosen, alive, time.Since(began))
}

// choose takes a sample, the same for the same seed wherever lines stand.
func (o *options) choose(points []point) []point {
	if o.sample == 0 || o.sample >= len(points) {
		return points
	}
	times := make(map[string]uint64) // of a text in a function
	rank := make(map[int]uint64)
	for i := range points {
		h := fnv.New64a()
		h.Write(binary.BigEndian.AppendUint64([]byte(points[i].key()), o.seed))
		h.Write(binary.BigEndian.AppendUint64(nil, times[points[i].key()]))
		times[points[i].key()]++
		rank[points[i].id] = h.Sum64()
	}
	chosen := slices.Clone(points)
	slices.SortFunc(chosen, func(a, b point) int { return cmp.Compare(rank[a.id], rank[b.id]) })
	chosen = chosen[:o.sample]
	slices.SortFunc(chosen, func(a, b point) int { return cmp.Compare(a.id, b.id) })
	return chosen
}

// suite tries the mutants that are alive and wanted with the tests of a package. Those that
// are noticed are alive no more.
func (o *options) suite(ctx context.Context, scratch string, p listed, alive map[int]*point, wanted func(*point) bool) error {
	if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		return nil
	}
	var tried []*point
	for _, m := range alive {
		if wanted(m) {
			tried = append(tried, m)
		}
	}
	if len(tried) == 0 {
		return nil
	}
	slices.SortFunc(tried, func(a, b *point) int { return cmp.Compare(a.id, b.id) })
	began := time.Now()
	s, err := open(ctx, scratch, p, o.workers)
	if err != nil {
		return err
	}
	defer os.Remove(s.binary)
	noticed := make([]bool, len(tried))
	var count atomic.Int64
	err = each(ctx, o.workers, len(tried), func(i int) error {
		if noticed[i] = s.notices(ctx, tried[i].id); noticed[i] {
			count.Add(1)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, m := range tried {
		if noticed[i] {
			delete(alive, m.id)
		}
	}
	fmt.Fprintf(o.out, "%6.0f s  %-50s %4d of %4d noticed\n", time.Since(began).Seconds(), p.ImportPath, count.Load(), len(tried))
	return nil
}

// report lists what survived.
func (o *options) report(chosen []point, alive map[int]*point, took time.Duration) (bool, error) {
	text, err := os.ReadFile(o.argued)
	if err != nil && !os.IsNotExist(err) {
		return false, err
	}
	argued := 0
	for i := range chosen {
		m := &chosen[i]
		if alive[m.id] == nil {
			continue
		}
		note := ""
		if strings.Contains(string(text), "`"+strings.ReplaceAll(m.key(), "|", `\|`)+"`") {
			argued++
			note = "  (argued)"
		}
		fmt.Fprintf(o.out, "survived: %s -> %s  line %d%s\n", m.key(), m.becomes, m.line, note)
	}
	noticed := len(chosen) - len(alive)
	share := 100 * float64(noticed+argued) / float64(max(1, len(chosen)))
	fmt.Fprintf(o.out, "%d of %d noticed, %d more argued: %.1f of 100, in %.0f s\n", noticed, len(chosen), argued, share, took.Seconds())
	return share >= enough, nil
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
