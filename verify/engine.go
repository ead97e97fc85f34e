package verify

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Item asks for one piece of evidence to be judged as one kind.
type Item struct {
	Path     string
	Format   Format
	BasePath string // see Evidence.BasePath
	// Now replaces Engine.Now for this item, if set.
	Now time.Time
}

// Engine judges many pieces of evidence of one tree. The zero value is ready:
// it works on as many items at once as there are processors.
type Engine struct {
	// Now is the time against which recorded times are judged. The engine reads
	// no clock, so that the verdict on a commit is the same tomorrow.
	Now time.Time
	// Strict makes unknown fields and warnings fail.
	Strict bool
	// NoHints leaves out what only hints need; see [Evidence].
	NoHints bool
	// Base is the tree before the change, if rules may compare with it.
	Base *Tree
	// Concurrency bounds the work in flight; 0 means GOMAXPROCS.
	Concurrency int
	// Progress, when set, is called after each judged item with the number
	// done so far. Calls come from several goroutines.
	Progress func(done int)
}

// Verify judges items in tree and returns their results in the same order.
// When ctx ends early, the items that were not judged say so in a check.
func (en Engine) Verify(ctx context.Context, tree *Tree, items []Item) []Result {
	results := make([]Result, len(items))
	workers := en.Concurrency
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, len(items)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				results[i] = en.judge(ctx, tree, items[i])
				if n := int(done.Add(1)); en.Progress != nil {
					en.Progress(n)
				}
			}
		})
	}
	wg.Wait()
	return results
}

func (en Engine) judge(ctx context.Context, tree *Tree, it Item) (r Result) {
	defer func() {
		// A format must not panic, and a hostile file must not end the run if
		// one does all the same.
		if p := recover(); p != nil {
			r = uncheckedResult(it, "internal-error", fmt.Sprintf("could not be checked: internal error: %v", p))
		}
		if en.Strict {
			failWarnings(&r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return uncheckedResult(it, "interrupted", "not checked: "+err.Error())
	}
	now := en.Now
	if !it.Now.IsZero() {
		now = it.Now
	}
	r = it.Format.Verify(ctx, &Evidence{
		Path: it.Path, Tree: tree, Base: en.Base, BasePath: it.BasePath,
		Now: now, Strict: en.Strict, NoHints: en.NoHints,
	})
	r.Path, r.Kind = it.Path, it.Format.Kind()
	return r
}

func uncheckedResult(it Item, code, reason string) Result {
	return Result{
		Path: it.Path, Kind: it.Format.Kind(), Unchecked: reason,
		Checks: []Check{{
			Field: "evidence", Status: Fail, Code: code, Reason: reason,
			Location: Location{Path: it.Path},
		}},
	}
}

func failWarnings(r *Result) {
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Status == Warn {
			c.Status = Fail
			c.Reason += " (a warning; strict mode fails on it)"
		}
	}
}
