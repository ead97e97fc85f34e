package aos_test

import (
	"context"
	"fmt"
	"os"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/aos"
)

func Example() {
	tree := verify.NewTree(os.DirFS("../../testdata/aos/vectors"))
	r := aos.Format{}.Verify(context.Background(), &verify.Evidence{
		Path: "trace-record/replay-retry.json", Tree: tree,
	})
	for _, c := range r.Checks {
		if c.Status == verify.Fail {
			fmt.Println(c.Status, c.Field, c.Reason, c.Location)
		}
	}
	// Output:
	// FAIL pair.parity step 0: retries 2 ≠ 1 trace-record/replay-retry.json:54:19
}
