package decision

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Endings of the files that belong together. All share the stem.
const (
	jsonEnding     = ".json"
	decisionEnding = ".decision" + jsonEnding
	routerEnding   = ".x_router" + jsonEnding
	snapshotEnding = ".snapshot" + jsonEnding
	policyEnding   = ".policy" + jsonEnding
)

// file is the text of one file.
type file struct {
	data []byte
	doc  *jsondoc.Document
}

func open(tree *verify.Tree, name string) (*file, error) {
	data, err := tree.ReadFile(name, verify.MaxEvidence)
	if err != nil {
		return nil, err
	}
	return &file{data: data, doc: jsondoc.Parse(data)}, nil
}

// stem is a trace's path without the ending.
func stem(name string) string {
	for _, ending := range []string{decisionEnding, routerEnding, jsonEnding} {
		if s, ok := strings.CutSuffix(name, ending); ok {
			return s
		}
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// companion gives the stem that a snapshot or policy shares with its trace.
func companion(name string) (stem string, is bool) {
	for _, ending := range []string{snapshotEnding, policyEnding} {
		if stem, is = strings.CutSuffix(name, ending); is {
			return stem, true
		}
	}
	return "", false
}

// part is one decision of a file: the whole document, or an element of a list.
type part struct {
	found
	node    *jsondoc.Node
	claimed bool // it should have a trace
	index   int  // in the list; -1 for a document that is none
}

// prefix spells the place of a part, before its fields.
func (p part) prefix() string {
	if p.index < 0 {
		return ""
	}
	return fmt.Sprintf("[%d].", p.index)
}

// maxParts bounds the decisions of one file that are judged.
const maxParts = 256

// parts finds the decisions of a document.
func parts(root *jsondoc.Node) []part {
	if !root.Is(jsondoc.Array) {
		f, claimed := locate(root)
		return []part{{f, root, claimed, -1}}
	}
	var all []part
	for i, item := range root.Items()[:min(maxParts, len(root.Items()))] {
		f, claimed := locate(item)
		all = append(all, part{f, item, claimed, i})
	}
	return all
}

// found is the place of a trace in a document.
type found struct {
	shape string // for people
	trace *jsondoc.Node
	// around is the object that holds the trace and says what came of it: an
	// x_router, an engine's result, a node of a flow; nil for a bare trace.
	around *jsondoc.Node
	// router says that around is an x_router, whose members are fields of that
	// name.
	router bool
}

// locate finds the trace of a document. claimed says of a document without one
// that it is of the kind that should have it.
func locate(root *jsondoc.Node) (f found, claimed bool) {
	switch router := root.Get("x_router"); {
	case router != nil:
		f = found{shape: "completion body", around: router, router: true}
	case root.Get("decision_trace") != nil:
		f = found{shape: "x_router", around: root, router: root.Get("chosen") == nil}
		if !f.router {
			f.shape = "engine result"
		}
	case isResult(root) && looksLikeTrace(root.Get("trace")):
		return found{shape: "router.execute() result", trace: root.Get("trace"), around: root}, true
	case looksLikeTrace(root):
		return found{shape: "decision_trace", trace: root}, true
	default:
		return found{}, isCompletion(root) || root.Get("served_model_id") != nil || root.Get("policy_fingerprint") != nil
	}
	switch t := f.around.Get("decision_trace"); {
	case t.Is(jsondoc.Object) && len(t.Members()) > 0:
		f.trace = t
	case hasList(f.around, "flow_nodes"):
		f.trace = f.around
	}
	return f, true
}

// isResult recognises what router.execute() returns: { ok, response, error, trace, chosen }.
func isResult(n *jsondoc.Node) bool {
	return n.Get("ok") != nil || n.Get("chosen") != nil || n.Get("error") != nil
}

func isCompletion(n *jsondoc.Node) bool {
	choices := n.Get("choices").Items()
	return len(choices) > 0 && (choices[0].Get("message") != nil || choices[0].Get("text") != nil)
}

func looksLikeTrace(n *jsondoc.Node) bool {
	return n.Get("policy_term") != nil || n.Get("decision_path") != nil ||
		n.Get("ranked") != nil && n.Get("rejected") != nil || hasList(n, "flow_nodes")
}

// kinds says what a trace records. That of a flow has a decision in each of its
// nodes, and usually none of its own.
func (f found) kinds() (decides, flows bool) {
	flows = hasList(f.trace, "flow_nodes")
	decides = !flows || !absent(f.trace.Get("policy_term"))
	for _, name := range []string{"ranked", "rejected", "decision_path"} {
		items, ok := list(f.trace.Get(name))
		decides = decides || ok && len(items) > 0
	}
	return decides, flows
}

func hasList(n *jsondoc.Node, name string) bool {
	_, ok := list(n.Get(name))
	return ok
}

// list gives the elements of a list. An empty one may be written {}: an empty
// Lua table has no kind.
func list(n *jsondoc.Node) (items []*jsondoc.Node, ok bool) {
	return n.Items(), n.Is(jsondoc.Array) || n.Is(jsondoc.Object) && len(n.Members()) == 0
}

// absent reports whether a member is missing or null.
func absent(n *jsondoc.Node) bool { return n == nil || n.Is(jsondoc.Null) }

// recordingAt is what the place of a trace alone says about its run.
func recordingAt(name string) verify.Recording {
	return verify.Recording{Name: path.Base(stem(name)), Tool: "unhardcoded"}
}

// record fills in what the trace says about its run.
func (j *checker) record(f found) {
	j.r.Recording.RunKind = "completion"
	if _, flows := f.kinds(); flows {
		j.r.Recording.RunKind = "flow"
	}
	// The year 9999 is the last that ISO 8601 writes with four digits.
	const lastMS = 253402300799999
	if ms, ok := f.trace.Get("started_at_ms").Int(); ok && ms > 0 && ms <= lastMS {
		j.r.Recording.InvokedAt = time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if seed := j.snapshot.value.Context.Seed; seed != nil {
		j.r.Recording.Seed = strconv.FormatFloat(*seed, 'f', -1, 64)
	}
}
