package gate

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// unusable judges evidence that can't be opened by its path: always a FAIL, and never
// a silent skip (DESIGN, section 5).
type unusable struct {
	verify.Format        // that claims the path
	raw           string // the path as git has it: any bytes
}

// Inputs are none that anybody could know.
func (unusable) Inputs(*verify.Evidence) []string { return nil }

// Verify says what is wrong with the path.
func (u unusable) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	reason := "can't be opened: its path is not UTF-8"
	if utf8.ValidString(u.raw) {
		reason = "can't be opened: its path leads out of the repository or into .git, or stands twice in its folder"
	}
	return verify.Result{Unchecked: reason, Checks: []verify.Check{{
		Field: "evidence", Status: verify.Fail, Code: "unusable-path", Reason: reason,
		Observed: verify.Shorten(strconv.QuoteToASCII(u.raw), verify.MaxValue),
		Location: verify.Location{Path: e.Path},
	}}}
}

// discoverUnusable finds the evidence among the files that can't be opened by their
// path. It goes by that path with U+FFFD for what is not UTF-8.
func discoverUnusable(head *repo.Tree, kinds []kind) []target {
	var found []target
	for _, raw := range head.Unusable() {
		name := strings.ToValidUTF8(raw, "\uFFFD")
		if k, ok := claim(name, kinds); ok {
			found = append(found, target{path: name, raw: raw, format: unusable{k.Format, raw}})
		}
	}
	return found
}

// unusableSince are the paths of such files that the change touches; all of them if the
// base is not at hand in their bytes.
func (c *change) unusableSince() []string {
	if base, ok := c.base.(*repo.Tree); ok {
		return c.head.UnusableSince(base)
	}
	return c.head.Unusable()
}
