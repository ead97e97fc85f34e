package gate

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/internal/gittest"
)

// BenchmarkPass is the judgement of 20,000 sidecars with 20,000 inputs, of which the change
// touches none, and with and without the base: issue 10 wants it under 2.5 s on two quiet
// cores, and the base at most 30 % on top. With one brief that all share it is what a change
// of that costs.
func BenchmarkPass(b *testing.B) {
	const n = 20_000
	g := gittest.New(b)
	g.Write("briefs/all.md", "# One\n")
	for i := range n {
		token, side := sidecar(b, i)
		g.Write(tokenPath(i), string(token))
		g.Write(fmt.Sprintf("evals/%02d/%d.replay.json", i%100, i), string(side))
	}
	g.Commit("base")
	g.Git("tag", "base")
	g.Write("README.md", "nothing\n")
	g.Commit("nothing")
	g.Git("tag", "nothing")
	g.Git("repack", "-adq") // as a clone has it
	g.Write("briefs/all.md", "# Another\n")
	g.Commit("the brief")
	for _, bench := range []struct{ name, base, head string }{
		{"head-alone", "", "nothing"}, {"nothing-differs", "base", "nothing"}, {"all-affected", "nothing", "HEAD"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var before, after runtime.MemStats
			for b.Loop() {
				o, err := Options{Root: g.Dir, Base: bench.base, Head: bench.head, Clock: time.Now()}.withDefaults()
				if err != nil {
					b.Fatal(err)
				}
				r, err := open(o.Root)
				if err != nil {
					b.Fatal(err)
				}
				runtime.GC()
				runtime.ReadMemStats(&before)
				x, err := o.begin(context.Background(), r)
				if err != nil {
					b.Fatal(err)
				}
				j := judge.Judge(context.Background(), x.question())
				runtime.GC()
				runtime.ReadMemStats(&after)
				if all := len(j.Evidence) + len(j.Held); all != n {
					b.Fatalf("%d pieces of evidence", all)
				}
				runtime.KeepAlive(x)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB-kept")
				r.Close()
			}
		})
	}
}
