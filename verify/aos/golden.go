package aos

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxEvents bounds the lines of a golden. Recordings have one for each step.
const maxEvents = 200_000

// goldenRun is what the lines that were read so far say about the run.
type goldenRun struct {
	j                              *checker
	events, seeds, hashes, secrets *rule

	lines   int
	read    int    // lines that are JSON
	id      string // run_id of the first of these
	seed    string // of the run, as Python writes it; empty when it is not an integer
	planned int64  // steps that the start announces; -1 when it does not
	steps   int
	ended   bool
	status  string // of the end
}

// golden judges the recording of a workflow, line by line, and its signature
// (workflow golden).
func (j *checker) golden() {
	run := &goldenRun{
		j: j, planned: -1, events: j.rule("events"), seeds: j.rule("steps[].seed"),
		hashes: j.rule("steps[].output_hash"), secrets: j.rule("steps[].secrets"),
	}
	for line := range bytes.Lines(j.data) {
		if text := bytes.TrimSpace(line); len(text) > 0 && !run.line(text) {
			break
		}
		j.above++
	}
	run.count()
	j.doc, j.above = nil, 0
	j.r.Recording.Seed = verify.Shorten(run.seed, verify.MaxValue)
	run.events.end(fmt.Sprintf("start, %d steps, end", run.steps))
	run.seeds.end("derived from the run's seed")
	run.hashes.end("recomputed from the outputs")
	j.signature()
	run.secrets.end("nothing that looks like a secret")
}

// line judges one line, and reports whether to go on.
func (run *goldenRun) line(text []byte) bool {
	const tooMany = "has more events than can be judged"
	j := run.j
	if run.lines++; run.lines > maxEvents {
		if j.r.Unchecked == "" {
			j.r.Unchecked = tooMany
		}
		run.events.keep(verify.Fail, "events", nil, "too-large", tooMany).Location.Line = j.above + 1
		return false
	}
	j.doc = jsondoc.Parse(text)
	if damage := j.doc.Damage(); damage.Code != "" {
		reason := verify.Shorten("the line "+damage.Reason, verify.MaxValue)
		add := run.events.add
		if j.r.Unchecked == "" {
			j.r.Unchecked, add = reason, run.events.keep
		}
		c := add(verify.Fail, "json", nil, damage.Code, reason)
		c.Location.Line, c.Location.Column = j.above+1, damage.Column
		if run.lines > 1 {
			run.steps++ // most likely; the lines behind it keep their numbers
		}
		return true
	}
	for _, p := range j.doc.Problems {
		c := run.events.add(verify.Fail, "json", nil, p.Code, strings.TrimSpace(p.Field+" "+p.Reason))
		c.Location.Line, c.Location.Column = j.above+1, p.Column
	}
	run.read++
	event := j.doc.Root
	run.order(event)
	switch data := event.Get("data"); event.Get("event_type").Text() {
	case "run_start":
		run.start(data)
	case "step":
		run.step(data)
	case "run_end":
		run.ended, run.status = true, strings.Clone(data.Get("status").Text())
		if !contains([]string{"completed", "failed", "aborted", "budget_exceeded"}, run.status) {
			run.events.add(verify.Warn, "run_end.status", data.Get("status"), "unknown-value", "unknown status "+brief(data.Get("status")))
		}
	}
	return true
}

// order judges that the event belongs to the run and stands where it may.
func (run *goldenRun) order(event *jsondoc.Node) {
	kind, id := event.Get("event_type"), event.Get("run_id")
	field := fmt.Sprintf("events[%d]", run.lines-1)
	bad := func(n *jsondoc.Node, code, reason string) {
		c := run.events.add(verify.Fail, field, n, code, reason)
		c.Location.Line = run.j.above + 1
	}
	switch {
	case run.read == 1 && isText(id):
		run.id = strings.Clone(id.Text())
	case !isText(id) || id.Text() != run.id:
		bad(id, "run-differs", "is of another run: "+brief(id))
	}
	switch t := kind.Text(); {
	case t != "run_start" && t != "step" && t != "run_end":
		bad(kind, "unknown-value", "unknown event_type "+brief(kind))
	case run.ended:
		bad(kind, "event-order", "event order: "+t+" after the end of the run")
	case (t == "run_start") != (run.lines == 1):
		bad(kind, "event-order", "event order: the run must begin with its only run_start")
	case t == "step":
		if n := event.Get("data").Get("index"); !isInteger(n) || n.Text() != strconv.Itoa(run.steps) {
			bad(n, "event-order", fmt.Sprintf("event order: step %s where step %d belongs", brief(n), run.steps))
		}
	}
}

