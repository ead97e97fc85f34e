package gate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/summary"
)

// SumsFile lies beside the bundles and lists their digests, as sha256sum(1) writes
// and checks them, and as actions/attest-build-provenance reads them.
const SumsFile = "SHA256SUMS"

// sums lists the bundles of a report: "<hex>  <file>", sorted by file. It is empty
// when there are none.
func sums(r *summary.Report) []byte {
	var lines []string
	for _, e := range r.Evidence {
		if b := e.Bundle; b != nil && b.Path != "" {
			lines = append(lines, fmt.Sprintf("%s  %s\n", strings.TrimPrefix(b.SHA256, "sha256:"), path.Base(b.Path)))
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return []byte(strings.Join(slices.Compact(lines), ""))
}
