package decision

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

// Traces keep what engine, report and bundle rely on, alone and with the files beside them.
func TestConform(t *testing.T) {
	v, first := failover(t), sample(t, "01-quickstart-cheapest")
	fsys := tree(router(v), v.Snapshot, v.Policy)
	for name, evidence := range map[string]any{
		"runs/b.decision.json": first.Result, "runs/list.decision.json": []any{router(v), router(first)}, "runs/flow.decision.json": flowTrace(t),
	} {
		fsys[name] = tree(evidence, nil, nil)[tracePath]
	}
	verifytest.Conform(t, Format{}, fsys, tracePath, "runs/b.decision.json", "runs/list.decision.json", "runs/flow.decision.json")
}
