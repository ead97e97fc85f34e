package aos

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

// Each of the six kinds keeps what engine, report and bundle rely on.
func TestConform(t *testing.T) {
	golden := clean(t)
	verifytest.Conform(t, Format{Config{GoldenSecret: []byte(key)}}, tree(map[string]string{
		"sdk/two.trace.json":           read(t, "sdk-trace/two-steps.trace.json"),
		"record/orig.tracerecord.json": read(t, "trace-record/orig.json"),
		"golden/run.steps.jsonl":       golden,
		"golden/run.steps.jsonl.sig":   sign(key, golden),
		"doc/plan.json":                read(t, "doc-derived/plan.json"),
		"doc/original.outcomes.json":   read(t, "doc-derived/original.outcomes.json"),
		"doc/replay-ok.outcomes.json":  read(t, "doc-derived/replay-ok.outcomes.json"),
		"doc/replay-ok.trace.json":     read(t, "doc-derived/replay-ok.trace.json"),
	}).FS(),
		"sdk/two.trace.json", "record/orig.tracerecord.json", "golden/run.steps.jsonl", "doc/plan.json",
		"doc/original.outcomes.json", "doc/replay-ok.outcomes.json", "doc/replay-ok.trace.json")
}
