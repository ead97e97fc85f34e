package aos

import (
	"bytes"
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
	has := func(n *jsondoc.Node, names ...string) (count int) {
		for _, m := range names {
			if n.Get(m) != nil {
				count++
			}
		}
		return count
	}
	isOutcome := func(n *jsondoc.Node) bool {
		return has(n, "status", "code", "cost_cents", "latency_ms", "step_id") >= 3
	}
	if root.Is(jsondoc.Array) {
		const enough = 10
		for _, item := range root.Items()[:min(enough, len(root.Items()))] {
			if isOutcome(item) {
				return kindOutcomes
			}
		}
		// A list that was emptied is still where the outcomes of a run belong.
		if len(root.Items()) == 0 && strings.HasSuffix(name, outcomesEnding) {
			return kindOutcomes
		}
		return ""
	}
	switch {
	case has(root, "correlation_id", "checksum") > 0 && has(root, "correlation_id", "checksum", "steps", "run_id") >= 3:
		return kindRecord
	case has(root, "finalized", "root_hash") > 0 && has(root, "finalized", "root_hash", "steps", "seed") >= 3:
		return kindSDKTrace
	case has(root, "original_run_id", "behavior_match", "replay_mode") >= 2:
		return kindReplay
	case isOutcome(root):
		return kindOutcomes
	case has(root, "steps") > 0 && has(root, "context", "plan_id") > 0:
		return kindPlan
	}
	return ""
}
