//go:build unix

package gate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/shard"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// BenchmarkShards is what a run on several machines costs each of them, in processor time for
// a thousand pieces of evidence: sidecars with a token and a report of their own, and a brief
// that all share and the change edits, so that each gets a bundle. speedup is the time of one
// machine through that of plan, heaviest shard and merge, which follow each other.
func BenchmarkShards(b *testing.B) {
	for _, bench := range []struct {
		name    string
		n, size int // pieces, and bytes of a token
	}{{"small", 2000, 2 << 10}, {"large", 200, 200 << 10}} {
		b.Run(bench.name, func(b *testing.B) { benchShards(b, bench.n, bench.size) })
	}
}

func benchShards(b *testing.B, n, size int) {
	dir := manyEdited(b, n, size)
	o := gate.Options{Base: "base", Clock: time.Now(), Version: "0.0.0", Root: dir}
	cost := func(do func() error) float64 {
		before := processor()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		return float64((processor() - before).Milliseconds()) * 1000 / float64(n)
	}
	for b.Loop() {
		whole := cost(func() error { _, err := gate.Run(b.Context(), o); return err })
		b.ReportMetric(whole, "whole-ms")
		for _, shards := range []int{2, 4, 8} {
			plan := cost(func() error { _, err := gate.Plan(b.Context(), o, shards); return err })
			slowest := 0.0
			parts := filepath.Join(dir, gate.DefaultParts)
			for i := range shards {
				slowest = max(slowest, cost(func() error {
					_, err := gate.Shard(b.Context(), o, shard.Share{Index: 1 + i, Count: shards})
					return err
				}))
				if err := os.MkdirAll(parts, 0o755); err != nil {
					b.Fatal(err)
				}
				if err := os.Rename(filepath.Join(dir, gate.DefaultBundleDir), filepath.Join(parts, fmt.Sprint(i))); err != nil {
					b.Fatal(err)
				}
			}
			merged := o
			merged.Merge, merged.Parts = true, gate.DefaultParts
			merge := cost(func() error { _, err := gate.Run(b.Context(), merged); return err })
			if err := os.RemoveAll(filepath.Join(dir, ".assay")); err != nil {
				b.Fatal(err)
			}
			for unit, v := range map[string]float64{"plan-ms": plan, "shard-ms": slowest, "merge-ms": merge, "speedup": whole / (plan + slowest + merge)} {
				b.ReportMetric(v, fmt.Sprintf("%d-%s", shards, unit))
			}
		}
	}
}

// processor is the processor time that this process took.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// manyEdited is a repository of n sidecars with tokens of a size, of which the last commit
// edits a brief that all share.
func manyEdited(b *testing.B, n, size int) string {
	g := gittest.New(b)
	const brief = "briefs/all.md"
	g.Write(brief, "# One\n")
	briefHash, err := ahd.BriefHash(brief, []byte("# One\n"))
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		token := fmt.Sprintf("tokens/%02d/%d.yml", i%100, i)
		var text strings.Builder
		for k := 0; text.Len() < size; k++ {
			fmt.Fprintf(&text, "key%d: value %d of %d\n", k, k*7919%1000, i)
		}
		g.Write(token, text.String())
		hash, err := ahd.TokenHash([]byte(text.String()))
		if err != nil {
			b.Fatal(err)
		}
		side, err := ahd.Run{
			Kind: "eval-live", Version: "1", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: "2026-01-01T00:00:00.000Z",
			Argv:  []string{"node", "ahd.js", "eval-live", fmt.Sprint("t", i)},
			Token: ahd.InputRef{Path: token, Hash: hash}, Brief: &ahd.InputRef{Path: brief, Hash: briefHash}, Sampling: ahd.Sampling{N: 5},
			Models: []ahd.Model{{ID: "m", Provider: "p", ProviderRequestIDs: []string{fmt.Sprint("id-", i)}}},
		}.Sidecar()
		if err != nil {
			b.Fatal(err)
		}
		stem := fmt.Sprintf("evals/%02d/%d", i%100, i)
		g.Write(stem+".replay.json", string(side))
		g.Write(stem+".md", "# Run\n")
	}
	g.Commit("base")
	g.Git("tag", "base")
	g.Git("repack", "-adq") // as a clone has it
	g.Write(brief, "# Another\n")
	g.Commit("the brief")
	return g.Dir
}
