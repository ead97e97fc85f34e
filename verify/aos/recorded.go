package aos

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Record reads what a run left behind (verify.Recorder). A run is named by its ids and
// times alone: what it pins is no part of its name, or an edit of that would make it
// another run. What a replay need not repeat by the document's tables is noted, all else
// is claimed (PIN-009, Field Stability Tables).
func (Format) Record(e *verify.Evidence) verify.Record {
	f := open(e.Tree, e.Path)
	if f.err != nil || f.kind == "" || verify.DamageOf(f.data).Code != "" {
		return verify.Record{}
	}
	var rec verify.Record
	switch f.kind {
	case kindSDKTrace:
		rec = f.recordedSDKTrace()
	case kindRecord:
		rec = f.recordedRecord()
	case kindGolden:
		rec = f.recordedGolden()
		rec.Values = append(rec.Values, recordedSignature(e)...)
		slices.SortFunc(rec.Values, func(a, b verify.Value) int { return cmp.Compare(a.Path, b.Path) })
	case kindOutcomes:
		rec = f.recordedOutcomes()
	case kindPlan:
		rec = verify.Record{Identity: named(f.kind, f.doc.Root.Get("plan_id")), Values: f.values("created_at")}
		rec.Subject = rec.Identity
	case kindReplay:
		root := f.doc.Root
		rec = verify.Record{Identity: named(f.kind, root.Get("trace_id"), root.Get("original_run_id")), Values: f.values("trace_id", "timestamp", "created_at")}
		rec.Subject = named(f.kind, root.Get("original_run_id"))
	}
	slices.Sort(rec.Traces)
	rec.Traces = slices.Compact(rec.Traces)
	return rec
}

// named is an identity made of the members that name a run; empty if none is there.
func named(k kind, ids ...*jsondoc.Node) string {
	parts := []string{string(k)}
	for _, n := range ids {
		if n.Text() != "" && !n.Is(jsondoc.Null) {
			parts = append(parts, verify.Shorten(n.Text(), verify.MaxValue))
		}
	}
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts, "\n")
}

// traceOf is a trace of a run, as a hash.
func traceOf(what string, parts ...string) string {
	return hexOf([]byte(what + "\x00" + strings.Join(parts, "\x00")))
}

var position = regexp.MustCompile(`\[[0-9]+\]`)

// shape is a path without the positions in lists: "steps[].timestamp".
func shape(path string) string { return position.ReplaceAllString(path, "[]") }

// values are all scalars of the document. Those at noted, or below it, need not be
// repeated.
func (f *file) values(noted ...string) []verify.Value {
	return f.doc.Recorded(f.doc.Root, weighing(noted))
}

func weighing(noted []string) func(path string) (verify.Weight, bool) {
	return func(path string) (verify.Weight, bool) {
		p := shape(path)
		for _, n := range noted {
			if rest, ok := strings.CutPrefix(p, n); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return verify.Noted, true
			}
		}
		return verify.Claimed, true
	}
}

// recordedSDKTrace: the frozen time and the seed name a run of the SDK, and so that a run
// repeated under both is another one, the time of its first step. The root hash covers
// what is hashed and is computed anew whenever a trace is judged, so that it is no claim
// of its own. A run with other inputs has other outputs.
func (f *file) recordedSDKTrace() verify.Record {
	root := f.doc.Root
	var first *jsondoc.Node
	if steps := root.Get("steps").Items(); len(steps) > 0 {
		first = steps[0].Get("timestamp")
	}
	rec := verify.Record{
		Identity: named(f.kind, root.Get("metadata").Get("run_id"), root.Get("timestamp"), root.Get("seed"), first),
		Values:   f.values("timestamp", "root_hash", "metadata", "steps[].duration_ms", "steps[].timestamp"),
	}
	outputs := []string{}
	for _, step := range root.Get("steps").Items() {
		at, hash := step.Get("timestamp").Text(), step.Get("output_hash").Text()
		outputs = append(outputs, step.Get("skill_id").Text(), hash)
		if at != "" && hash != "" {
			rec.Traces = append(rec.Traces, traceOf("step", at, hash))
		}
	}
	if len(outputs) > 0 {
		rec.Traces = append(rec.Traces, traceOf("outputs", outputs...))
	}
	return rec
}

