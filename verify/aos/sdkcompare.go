package aos

import (
	"bytes"
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// sameJSON reports whether Python reads two nodes as equal values.
func sameJSON(docA *jsondoc.Document, a *jsondoc.Node, docB *jsondoc.Document, b *jsondoc.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	textA, okA := dumps(docA, a, compact)
	textB, okB := dumps(docB, b, compact)
	// What can't be told is compared as it is written.
	return okA && okB && bytes.Equal(textA, textB) || bytes.Equal(docA.Raw(a), docB.Raw(b))
}

// short is a value of any type as a check shows it.
func short(doc *jsondoc.Document, n *jsondoc.Node) string {
	const limit = 200
	return verify.Shorten(string(doc.Raw(n)), limit)
}

// sdkPair judges a replay against its original, member by member (SDK, diff).
func (j *checker) sdkPair(original *file) {
	root, old := j.doc.Root, original.doc.Root
	for _, name := range []string{"seed", "timestamp", "tenant_id"} {
		j.pairValue(original, "pair."+name, name, root.Get(name), old.Get(name))
	}
	steps, oldSteps := root.Get("steps").Items(), old.Get("steps").Items()
	j.pairCount(original, "steps", root.Get("steps"), old.Get("steps"))
	for _, name := range []string{"skill_id", "input_hash", "output_hash", "rng_state_before", "outcome", "idempotency_key"} {
		r := j.rule("pair.steps[]." + name)
		for i := range min(len(steps), len(oldSteps)) {
			if a, b := oldSteps[i].Get(name), steps[i].Get(name); !sameJSON(original.doc, a, j.doc, b) && (!isNone(a) || !isNone(b)) {
				c := r.add(verify.Fail, "pair."+at("steps", i, name), b, "replay-differs",
					fmt.Sprintf("step[%d].%s: %s ≠ %s", i, name, brief(a), brief(b)))
				c.Observed, c.Input = shown(a), original.path
			}
		}
		r.end("")
	}
	j.pairValue(original, "pair.root_hash", "root_hash", root.Get("root_hash"), old.Get("root_hash"))
}

// pairValue judges one member of a replay, which must be that of the original.
func (j *checker) pairValue(original *file, field, name string, n, old *jsondoc.Node) {
	var c *verify.Check
	if sameJSON(j.doc, n, original.doc, old) {
		c = j.OK(field, j.spot(n), "")
	} else {
		c = j.Fail(field, j.spot(n), "replay-differs", fmt.Sprintf("%s: %s ≠ %s", name, brief(old), brief(n)))
	}
	c.Observed, c.Input = shown(old), original.path
}

// pairCount judges that a replay has as many elements as its original.
func (j *checker) pairCount(original *file, name string, list, old *jsondoc.Node) bool {
	n, o := len(list.Items()), len(old.Items())
	var c *verify.Check
	if n == o {
		c = j.OK("pair."+name+".count", j.spot(list), "")
	} else {
		c = j.Fail("pair."+name+".count", j.spot(list), "count-differs", fmt.Sprintf("%s count: %d ≠ %d", name, o, n))
	}
	c.Recorded, c.Observed, c.Input = fmt.Sprint(n), fmt.Sprint(o), original.path
	return n == o
}
