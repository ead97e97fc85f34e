package decision

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Record reads what a decision left behind (verify.Recorder). A completion's id names it,
// and where there is none the time at which it began, to the millisecond; never its policy
// or what was chosen, which an edit would change along with it.
func (Format) Record(e *verify.Evidence) verify.Record {
	own, err := open(e.Tree, e.Path)
	if err != nil || own.doc.Damage().Code != "" {
		return verify.Record{}
	}
	all := parts(own.doc.Root)
	if !slices.ContainsFunc(all, func(p part) bool { return p.trace != nil }) {
		return verify.Record{}
	}
	rec := verify.Record{Values: own.doc.Recorded(own.doc.Root, weigh)}
	for _, p := range all {
		// Decisions are appended to a list, so its first one names it.
		if id := p.identity(); rec.Identity == "" && id != "" {
			rec.Identity, rec.Subject = id, id
		}
		rec.Traces = append(rec.Traces, p.left(own.doc)...)
	}
	slices.Sort(rec.Traces)
	rec.Traces = slices.Compact(rec.Traces)
	return rec
}

// identity names the run, if it has a name.
func (p part) identity() string {
	if p.trace == nil {
		return ""
	}
	for _, n := range []*jsondoc.Node{p.node.Get("id"), p.around.Get("request_id"), p.trace.Get("started_at_ms")} {
		if text := n.Text(); text != "" && !absent(n) {
			return verify.Shorten(text, verify.MaxValue)
		}
	}
	return ""
}

// minResponse is how long an answer is, in bytes, that no other run gives by chance.
const minResponse = 32

// left are what only this run can have left, as hashes: the id that the provider gave it,
// its answer, and the times that its attempts took.
func (p part) left(doc *jsondoc.Document) []string {
	var traces []string
	add := func(what string, text []byte) {
		sum := sha256.Sum256(append([]byte(what+"\x00"), text...))
		traces = append(traces, hex.EncodeToString(sum[:]))
	}
	if id := p.node.Get("id"); id.Is(jsondoc.String) && id.Text() != "" {
		add("id", []byte(id.Text()))
	}
	for _, answer := range []*jsondoc.Node{p.node.Get("choices"), p.node.Get("response")} {
		if text := doc.Raw(answer); len(text) >= minResponse {
			var said strings.Builder
			said.Grow(len(text))
			for _, v := range doc.Recorded(answer, all) {
				said.WriteString(v.Path + "\x00" + v.Text + "\x00")
			}
			add("answer", []byte(said.String()))
		}
	}
	if took := p.took(); len(took) > 0 {
		add("took", []byte(strings.Join(took, " ")))
	}
	return traces
}

func all(string) (verify.Weight, bool) { return verify.Claimed, true }

// took are the times of the attempts and of the whole, of a decision or of the nodes of a
// flow; none where nothing was attempted.
func (p part) took() []string {
	traces := []*jsondoc.Node{p.trace}
	nodes, _ := list(p.trace.Get("flow_nodes"))
	for _, n := range nodes[:min(len(nodes), maxFlowNodes)] {
		traces = append(traces, n.Get("decision_trace"))
	}
	var took []string
	for _, t := range traces {
		path, _ := list(t.Get("decision_path"))
		for _, step := range path {
			if ms := step.Get("latency_ms"); ms.Is(jsondoc.Number) {
				took = append(took, ms.Text())
			}
		}
	}
	if len(took) > 0 {
		took = append(took, p.trace.Get("total_latency_ms").Text())
	}
	return took
}

// noted are the members that do not matter to a decision: what names the run, when, and
// how long.
var noted = regexp.MustCompile(`(?:^|\.)(?:started_at_ms|total_latency_ms|latency_ms|error_message|created)$`)

// runNames are the members of a document, or of an element of a list, that name the run.
var runNames = regexp.MustCompile(`^(?:\[[0-9]+\]\.)?(?:id|request_id|x_router\.request_id)$`)

// weigh: a trace is "the proof object, which models were considered, why each passed or
// failed, what was used, and how to reproduce it" (Traces); all of that is claimed.
func weigh(path string) (verify.Weight, bool) {
	if noted.MatchString(path) || runNames.MatchString(path) {
		return verify.Noted, true
	}
	return verify.Claimed, true
}
