package ahd

import "github.com/replay-gate/replay-gate/verify"

// PackageName is the framework's own package. The folder of a package.json of
// that name is the root that relative paths start at (AHD replay, What changes
// between runs).
const PackageName = "@adastracomputing/ahd"

// Removed fails a sidecar that was deleted while its report stayed: a published
// number without the evidence for it.
func (Format) Removed(path string, tree *verify.Tree) (verify.Check, bool) {
	report := ReportPath(path)
	if !tree.Exists(report) {
		return verify.Check{}, false
	}
	return verify.Check{
		Field: "sidecar", Status: verify.Fail, Code: "removed",
		Reason: "sidecar removed, report kept", Observed: report, Input: report,
		Hint:     "restore the sidecar, or delete the report with it",
		Location: verify.Location{Path: path},
	}, true
}
