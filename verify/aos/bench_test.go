package aos

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// benchTree holds n traces of the given number of steps.
func benchTree(tb testing.TB, n, steps int) (fstest.MapFS, []verify.Item) {
	tb.Helper()
	type object = map[string]any
	files := make(fstest.MapFS)
	var items []verify.Item
	for i := range n {
		var plan, list []object
		for k := range steps {
			params := object{"url": fmt.Sprintf("https://api.example.com/%d/%d", i, k), "timeout": 1.5, "query": "$.items"}
			text, err := json.Marshal(params)
			if err != nil {
				tb.Fatal(err)
			}
			plan = append(plan, object{"skill": "http_call", "params": params})
			list = append(list, object{
				"step_index": k, "skill_id": "http_call", "input_hash": hashData(text), "output_hash": hashData([]byte{byte(k)}),
				"rng_state_before": hashData([]byte{byte(i), byte(k)}), "outcome": "success", "idempotency_key": nil, "replay_behavior": "execute",
				"duration_ms": 12 + k, "error_code": nil, "timestamp": "2025-12-06T12:00:01.000000+00:00",
			})
		}
		trace := object{
			"version": "1.1.0", "seed": i, "timestamp": "2025-12-06T12:00:00+00:00", "tenant_id": "default", "plan": plan,
			"steps": list, "finalized": true, "metadata": object{}, "root_hash": "",
		}
		text, err := json.Marshal(trace)
		if err != nil {
			tb.Fatal(err)
		}
		trace["root_hash"], _ = rootHash(jsondoc.Parse(text))
		if text, err = json.Marshal(trace); err != nil {
			tb.Fatal(err)
		}
		name := fmt.Sprintf("runs/r%04d.trace.json", i)
		files[name] = &fstest.MapFile{Data: text}
		items = append(items, verify.Item{Path: name, Format: Format{}})
	}
	return files, items
}

// BenchmarkVerify is the bar of 1,000 traces of 100 steps in one second on two
// cores.
func BenchmarkVerify(b *testing.B) {
	files, items := benchTree(b, 1000, 100)
	b.SetBytes(int64(len(items) * len(files[items[0].Path].Data)))
	b.ReportAllocs()
	for b.Loop() {
		results := verify.Engine{}.Verify(context.Background(), verify.NewTree(files), items)
		for i := range results {
			if results[i].Count(verify.Fail)+results[i].Count(verify.Warn) > 0 {
				b.Fatal(results[i])
			}
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "traces/s")
}

// BenchmarkMarks looks at every trace of the tree for what marks it.
func BenchmarkMarks(b *testing.B) {
	files, items := benchTree(b, 1000, 100)
	b.SetBytes(int64(len(items) * len(files[items[0].Path].Data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, it := range items {
			if !(Format{}).Marks(it.Path, files[it.Path].Data) {
				b.Fatal(it.Path)
			}
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "traces/s")
}
