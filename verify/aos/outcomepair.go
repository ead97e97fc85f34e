package aos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// repeated are the members that a replay must repeat (PIN-009, StructuredOutcome
// Field Stability).
var repeated = []string{
	"step_id", "status", "code", "cost_cents", "retryable",
	"metadata.skill_id", "metadata.skill_version", "observability.backend_retries",
}

// allowedToDiffer are those that must not matter (PIN-009, Forbidden Fields).
var allowedToDiffer = []string{
	"run_id", "message", "details", "latency_ms", "observability.trace_id", "observability.span_id", "timestamp",
}

// member follows a path of names.
func member(n *jsondoc.Node, path string) *jsondoc.Node {
	for name := range strings.SplitSeq(path, ".") {
		n = n.Get(name)
	}
	return n
}

// sameScalar compares two members that may not be there.
func sameScalar(a, b *jsondoc.Node) bool {
	return isNone(a) && isNone(b) || sameNumber(a, b)
}

// outcomePair judges a replay against its original, step by step in order.
func (j *checker) outcomePair(list []*jsondoc.Node, original *file) {
	old := outcomeList(original)
	if len(list) != len(old) {
		c := j.Fail("pair.count", j.spot(j.doc.Root), "count-differs", fmt.Sprintf("outcome count: %d ≠ %d", len(old), len(list)))
		c.Recorded, c.Observed, c.Input = strconv.Itoa(len(list)), strconv.Itoa(len(old)), original.path
	}
	n := min(len(list), len(old))
	for _, path := range repeated {
		r := j.rule("pair." + path)
		for i := range n {
			a, b := member(old[i], path), member(list[i], path)
			if sameScalar(a, b) {
				continue
			}
			name := path[strings.LastIndex(path, ".")+1:]
			c := r.add(verify.Fail, j.pairOf(i, path), b, "replay-differs",
				fmt.Sprintf("step %s: %s %s ≠ %s", j.stepName(list[i], i), name, brief(a), brief(b)))
			c.Observed, c.Input = shown(a), original.path
		}
		r.end("")
	}
	if mode := j.replayMode(); mode == modeDryRun {
		j.dryRun(list)
	} else {
		j.sideEffects(list[:n], old[:n], original)
	}
	j.allowed(list[:n], old[:n], original)
}

// sideEffects judges that a replay has the original's side effects. Where they are not
// the objects of the schema, which fails, those that are the same have no row of their own.
func (j *checker) sideEffects(list, old []*jsondoc.Node, original *file) {
	r := j.rule("pair.side_effects")
	odd := false
	for i := range list {
		odd = odd || hasOddEffect(list[i]) || hasOddEffect(old[i])
		if effect, recorded, observed := differingEffect(list[i], old[i]); effect >= 0 {
			c := r.add(verify.Fail, j.pairOf(i, "side_effects"), list[i].Get("side_effects"), "side-effect-differs",
				fmt.Sprintf("step %s: side effect %d differs", j.stepName(list[i], i), effect))
			c.Recorded, c.Observed, c.Input = recorded, observed, original.path
		}
	}
	if !odd || len(r.rows.Checks) > 0 {
		r.end("same count, type and target, in order")
	}
}

func hasOddEffect(o *jsondoc.Node) bool {
	effects := o.Get("side_effects")
	return effects != nil && !effects.Is(jsondoc.Array) || slices.ContainsFunc(effects.Items(), func(n *jsondoc.Node) bool { return !n.Is(jsondoc.Object) })
}

// modeDryRun is the mode to "simulate execution without side effects" (PIN-009, Replay
// Modes).
const modeDryRun = "dry_run"

// replayMode is the mode in which the outcomes of a replay came about, where the replay
// trace beside them says so; empty if nothing does.
func (j *checker) replayMode() string {
	beside := slices.Values([]string{stem(j.path) + traceEnding})
	if t := j.find(verify.Input{Role: "replay trace"}, beside, func(f *file) bool { return f.kind == kindReplay }); t != nil {
		return t.doc.Root.Get("replay_mode").Text()
	}
	return ""
}

// dryRun judges that a dry run had no side effects.
func (j *checker) dryRun(list []*jsondoc.Node) {
	r := j.rule("pair.side_effects")
	for i, o := range list {
		if n := o.Get("side_effects"); len(n.Items()) > 0 {
			r.add(verify.Fail, j.pairOf(i, "side_effects"), n, "dry-run-side-effect", "step "+j.stepName(o, i)+": a dry run has no side effects")
		}
	}
	r.end("a dry run has none")
}

// stepName is a step's id within a reason, or its number.
func (j *checker) stepName(o *jsondoc.Node, i int) string {
	if n := o.Get("step_id"); isText(n) {
		return brief(n)
	}
	return strconv.Itoa(i)
}

// differingEffect is the first side effect that is not the original's, -1 if
// none is. Only type and target count (PIN-009, Side-Effect Ordering Guarantee).
func differingEffect(a, b *jsondoc.Node) (i int, recorded, observed string) {
	effects, old := a.Get("side_effects").Items(), b.Get("side_effects").Items()
	show := func(list []*jsondoc.Node, i int) string {
		if i >= len(list) {
			return fmt.Sprintf("%d side effects", len(list))
		}
		if !list[i].Is(jsondoc.Object) {
			return brief(list[i])
		}
		return brief(list[i].Get("type")) + " " + brief(list[i].Get("target"))
	}
	for i := range max(len(effects), len(old)) {
		if i >= min(len(effects), len(old)) || effects[i].Kind() != old[i].Kind() || effects[i].Text() != old[i].Text() ||
			!sameScalar(effects[i].Get("type"), old[i].Get("type")) || !sameScalar(effects[i].Get("target"), old[i].Get("target")) {
			return i, show(effects, i), show(old, i)
		}
	}
	return -1, "", ""
}

// allowed says which members differ and may.
func (j *checker) allowed(list, old []*jsondoc.Node, original *file) {
	var differ []string
	for _, path := range allowedToDiffer {
		for i := range list {
			if !sameJSON(j.doc, member(list[i], path), original.doc, member(old[i], path)) {
				differ = append(differ, path)
				break
			}
		}
	}
	reason := "not compared; none differs"
	if len(differ) > 0 {
		reason = "allowed to differ: " + strings.Join(differ, ", ")
	}
	j.Info("pair.not-compared", verify.Spot{}, "allowed-to-differ", reason).Input = original.path
}
