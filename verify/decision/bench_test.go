package decision

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

// benchTree holds n traces with a path of 100 steps: ten candidates, each tried
// five times with four pauses between, and the last one answers.
func benchTree(tb testing.TB, n int) (fstest.MapFS, []verify.Item) {
	tb.Helper()
	v := failover(tb)
	trace := clone(v.trace()).(object)
	set(trace, "policy_term.3", []any{"argmax"})
	set(trace, "policy_term.5", []any{"always", object{"action": "retry_same", "attempts": 4, "backoff_ms": []any{1, 2, 3, 4}}})
	policy, err := sigmapol.Parse(text(trace["policy_term"]), sigmapol.Schema{Infer: true})
	if err != nil {
		tb.Fatal(err)
	}
	trace["policy_fingerprint"] = sigmapol.Fingerprint(sigmapol.Encode(policy))
	var ranked, path []any
	for i := range 12 {
		provider, family := fmt.Sprint("provider-", i), fmt.Sprint("model-", i)
		ranked = append(ranked, object{"provider_id": provider, "model_family": family, "tier": "partner", "score": 1 - float64(i)/16})
		for k := range 5 {
			attempt := object{"event": "attempted", "provider_id": provider, "model_family": family, "attempt": k + 1, "latency_ms": 412}
			path = append(path, attempt)
			if len(path) >= 100 {
				break
			}
			attempt["error_kind"], attempt["http_status"], attempt["error_message"] = "server_error", 500, "mock server_error"
			if k < 4 {
				path = append(path, object{"event": "retry_scheduled", "provider_id": provider, "model_family": family, "attempt": k + 1, "backoff_ms": k + 1})
			}
		}
		if len(path) >= 100 {
			break
		}
	}
	trace["ranked"], trace["decision_path"], trace["total_latency_ms"] = ranked, path, 60_000
	last := path[len(path)-1].(object)
	data := text(object{"provider": last["provider_id"], "model_family": last["model_family"], "decision_trace": trace})
	files := fstest.MapFS{}
	var items []verify.Item
	for i := range n {
		name := fmt.Sprintf("runs/%05d.decision.json", i)
		files[name] = &fstest.MapFile{Data: data}
		items = append(items, verify.Item{Path: name, Format: Format{}})
	}
	return files, items
}

// BenchmarkVerify is the bar of 1,000 traces of 100 steps in one second on two
// cores.
func BenchmarkVerify(b *testing.B) {
	files, items := benchTree(b, 1000)
	benchmark(b, files, items)
}

// BenchmarkReplay is that with a snapshot beside each trace, so that every
// decision is made again.
func BenchmarkReplay(b *testing.B) {
	files, items := fstest.MapFS{}, []verify.Item(nil)
	v := failover(b)
	for i := range 1000 {
		name := fmt.Sprintf("runs/%05d", i)
		files[name+decisionEnding] = &fstest.MapFile{Data: text(router(v))}
		files[name+snapshotEnding] = &fstest.MapFile{Data: text(v.Snapshot)}
		items = append(items, verify.Item{Path: name + decisionEnding, Format: Format{}})
	}
	benchmark(b, files, items)
}

func benchmark(b *testing.B, files fstest.MapFS, items []verify.Item) {
	b.SetBytes(int64(len(items) * len(files[items[0].Path].Data)))
	b.ReportAllocs()
	for b.Loop() {
		results := verify.Engine{}.Verify(context.Background(), verify.NewTree(files), items)
		for i := range results {
			if got := bad(results[i]); got != "" {
				b.Fatal(got)
			}
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "traces/s")
}
