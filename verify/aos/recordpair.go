package aos

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// recordPair judges the parity of a replay with its original: equal checksums,
// recomputed for both. The backend calls a difference in the outcome's code or
// category just a hash mismatch; here it is named.
func (j *checker) recordPair(original *file) {
	const field = "pair.parity"
	steps, old := j.doc.Root.Get("steps").Items(), original.doc.Root.Get("steps").Items()
	sum, oldSum := checksumOf(j.doc), checksumOf(original.doc)
	var c *verify.Check
	if sum == oldSum {
		c = j.OK(field, verify.Spot{}, "parity with the original")
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
func (j *checker) parityBroken(field string, original *file) *verify.Check {
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
			c := j.Fail(field, j.spot(b), "parity-broken", reason)
			c.Recorded, c.Observed = short(j.doc, b), short(original.doc, a)
			return c
		}
	}
	return j.Fail(field, verify.Spot{}, "parity-broken", fmt.Sprintf("step count: %d ≠ %d", len(old), len(steps)))
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
