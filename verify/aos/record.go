package aos

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// recordVersion is the schema version of trace records (trace record).
const recordVersion = "1.0.0"

// stepHashed are the members that a step hash covers, sorted (trace record, step
// hash), in the words of the parity comparison.
var stepHashed = []struct{ name, word string }{
	{"outcome_category", "outcome_category"}, {"outcome_code", "outcome_code"}, {"params", "params"},
	{"retry_count", "retries"}, {"skill_name", "skill"}, {"status", "status"}, {"step_index", "step_index"},
}

// traceRecord judges a record that the backend has stored.
func (j *judge) traceRecord() {
	root := j.doc.Root
	if n := root.Get("seed"); isInteger(n) {
		j.r.Recording.Seed = shown(n)
	}
	j.r.Recording.InvokedAt = shown(root.Get("started_at"))
	switch n := root.Get("schema_version"); {
	case j.behindBreak(n):
	case n == nil:
		j.warn("schema_version", n, "missing", "is missing; judged as "+recordVersion)
	case n.Text() != recordVersion || !isText(n):
		j.unsupported("schema_version", n, "unknown schema version "+brief(n))
		return
	default:
		j.ok("schema_version", n, "")
	}
	j.checksum(j.recordShape())
	j.recordStatus()
	j.recordPlan()
	if original := j.original(); original != nil {
		j.recordPair(original)
	}
}

// recordShape fails members of the steps that are missing or of the wrong type,
// and reports whether the steps can be hashed.
func (j *judge) recordShape() bool {
	before := len(j.r.Checks)
	list := j.doc.Root.Get("steps")
	if !list.Is(jsondoc.Array) {
		j.wrong("steps", j.doc.Root, list, "a list")
	}
	for i, step := range list.Items() {
		for _, m := range stepHashed {
			n, field := step.Get(m.name), at("steps", i, m.name)
			switch {
			case m.name == "outcome_code" && isNone(n): // the loader takes it for null
			case m.name == "params":
				if !n.Is(jsondoc.Object) {
					j.wrong(field, step, n, "an object")
				}
			case m.name == "retry_count", m.name == "step_index":
				if !n.Is(jsondoc.Number) {
					j.wrong(field, step, n, "a number")
				}
			case !isText(n):
				j.wrong(field, step, n, "a string")
			}
			if len(j.r.Checks)-before > maxRows {
				return false
			}
		}
	}
	return len(j.r.Checks) == before
}

// stepHash is the hash of what a replay must repeat of a step (trace record,
// step hash).
func stepHash(doc *jsondoc.Document, step *jsondoc.Node) string {
	w := pyWriter{doc: doc, form: spaced}
	text := []byte{'{'}
	for i, m := range stepHashed {
		if i > 0 {
			text = append(text, spaced.item...)
		}
		text = append(append(append(text, '"'), m.name...), `": `...)
		if n := step.Get(m.name); m.name == "params" {
			text = appendPyString(text, string(w.value(nil, n)))
		} else {
			text = w.value(text, n)
		}
	}
	return hashData(append(text, '}'))
}

// checksumOf is the signature over the step hashes (trace record, checksum).
func checksumOf(doc *jsondoc.Document) string {
	var hashes []string
	for _, step := range doc.Root.Get("steps").Items() {
		hashes = append(hashes, stepHash(doc, step))
	}
	return hexOf([]byte(strings.Join(hashes, ":")))[:32]
}

// checksum recomputes the checksum, which AOS itself never reads.
func (j *judge) checksum(whole bool) {
	const field = "checksum"
	n := j.doc.Root.Get(field)
	switch {
	case j.behindBreak(n):
		return
	case isNone(n):
		j.info(field, n, "absent", "no checksum was recorded")
		return
	case !whole || j.doc.Err != nil:
		j.info(field, n, "not-compared", "not recomputed: the steps are not whole")
		return
	}
	if sum := checksumOf(j.doc); isText(n) && n.Text() == sum {
		j.ok(field, n, "recomputed from the steps").Observed = sum
	} else {
		j.fail(field, n, "checksum-differs", fmt.Sprintf("expected %s, recorded %s", sum, brief(n))).Observed = sum
	}
}

// recordStatus judges the states of the run and of its steps.
func (j *judge) recordStatus() {
	root := j.doc.Root
	status, steps := root.Get("status"), root.Get("steps").Items()
	var unfinished []string
	for i, step := range steps {
		const enough = 10
		if s := step.Get("status").Text(); s != "success" && len(unfinished) < enough {
			unfinished = append(unfinished, fmt.Sprint(i))
		}
	}
	switch {
	case !isText(status):
		j.wrong("status", root, status, "a string")
	case !contains([]string{"running", "completed", "failed", "aborted"}, status.Text()):
		j.fail("status", status, "unknown-value", "unknown status "+brief(status))
	case status.Text() == "completed" && len(unfinished) > 0:
		j.warn("status", status, "completed-with-failures", "completed with failed steps: "+strings.Join(unfinished, ", "))
	default:
		j.ok("status", status, "")
	}
	j.knownValues(steps, "status", "success", "failure", "retry", "skipped")
}

