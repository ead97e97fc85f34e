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
func (j *checker) traceRecord() {
	root := j.doc.Root
	if n := root.Get("seed"); isInteger(n) {
		j.r.Recording.Seed = shown(n)
	}
	j.r.Recording.InvokedAt = shown(root.Get("started_at"))
	switch n := root.Get("schema_version"); {
	case j.behindBreak(n):
	case n == nil:
		j.Warn("schema_version", j.spot(n), "missing", "is missing; judged as "+recordVersion)
	case n.Text() != recordVersion || !isText(n):
		j.unsupported("schema_version", n, "unknown schema version "+brief(n))
		return
	default:
		j.OK("schema_version", j.spot(n), "")
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
func (j *checker) recordShape() bool {
	before := len(j.Checks)
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
			if len(j.Checks)-before > maxRows {
				return false
			}
		}
	}
	return len(j.Checks) == before
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
func (j *checker) checksum(whole bool) {
	const field = "checksum"
	n := j.doc.Root.Get(field)
	switch {
	case j.behindBreak(n):
		return
	case isNone(n):
		j.Info(field, j.spot(n), "absent", "no checksum was recorded")
		return
	case !whole || j.doc.Err != nil:
		j.Info(field, j.spot(n), "not-compared", "not recomputed: the steps are not whole")
		return
	}
	if sum := checksumOf(j.doc); isText(n) && n.Text() == sum {
		j.OK(field, j.spot(n), "recomputed from the steps").Observed = sum
	} else {
		j.Fail(field, j.spot(n), "checksum-differs", fmt.Sprintf("expected %s, recorded %s", sum, brief(n))).Observed = sum
	}
}

// recordStatus judges the states of the run and of its steps.
func (j *checker) recordStatus() {
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
		j.Fail("status", j.spot(status), "unknown-value", "unknown status "+brief(status))
	case status.Text() == "completed" && len(unfinished) > 0:
		j.Warn("status", j.spot(status), "completed-with-failures", "completed with failed steps: "+strings.Join(unfinished, ", "))
	default:
		j.OK("status", j.spot(status), "")
	}
	j.knownValues(steps, "status", "success", "failure", "retry", "skipped")
}

// recordPlan judges that the steps are those of the plan, in its order. A retry
// is a step that the plan has once.
func (j *checker) recordPlan() {
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
		j.recordRetries(r, i, step, p)
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

// recordRetries judges that a step was not tried again more often than its plan allows.
func (j *checker) recordRetries(r *rule, i int, step, planned *jsondoc.Node) {
	limit, n := planned.Get("retry_policy").Get("max_retries"), step.Get("retry_count")
	most, limited := limit.Float()
	if count, ok := n.Float(); ok && limited && count > most {
		r.add(verify.Fail, at("steps", i, "retry_count"), n, "too-many-retries", brief(n)+" retries, and the plan allows "+brief(limit)).Observed = shown(limit)
	}
}

// sameRounded reports whether two values are equal as step hashes see them.
func (j *checker) sameRounded(a *jsondoc.Node, doc *jsondoc.Document, b *jsondoc.Node) bool {
	textA, _ := dumps(j.doc, a, spaced)
	textB, _ := dumps(doc, b, spaced)
	return bytes.Equal(textA, textB)
}
