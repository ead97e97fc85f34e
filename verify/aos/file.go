package aos

import (
	"bytes"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// kind is one of the things that AOS records. Its text is what people read.
type kind string

const (
	kindSDKTrace kind = "SDK trace"
	kindRecord   kind = "backend trace record"
	kindGolden   kind = "workflow golden"
	kindOutcomes kind = "outcomes"
	kindPlan     kind = "plan"
	kindReplay   kind = "replay trace"
)

// file is the text of one piece of evidence.
type file struct {
	path string
	data []byte
	kind kind // empty when it is none
	// doc is the parsed text; nil for a golden, whose lines are documents of
	// their own.
	doc *jsondoc.Document
	err error
}

// open reads the file at name and tells its kind. It never fails; file.err says
// why nothing was read.
func open(t *verify.Tree, name string) *file {
	f := &file{path: name}
	if f.data, f.err = t.ReadFile(name, verify.MaxEvidence); f.err != nil {
		return f
	}
	if isGolden(name, f.data) {
		f.kind = kindGolden
		return f
	}
	f.doc = jsondoc.Parse(f.data)
	f.kind = kindOf(name, f.doc.Root)
	return f
}

// isGolden recognises a workflow golden by its first line, and where one belongs
// by any of the first few: the first may be what is wrong with it.
func isGolden(name string, data []byte) bool {
	lines := 1
	if strings.HasSuffix(name, goldenEnding) {
		lines = 10
	}
	for text := range bytes.Lines(bytes.TrimLeft(data, " \t\r\n")) {
		if isEvent(text) {
			return true
		}
		if lines--; lines == 0 {
			break
		}
	}
	return false
}

// isEvent recognises the line of a workflow golden.
func isEvent(line []byte) bool {
	return bytes.Contains(line, []byte(`"event_type"`)) && jsondoc.Parse(line).Root.Get("event_type") != nil
}

// kindOf tells the kind of a document by its members. Not all of the telling
// ones need be there: a missing one may be what is wrong with the evidence.
func kindOf(name string, root *jsondoc.Node) kind {
	if !root.Is(jsondoc.Array) {
		return kindOfNames(memberNames(root))
	}
	for _, item := range root.Items()[:min(maxElements, len(root.Items()))] {
		if kindOfNames(memberNames(item)) == kindOutcomes {
			return kindOutcomes
		}
	}
	// A list that was emptied is still where the outcomes of a run belong.
	if len(root.Items()) == 0 && strings.HasSuffix(name, outcomesEnding) {
		return kindOutcomes
	}
	return ""
}

// maxElements are the elements of a list by which it is told what it is.
const maxElements = 10

func memberNames(n *jsondoc.Node) []string {
	var names []string
	for _, m := range n.Members() {
		names = append(names, m.Name)
	}
	return names
}

// kindOfNames is the kind of an object with members of these names.
func kindOfNames(names []string) kind {
	has := func(wanted ...string) (count int) {
		for _, w := range wanted {
			if slices.Contains(names, w) {
				count++
			}
		}
		return count
	}
	switch {
	case has("correlation_id", "checksum") > 0 && has("correlation_id", "checksum", "steps", "run_id") >= 3:
		return kindRecord
	case has("finalized", "root_hash") > 0 && has("finalized", "root_hash", "steps", "seed") >= 3:
		return kindSDKTrace
	case has("original_run_id", "behavior_match", "replay_mode") >= 2:
		return kindReplay
	case has("status", "code", "cost_cents", "latency_ms", "step_id") >= 3:
		return kindOutcomes
	case has("steps") > 0 && has("context", "plan_id") > 0:
		return kindPlan
	}
	return ""
}
