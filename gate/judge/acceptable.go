package judge

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// never are the reason codes that nobody can live with: a secret, a file that is broken, a
// file under a name that it can't have.
var never = []string{
	"secret", "possible-secret", "unreadable", "unusable-path", "internal-error", "interrupted", "no-end", "nothing-checked", CodeBaseUnreadable,
}

// Acceptable reports whether people may accept a row of e that fails.
func (e *Account) Acceptable(row Row) bool {
	broken := !e.Removed && e.Head.Unchecked != ""
	return row.Status == verify.Fail && !broken && !slices.Contains(never, row.Code)
}
