package ahd_test

import (
	"context"
	"fmt"
	"os"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// What is worth knowing about one sidecar, apart from what simply holds.
func ExampleFormat_Verify() {
	tree := verify.NewTree(os.DirFS("../../testdata/ahd/repo"))
	r := ahd.Format{}.Verify(context.Background(), &verify.Evidence{
		Path: "docs/evals/2026-06-03-newer.replay.json", Tree: tree,
	})
	for _, c := range r.Checks {
		if c.Status != verify.OK || c.Code != "" {
			fmt.Println(c.Status, c.Field+":", c.Reason)
		}
	}
	// Output:
	// ok token.path: relocated from /home/runner/work/ahd/ahd/tokens/quiet-grid.yml
	// info models[0].provider_request_ids: 2 of 4 calls
	// info unknown fields: ignored: measurements, strata, models[].sample_requests
}