// count judges, after the last line, that nothing is missing.
func (run *goldenRun) count() {
	switch {
	case run.j.r.Unchecked != "":
	case !run.ended:
		run.events.add(verify.Fail, "run_end", nil, "missing-end", "missing end: the file has no run_end")
	case run.planned >= 0 && (int64(run.steps) > run.planned || run.status == "completed" && int64(run.steps) < run.planned):
		c := run.events.add(verify.Fail, "run_start.steps_count", nil, "count-differs", fmt.Sprintf("the run announces %d steps and has %d", run.planned, run.steps))
		c.Recorded, c.Observed = fmt.Sprint(run.planned), fmt.Sprint(run.steps)
	}
}

// start takes what the steps are judged by from the run_start.
func (run *goldenRun) start(data *jsondoc.Node) {
	if n := data.Get("steps_count"); n.Is(jsondoc.Number) {
		if count, ok := n.Int(); ok {
			run.planned = count
		}
	}
	if n := data.Get("seed"); isInteger(n) {
		run.seed = string((&pyWriter{}).number(nil, n.Text()))
	} else {
		run.seeds.add(verify.Fail, "run_start.seed", n, "wrong-type", "must be an integer, is "+n.Kind().String())
	}
}

// step judges what a step derives from the rest of the recording.
func (run *goldenRun) step(data *jsondoc.Node) {
	j, i := run.j, run.steps
	run.steps++
	seed := data.Get("seed")
	if run.seed != "" {
		if want := stepSeed(run.seed, i); !isInteger(seed) || seed.Text() != want {
			run.seeds.add(verify.Fail, at("steps", i, "seed"), seed, "seed-differs", fmt.Sprintf("expected %s, recorded %s", want, brief(seed))).Observed = want
		}
	}
	hash, field := data.Get("output_hash"), at("steps", i, "output_hash")
	text, ok := dumps(j.doc, data.Get("output"), output)
	switch want := hashData(text); {
	case !ok:
		run.hashes.add(verify.Fail, field, hash, "cannot-judge", "can't be recomputed: a name in the output holds half of a surrogate pair")
	case !isText(hash) || hash.Text() != want:
		run.hashes.add(verify.Fail, field, hash, "output-edited", "output edited: its hash is "+want+", recorded is "+brief(hash)).Observed = want
	}
	for _, name := range []string{"inputs", "output"} {
		run.secret(at("steps", i, name), data.Get(name))
	}
}

// stepSeed is the seed of step i: the first 64 bits of the SHA-256 of
// "seed:index" as an unsigned number, which overflows int64 and float64.
func stepSeed(seed string, i int) string {
	first, _ := strconv.ParseUint(hexOf([]byte(seed + ":" + strconv.Itoa(i)))[:16], 16, 64)
	return strconv.FormatUint(first, 10)
}

// volatile are the members that an output hash leaves out (workflow golden).
var volatile = []string{
	"timestamp", "ts", "created_at", "updated_at", "started_at", "ended_at", "duration_ms",
	"latency_ms", "request_id", "trace_id", "span_id", "correlation_id",
}

// goldenMembers lower-cases the names of members that are sorted by them, and
// drops volatile ones, nulls, and all but the first of names that collide.
func goldenMembers(members []jsondoc.Member) []jsondoc.Member {
	kept := members[:0]
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		m.Name = pyLower(m.Name)
		if seen[m.Name] || m.Value.Is(jsondoc.Null) || contains(volatile, m.Name) {
			continue
		}
		seen[m.Name] = true
		kept = append(kept, m)
	}
	return sortedByName(kept)
}