// recordPlan judges that the steps are those of the plan, in its order. A retry
// is a step that the plan has once.
func (j *judge) recordPlan() {
	plan := j.doc.Root.Get("plan")
	if !plan.Is(jsondoc.Array) {
		j.wrong("plan", j.doc.Root, plan, "a list")
		return
	}
	r := j.rule("plan")
	k := 0
	for i, step := range j.doc.Root.Get("steps").Items() {
		if step.Get("status").Text() == "retry" {
			continue
		}
		if k >= len(plan.Items()) {
			r.add(verify.Warn, at("steps", i, ""), step, "not-the-plans", fmt.Sprintf("step %d is not the plan's: the plan has %d steps", i, k))
			continue
		}
		p := plan.Items()[k]
		k++
		skill := p.Get("skill")
		switch {
		case skill.Text() != step.Get("skill_name").Text():
			r.add(verify.Warn, at("steps", i, "skill_name"), step.Get("skill_name"), "not-the-plans",
				fmt.Sprintf("step %d is not the plan's: %s ≠ %s", i, brief(step.Get("skill_name")), brief(skill))).Observed = shown(skill)
		case !j.sameRounded(p.Get("params"), j.doc, step.Get("params")):
			c := r.add(verify.Warn, at("steps", i, "params"), step.Get("params"), "not-the-plans", fmt.Sprintf("step %d is not the plan's: its params differ", i))
			c.Recorded, c.Observed = short(j.doc, step.Get("params")), short(j.doc, p.Get("params"))
		}
	}
	if status := j.doc.Root.Get("status").Text(); status == "completed" && k < len(plan.Items()) {
		r.add(verify.Warn, "plan", plan, "plan-not-done", fmt.Sprintf("completed after %d of the plan's %d steps", k, len(plan.Items())))
	}
	r.end("the steps are the plan's")
}

// sameRounded reports whether two values are equal as step hashes see them.
func (j *judge) sameRounded(a *jsondoc.Node, doc *jsondoc.Document, b *jsondoc.Node) bool {
	textA, _ := dumps(j.doc, a, spaced)
	textB, _ := dumps(doc, b, spaced)
	return bytes.Equal(textA, textB)
}

// recordPair judges the parity of a replay with its original: equal checksums,
// recomputed for both. The backend calls a difference in the outcome's code or
// category just a hash mismatch; here it is named.
func (j *judge) recordPair(original *file) {
	const field = "pair.parity"
	steps, old := j.doc.Root.Get("steps").Items(), original.doc.Root.Get("steps").Items()
	sum, oldSum := checksumOf(j.doc), checksumOf(original.doc)
	var c *verify.Check
	if sum == oldSum {
		c = j.ok(field, nil, "parity with the original")
	} else {
		c = j.parityBroken(field, original)
	}
	c.Input = original.path
	if c.Recorded == "" && c.Observed == "" {
		c.Recorded, c.Observed = sum, oldSum
	}
	r := j.rule("pair.cost_cents")
	for i := range min(len(steps), len(old)) {
		if a, b := old[i].Get("cost_cents"), steps[i].Get("cost_cents"); !sameNumber(a, b) {
			c := r.add(verify.Warn, "pair."+at("steps", i, "cost_cents"), b, "cost-differs", "cost differs: the document calls it invariant, the code ignores it")
			c.Observed, c.Input = shown(a), original.path
		}
	}
	r.end("")
}

// parityBroken fails the first member of the first step that differs.
func (j *judge) parityBroken(field string, original *file) *verify.Check {
	steps, old := j.doc.Root.Get("steps").Items(), original.doc.Root.Get("steps").Items()
	words := map[string]string{}
	for _, m := range stepHashed {
		words[m.name] = m.word
	}
	for i := range min(len(steps), len(old)) {
		if stepHash(j.doc, steps[i]) == stepHash(original.doc, old[i]) {
			continue
		}
		for _, name := range []string{"skill_name", "status", "retry_count", "params", "outcome_code", "outcome_category", "step_index"} {
			a, b := old[i].Get(name), steps[i].Get(name)
			if j.sameRounded(b, original.doc, a) {
				continue
			}
			reason := fmt.Sprintf("step %d: %s %s ≠ %s", i, words[name], brief(a), brief(b))
			if name == "params" {
				reason = fmt.Sprintf("step %d: params differ", i)
			}
			c := j.fail(field, b, "parity-broken", reason)
			c.Recorded, c.Observed = short(j.doc, b), short(original.doc, a)
			return c
		}
	}
	return j.fail(field, nil, "parity-broken", fmt.Sprintf("step count: %d ≠ %d", len(old), len(steps)))
}

// sameNumber compares as Python does, where 1 == 1.0; what is no number is
// compared as text.
func sameNumber(a, b *jsondoc.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if isInteger(a) && isInteger(b) || !a.Is(jsondoc.Number) {
		return a.Text() == b.Text()
	}
	x, _ := a.Float()
	y, _ := b.Float()
	return x == y
}
