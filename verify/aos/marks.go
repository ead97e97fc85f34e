package aos

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// ownEndings are those that no other tool is known to write. A file of such a name is
// evidence with nothing in it, and as the pointer of Git LFS; under the other endings
// only content tells AOS from Terraform's plans and Chrome's traces.
var ownEndings = []string{recordEnding, goldenEnding}

// Marks reports whether data has the members that tell one of the six kinds. A text
// that is whole must have as many as [Format.Verify] asks for; in one that is damaged
// a single telling one will do, as the others may have stood where the damage is.
func (Format) Marks(path string, data []byte) bool {
	switch verify.DamageOf(data).Code {
	case "empty", "lfs-pointer":
		return slices.ContainsFunc(ownEndings, func(e string) bool { return strings.HasSuffix(path, e) })
	}
	if isGolden(path, data) || strings.HasSuffix(path, goldenEnding) && bytes.Contains(data, []byte(`"event_type"`)) {
		return true
	}
	objects := jsondoc.Outline(data, maxElements)
	isKind := func(names []string) bool { return kindOfNames(names) != "" }
	return slices.ContainsFunc(objects, isKind) || slices.ContainsFunc(objects, hints) && !valid(data)
}

// telling are the names that hardly anything but AOS gives to a member.
var telling = []string{
	"root_hash", "finalized", "correlation_id", "original_run_id", "behavior_match", "replay_mode",
	"cost_cents", "plan_id", "skill_id", "frozen_timestamp",
}

// hints reports whether the names of an object's members hint at one of the kinds.
func hints(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(telling, n) })
}

func valid(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
