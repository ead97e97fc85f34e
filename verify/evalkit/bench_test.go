package evalkit

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// benchFiles are n fixtures of about 1.5 KB in 20 suites, with an eval.config
// that names them.
func benchFiles(n int) (files map[string]string, items []verify.Item) {
	const suites = 20
	files = make(map[string]string)
	var config strings.Builder
	for s := range suites {
		fmt.Fprintf(&config, "{ name: \"suite %d\", targetVersion: \"v%d\", cases: [] },\n", s, s)
	}
	files["eval.config.ts"] = "export default { suites: [\n" + config.String() + "] }\n"
	prose := strings.Repeat("The quick brown fox <jumps> over the lazy dog — twice, said the bearer.\\n", 12)
	calls := strings.Repeat(`{"args":{"limit":10,"query":"restaurants near the station"},"name":"search","result":[{"id":1,"score":0.25}]},`, 4)
	for i := range n {
		suite, id, v := fmt.Sprintf("suite %d", i%suites), fmt.Sprintf("case %05d", i), fmt.Sprintf("v%d", i%suites)
		text := strings.NewReplacer(
			`"caseId":"greeting"`, `"caseId":"`+id+`"`, "aa6a2f5ddd9e5d98", configHash(suite, &v),
			`"suiteId":"smoke"`, `"suiteId":"`+suite+`"`, "Agent response", prose, "[]", "["+calls[:len(calls)-1]+"]",
		).Replace(greeting)
		path := ".eval-fixtures/" + fixtureName(suite) + "/" + fixtureName(id) + fixtureEnding
		files[path] = text
		items = append(items, verify.Item{Path: path, Format: Format{}})
	}
	return files, items
}

// BenchmarkVerify is the bar of 10,000 fixtures in one second on two cores.
func BenchmarkVerify(b *testing.B) {
	files, items := benchFiles(10_000)
	fsys := tree(files).FS()
	b.SetBytes(int64(len(items) * len(files[items[0].Path])))
	b.ReportAllocs()
	for b.Loop() {
		engine := verify.Engine{Now: now}
		for _, r := range engine.Verify(context.Background(), verify.NewTree(fsys), items) {
			if r.Count(verify.OK) != len(r.Checks) {
				b.Fatal(bad(r))
			}
		}
	}
	b.ReportMetric(float64(len(items)*b.N)/b.Elapsed().Seconds(), "fixtures/s")
}
