package verify

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Item asks for one piece of evidence to be judged as one kind.
type Item struct {
	Path   string
	Format Format
	// Among are the kinds that it may be of, where Format is nil: the first whose marks it
	// has judges it, on the bytes that the marks were looked for in. What can't be read is
	// judged as the first kind. Of a file without marks nothing is judged, and the Kind of
	// the result is empty.
	Among []Format
}

// May reports whether it may be of a kind.
func (it Item) May(kind string) bool {
	if it.Format != nil {
		return it.Format.Kind() == kind
	}
	return slices.ContainsFunc(it.Among, func(f Format) bool { return f.Kind() == kind })
}

// kind names the kind that answers for it while nobody knows which it is of.
func (it Item) kind() string {
	if it.Format == nil {
		return it.Among[0].Kind()
	}
	return it.Format.Kind()
}

// sorted is the format that judges it, nil for none, and the tree to judge it in.
func (it Item) sorted(tree *Tree) (Format, *Tree) {
	if it.Format != nil {
		return it.Format, tree
	}
	data, err := tree.ReadFile(it.Path, MaxEvidence)
	for _, f := range it.Among {
		if err != nil {
			return f, tree // until somebody can tell, it counts as evidence
		}
		if f.Marks(it.Path, data) {
			return f, tree.holding(it.Path, data)
		}
	}
	return nil, tree
}

// Engine judges many pieces of evidence of one tree. The zero value is ready:
// it works on as many items at once as there are processors.
//
// It guards every kind alike. A judgement that panics, does not end, or names another
// path than it was asked about is a FAIL; one that lost a file of the tree fails, however
// content the kind was; one without a check is unchecked, never ok.
type Engine struct {
	// Now is the time against which recorded times are judged. The engine reads
	// no clock, so that the verdict on a commit is the same tomorrow.
	Now time.Time
	// Strict makes unknown fields and warnings fail.
	Strict bool
	// NoHints leaves out what only hints need; see [Evidence].
	NoHints bool
	// Concurrency bounds the work in flight; 0 means GOMAXPROCS.
	Concurrency int
	// Patience is how long one judgement may take; 0 means one minute.
	Patience time.Duration
	// Progress, when set, is called after each judged item with the number
	// done so far. Calls come from several goroutines.
	Progress func(done int)
}

// grace is how long a judgement may go on when the context has ended.
const grace = time.Second

// Verify judges items in tree and returns their results in the same order.
// When ctx ends early, the items that were not judged say so in a check.
func (en Engine) Verify(ctx context.Context, tree *Tree, items []Item) []Result {
	results := make([]Result, len(items))
	en.Each(ctx, tree, items, func(i int, r *Result) { results[i] = *r })
	return results
}

// Each is Verify that gives each result, with the place of its item, as it comes, so that
// memory need not grow with what nobody will ask for. Calls of got come from several
// goroutines.
func (en Engine) Each(ctx context.Context, tree *Tree, items []Item, got func(i int, r *Result)) {
	var done atomic.Int64
	AtOnce(len(items), en.Concurrency, func(i int) {
		r := en.judge(ctx, tree, items[i])
		got(i, &r)
		if n := int(done.Add(1)); en.Progress != nil {
			en.Progress(n)
		}
	})
}

// AtOnce does n things, each by its number, so many at a time as there are workers; 0 means
// GOMAXPROCS. A panic in one of them is the caller's, as in a loop.
func AtOnce(n, workers int, do func(i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[any]
	for range min(workers, n) {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failed.CompareAndSwap(nil, &p)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}

func (en Engine) judge(ctx context.Context, tree *Tree, it Item) Result {
	if err := ctx.Err(); err != nil {
		return notChecked(it, "interrupted", "not checked: "+err.Error())
	}
	view, reads := tree.Noting()
	now := At(en.Now)
	r := en.guarded(ctx, it, &Evidence{Path: it.Path, Tree: view, Now: now, Strict: en.Strict, NoHints: en.NoHints})
	if r.Kind == "" {
		return r // no evidence
	}
	r.Reads, r.Timed = reads, now.Asked()
	if r.Path != "" && r.Path != it.Path {
		return notChecked(it, "internal-error", "could not be checked: internal error: the result is about "+Shorten(r.Path, 256))
	}
	r.Path = it.Path
	if lost, ok := reads.Lost(); ok {
		r.lose(lost)
	}
	if len(r.Checks) == 0 {
		empty := notChecked(it, "nothing-checked", "nothing in it was checked")
		r.Checks, r.Unchecked = empty.Checks, empty.Unchecked
	}
	if en.Strict {
		failWarnings(&r)
	}
	return r
}

// guarded judges in a goroutine of its own, so that what does not end is left behind.
func (en Engine) guarded(ctx context.Context, it Item, e *Evidence) Result {
	done := make(chan Result, 1)
	go func() {
		// A format must not panic, and a hostile file must not end the run if
		// one does all the same.
		defer func() {
			if p := recover(); p != nil {
				done <- notChecked(it, "internal-error", fmt.Sprintf("could not be checked: internal error: %v", p))
			}
		}()
		format, view := it.sorted(e.Tree)
		if format == nil {
			done <- Result{Path: it.Path}
			return
		}
		e.Tree = view
		r := format.Verify(ctx, e)
		r.Kind = format.Kind()
		done <- r
	}()
	patience := en.Patience
	if patience <= 0 {
		patience = time.Minute
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case r := <-done:
		return r
	case <-limit.C:
		return notChecked(it, "no-end", fmt.Sprintf("could not be checked: judging it did not end within %v", patience))
	case <-ctx.Done():
	}
	last := time.NewTimer(grace)
	defer last.Stop()
	select {
	case r := <-done:
		return r
	case <-last.C:
		return notChecked(it, "interrupted", "not checked: "+ctx.Err().Error())
	}
}

// lose makes sure that a result that rests on something that could not be had fails.
func (r *Result) lose(lost Read) {
	what := "the file "
	if lost.Op != OpFile {
		what = ""
	}
	r.Lost = lost.Name + ": " + what + lost.Why
	if r.Unchecked == "" {
		r.Unchecked = "could not be checked: " + r.Lost
	}
	const field, code = "evidence", "unreadable"
	if slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Field == field && c.Code == code && c.Status == Fail }) {
		return // its kind said so
	}
	rows := Rows{Path: r.Path, Checks: r.Checks}
	rows.Fail(field, Spot{}, code, "could not be checked: "+r.Lost).Input = lost.Name
	r.Checks = rows.Checks
}

func notChecked(it Item, code, reason string) Result {
	rows := Rows{Path: it.Path}
	rows.Fail("evidence", Spot{}, code, reason)
	return Result{Path: it.Path, Kind: it.kind(), Unchecked: kept(reason), Checks: rows.Checks}
}

func failWarnings(r *Result) {
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Status == Warn {
			c.Status = Fail
			c.Reason += " (a warning; strict mode fails on it)"
		}
	}
}
