package decision

import (
	"bytes"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// telling are the names that nothing but the router gives to a member.
var telling = []string{"x_router", "decision_trace", "policy_term", "decision_path", "flow_nodes", "policy_fingerprint", "served_model_id"}

// Marks reports whether data is a decision trace, something that has one, or a completion
// that should have one. An architecture decision record has none of that. Of the names, only
// *.x_router.json is nobody else's: a file of that name is evidence with nothing in it,
// and as the pointer of Git LFS.
func (Format) Marks(path string, data []byte) bool {
	switch verify.DamageOf(data).Code {
	case "empty", "lfs-pointer":
		return strings.HasSuffix(path, routerEnding)
	}
	const elements = 10
	return slices.ContainsFunc(jsondoc.Outline(data, elements), func(names []string) bool {
		has := func(name string) bool { return slices.Contains(names, name) }
		return slices.ContainsFunc(telling, has) || has("ok") && has("trace") && bytes.Contains(data, []byte(`"decision_path"`)) || has("ranked") && has("rejected") ||
			has("choices") && (bytes.Contains(data, []byte(`"chat.completion"`)) || bytes.Contains(data, []byte(`"text_completion"`)))
	})
}
