package ahd

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// benchTree holds n sidecars of about 8 KB with their reports, which share 20
// inputs. Their shape is that of published ones.
func benchTree(tb testing.TB, n int) (fstest.MapFS, []verify.Item) {
	tb.Helper()
	files := fstest.MapFS{"package.json": {Data: []byte(`{"name": "@adastracomputing/ahd"}`)}}
	hash := make(map[string]string)
	for i := range 10 {
		for _, name := range []string{fmt.Sprintf("tokens/t%d.yml", i), fmt.Sprintf("briefs/b%d.yml", i)} {
			data := []byte("id: " + name + "\nrules:\n")
			for k := range 100 {
				data = fmt.Appendf(data, "  - {id: rule-%d, weight: %d.5}\n", k, k)
			}
			h, err := canonical.Hash(data)
			if err != nil {
				tb.Fatal(err)
			}
			files[name], hash[name] = &fstest.MapFile{Data: data}, h
		}
	}
	type object = map[string]any
	items := make([]verify.Item, 0, n)
	for i := range n {
		token, brief := fmt.Sprintf("tokens/t%d.yml", i%10), fmt.Sprintf("briefs/b%d.yml", i%10)
		report := fmt.Sprintf("docs/evals/r%05d.md", i)
		const root = "/home/runner/work/ahd/ahd/"
		asked := ""
		var models []object
		block := "# run\n\n```yaml ahd-replay\nschema_version: 1\nkind: eval-live\nmodels:\n"
		for m := range 6 {
			id := fmt.Sprintf("@cf/example/model-%d", m)
			asked += ",cf:" + id
			ids := make([]string, 30)
			for k := range ids {
				ids[k] = fmt.Sprintf("a%07x%07x-IAD", i*997+m, k*7919)
			}
			models = append(models, object{"id": id, "provider": "example", requestIDs: ids})
			block += "  - id: " + id + "\n    provider: example\n    provider_request_ids: 30 captured\n"
		}
		block += "token:\n  path: " + root + token + "\n  hash: " + hash[token][:19] + "\n```\n"
		data, err := json.MarshalIndent(object{
			"schema_version": 1, "kind": "eval-live", "ahd_version": "0.11.0",
			"ahd_commit": "0123456789abcdef0123456789abcdef01234567", "git_dirty": true,
			"node_version": "v20.20.2", "platform": "linux-x64", "invoked_at": "2026-06-01T12:00:00.123Z",
			"argv": []string{
				"/opt/node/bin/node", root + "bin/ahd.js", "eval-live", fmt.Sprintf("t%d", i%10),
				"--brief", brief, "--models", asked[1:], "--n", "30", "--report", report,
			},
			"token":      object{"path": root + token, "hash": hash[token]},
			"brief":      object{"path": brief, "hash": hash[brief]},
			"sampling":   object{"n": 30, "temperature": nil, "seed": nil},
			"models":     models,
			"conditions": object{"requested": []string{"raw", "compiled"}, "effective": []string{"raw", "compiled"}},
		}, "", "  ")
		if err != nil {
			tb.Fatal(err)
		}
		sidecar := SidecarFor(report)
		files[sidecar] = &fstest.MapFile{Data: data}
		files[report] = &fstest.MapFile{Data: append([]byte(block), make([]byte, 4<<10)...)}
		items = append(items, verify.Item{Path: sidecar, Format: Format{}})
	}
	return files, items
}

// BenchmarkVerify is the bar of 10,000 sidecars in one second on two cores.
func BenchmarkVerify(b *testing.B) {
	files, items := benchTree(b, 10_000)
	engine := verify.Engine{Now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	b.SetBytes(int64(len(items) * len(files[items[0].Path].Data)))
	b.ReportAllocs()
	for b.Loop() {
		results := engine.Verify(context.Background(), verify.NewTree(files), items)
		for i := range results {
			if results[i].Count(verify.Fail)+results[i].Count(verify.Warn) > 0 {
				b.Fatal(results[i])
			}
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "sidecars/s")
}