// recordedRecord: the backend's ids and its start name a run; what it answered, and
// when, only it can have left.
func (f *file) recordedRecord() verify.Record {
	root := f.doc.Root
	rec := verify.Record{
		Identity: named(f.kind, root.Get("run_id"), root.Get("started_at")),
		Subject:  named(f.kind, root.Get("run_id")),
		Values: f.values("run_id", "correlation_id", "started_at", "completed_at", "frozen_timestamp", "root_hash", "metadata",
			"replay_attempt_id", "steps[].duration_ms", "steps[].timestamp"),
	}
	if id := root.Get("correlation_id"); isText(id) && id.Text() != "" {
		rec.Traces = append(rec.Traces, traceOf("correlation", id.Text()))
	}
	for _, step := range root.Get("steps").Items() {
		if at := step.Get("timestamp").Text(); at != "" {
			text, _ := dumps(f.doc, step.Get("outcome_data"), compact)
			rec.Traces = append(rec.Traces, traceOf("step", at, string(text)))
		}
	}
	return rec
}

// recordedOutcomes: each outcome carries the id of its run and of its call.
func (f *file) recordedOutcomes() verify.Record {
	noted := []string{"$comment", "side_effects[].timestamp"}
	noted = append(noted, allowedToDiffer...)
	if f.doc.Root.Is(jsondoc.Array) {
		for i, n := range noted {
			noted[i] = "[]." + n
		}
	}
	rec := verify.Record{Values: f.values(noted...)}
	for _, o := range outcomeList(f) {
		if rec.Identity == "" {
			rec.Identity = named(f.kind, o.Get("run_id"))
			rec.Subject = rec.Identity
		}
		for _, name := range []string{"trace_id", "span_id"} {
			if id := o.Get("observability").Get(name); isText(id) && id.Text() != "" {
				rec.Traces = append(rec.Traces, traceOf(name, id.Text()))
			}
		}
		if at := o.Get("timestamp"); isText(at) && isText(o.Get("step_id")) {
			rec.Traces = append(rec.Traces, traceOf("step", at.Text(), o.Get("step_id").Text()))
		}
	}
	return rec
}

// recordedGolden: run_id and the time of the start name a run of a workflow. What stands
// in its lines may be secret, and is then compared and not shown.
func (f *file) recordedGolden() verify.Record {
	var rec verify.Record
	i, line := 0, 0
	for raw := range bytes.Lines(f.data) {
		line++
		text := bytes.TrimSpace(raw)
		if len(text) == 0 {
			continue
		}
		doc := jsondoc.Parse(text)
		event := doc.Root
		if i == 0 {
			rec.Identity = named(f.kind, event.Get("run_id"), event.Get("timestamp"))
			rec.Subject = named(f.kind, event.Get("run_id"))
		}
		if hash := event.Get("data").Get("output_hash").Text(); hash != "" && event.Get("timestamp").Text() != "" {
			rec.Traces = append(rec.Traces, traceOf("step", event.Get("timestamp").Text(), hash))
		}
		prefix := fmt.Sprintf("events[%d]", i)
		for _, v := range doc.Recorded(event, weighGolden) {
			v.Path, v.Line = prefix+"."+v.Path, line
			if isSecret(v) {
				v.Shown = ""
			}
			rec.Values = append(rec.Values, v)
		}
		if i++; i == maxEvents || len(rec.Values) >= maxGoldenValues {
			break
		}
	}
	return rec
}

// maxGoldenValues bounds what is compared of a golden.
const maxGoldenValues = 200_000

// weighGolden: what an output hash leaves out is no claim, nor what names the run.
func weighGolden(path string) (verify.Weight, bool) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	if path == "run_id" || path == "timestamp" || strings.HasPrefix(path, "data.output.") && contains(volatile, pyLower(last)) {
		return verify.Noted, true
	}
	return verify.Claimed, true
}

// isSecret says that the text of a value, or the name of a member it belongs to, is that
// of a secret.
func isSecret(v verify.Value) bool {
	if holdsSecret(v.Text) {
		return true
	}
	for name := range strings.FieldsFuncSeq(v.Path, func(r rune) bool { return strings.ContainsRune(`.[]"`, r) }) {
		if isSensitive(name) {
			return true
		}
	}
	return false
}

// recordedSignature is what the file beside a golden holds.
func recordedSignature(e *verify.Evidence) []verify.Value {
	data, err := e.Tree.ReadFile(e.Path+signatureEnding, maxSignature)
	if err != nil {
		return nil
	}
	text := string(bytes.TrimSpace(data))
	return []verify.Value{{Path: ".sig", Text: text, Shown: verify.Shorten(text, 2*len(hexOf(nil)))}}
}
