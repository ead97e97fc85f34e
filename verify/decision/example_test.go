package decision_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision"
)

func Example() {
	tree := verify.NewTree(fstest.MapFS{"runs/hello.decision.json": {Data: []byte(`{
  "policy_term": ["policy", ["tier_eq", "partner"], ["zero"], ["argmax"], ["id"], ["always", {"action": "abort"}]],
  "policy_fingerprint": "301140696-1054914287",
  "ranked": [{"provider_id": "a", "model_family": "m", "score": 0, "tier": "partner"}],
  "rejected": [{"provider": "b", "model": "n", "reason": "tier"}, {"provider": "c", "model": "n", "reason": "scope"}],
  "decision_path": [{"event": "attempted", "provider_id": "a", "model_family": "m", "attempt": 1, "latency_ms": 90}],
  "total_latency_ms": 90
}`)}})
	r := decision.Format{}.Verify(context.Background(), &verify.Evidence{Path: "runs/hello.decision.json", Tree: tree})
	for _, c := range r.Checks {
		if c.Status == verify.Fail {
			fmt.Printf("%s: %s %s\n", c.Location, c.Field, c.Reason)
		}
	}
	// Output:
	// runs/hello.decision.json:3:25: policy_fingerprint expected 1674975999-1237465118, recorded 301140696-1054914287
	// runs/hello.decision.json:5:109: rejected[1].reason no rule of this policy yields "scope"
}
