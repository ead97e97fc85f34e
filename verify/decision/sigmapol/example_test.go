package sigmapol_test

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

func Example() {
	term, err := sigmapol.Parse([]byte(`["policy",
		["and", ["meets_req"], ["not", ["is", "disabled"]], ["has_cap", "supports_tools"], ["cmp", "bench_intelligence", "ge", 0.5]],
		["neg", ["normalize", ["field", "price_out"]]],
		["argmax"], ["id"], ["always", {"action": "next_candidate"}]]`), sigmapol.Schema{Infer: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	encoded := sigmapol.Encode(sigmapol.Normalize(term))
	fmt.Println(term.IsNormal(), sigmapol.Fingerprint(encoded))
	fmt.Println(sigmapol.Identity(encoded))
	// Output:
	// false 1652159335-1103376766
	// sha256:caee55d88a07ca390aaf950ff4a77e6cdc31da6c63b4b6551623e71fa11eaced
}
