package aos

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// rootHash recomputes the root hash of a trace whose hashed members are there,
// as the Python SDK does. foreign says that the JavaScript SDK may write other
// JSON for it.
func rootHash(doc *jsondoc.Document) (hash string, foreign bool) {
	w := pyWriter{doc: doc, form: compact}
	c := newChain(w.start())
	var payload []byte
	for _, step := range doc.Root.Get("steps").Items() {
		payload = w.payload(payload[:0], step)
		c.add(sha256.Sum256(payload))
	}
	return c.hex(), w.foreign
}

// rootHashJS is rootHash as the JavaScript SDK does it; empty if what it would
// write can't be told.
func rootHashJS(doc *jsondoc.Document) string {
	w := pyWriter{doc: doc, form: compact}
	c := newChain(w.start())
	var payload []byte
	for _, step := range doc.Root.Get("steps").Items() {
		payload = w.payload(payload[:0], step)
		hash, err := canonical.Hash(payload)
		if err != nil {
			return ""
		}
		var sum [sha256.Size]byte
		if _, err := hex.Decode(sum[:], []byte(strings.TrimPrefix(hash, "sha256:"))); err != nil {
			return ""
		}
		c.add(sum)
	}
	return c.hex()
}

// start is what the chain starts from: seed, frozen time and tenant.
func (w *pyWriter) start() []byte {
	root := w.doc.Root
	base := append(w.number(nil, root.Get("seed").Text()), ':')
	base = append(append(base, root.Get("timestamp").Text()...), ':')
	return append(base, root.Get("tenant_id").Text()...)
}

// chain is the running hash over the steps.
type chain struct{ text [2*sha256.Size*2 + 1]byte }

func newChain(base []byte) *chain {
	c := new(chain)
	c.text[2*sha256.Size] = ':'
	sum := sha256.Sum256(base)
	hex.Encode(c.text[:], sum[:])
	return c
}

func (c *chain) add(step [sha256.Size]byte) {
	hex.Encode(c.text[2*sha256.Size+1:], step[:])
	sum := sha256.Sum256(c.text[:])
	hex.Encode(c.text[:], sum[:])
}

func (c *chain) hex() string { return string(c.text[:2*sha256.Size]) }

// payload appends the canonical JSON of what is hashed of a step. Members that
// are not there have the defaults of the SDK's loader.
func (w *pyWriter) payload(dst []byte, step *jsondoc.Node) []byte {
	dst = append(dst, '{')
	for i, name := range hashedFields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), '"', ':')
		n := step.Get(name)
		if n == nil && name == "replay_behavior" {
			dst = append(dst, `"execute"`...)
			continue
		}
		dst = w.value(dst, n)
	}
	return append(dst, '}')
}

// commandBudget is the budget that the replay command assumes, in cents.
const commandBudget = "1000"

// sdkInputs looks for the inputs that the steps' input hashes stand for. A
// simulated run hashes its plan and budget; a recorder that hashes each step's
// params can be told by those that match (SDK trace, hash_data).
func (j *checker) sdkInputs(steps []*jsondoc.Node) {
	const field = "steps[].input_hash"
	plan := j.doc.Root.Get("plan")
	if len(steps) == 0 || !plan.Is(jsondoc.Array) || j.doc.Err != nil {
		return
	}
	if n := steps[0].Get("input_hash"); steps[0].Get("skill_id").Text() == "simulate" {
		if budget := j.simulatedBudget(n.Text(), plan); budget != "" {
			j.OK(at("steps", 0, "input_hash"), j.spot(n), "plan matches the hashed input, with a budget of "+budget)
		} else {
			j.Warn(at("steps", 0, "input_hash"), j.spot(n), "input-not-recoverable", "input not recoverable: neither the plan with a budget of 1000 nor with a declared one")
		}
		return
	}
	var odd []int
	matched := 0
	for i, step := range steps {
		n := step.Get("input_hash")
		if !isText(n) {
			continue // the shape of the step says so
		}
		if i >= len(plan.Items()) || !j.hashesTo(plan.Items()[i].Get("params"), n.Text()) {
			odd = append(odd, i)
			continue
		}
		matched++
	}
	switch {
	case len(odd) == 0 && matched == 0:
	case len(odd) == 0:
		j.OK(field, verify.Spot{}, "the plan's params match the hashed inputs")
	case matched == 0 || len(plan.Items()) != len(steps):
		j.Info(field, verify.Spot{}, "input-not-recoverable", "input not recoverable: the inputs are not in the file")
	default:
		r := j.rule(field)
		for _, i := range odd {
			r.add(verify.Warn, at("steps", i, "input_hash"), steps[i].Get("input_hash"), "input-not-recoverable",
				fmt.Sprintf("input not recoverable: the hash is not that of plan[%d].params, as it is for other steps", i))
		}
		r.end("")
	}
}

// hashesTo reports whether want is hash_data of n in either SDK.
func (j *checker) hashesTo(n *jsondoc.Node, want string) bool {
	w := pyWriter{doc: j.doc, form: compact}
	text := w.value(nil, n)
	return n != nil && (hashData(text) == want || w.foreign && hashDataJS(text) == want)
}

// hashDataJS is hash_data of the JavaScript SDK for a text in the Python form;
// empty if what it would write can't be told.
func hashDataJS(text []byte) string {
	hash, err := canonical.Hash(text)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(hash, "sha256:")[:16]
}

// simulatedBudget is the budget with which the plan has the wanted hash, empty
// if none of those that were declared does.
func (j *checker) simulatedBudget(want string, plan *jsondoc.Node) string {
	budgets := []string{commandBudget}
	for _, b := range j.config.Budgets {
		budgets = append(budgets, fmt.Sprint(b))
	}
	for _, name := range []string{"budget", "budget_cents"} {
		if n := j.doc.Root.Get("metadata").Get(name); isInteger(n) {
			budgets = append(budgets, shown(n))
		}
	}
	text, _ := dumps(j.doc, plan, compact)
	for _, b := range budgets {
		hashed := []byte(`{"budget":` + b + `,"plan":` + string(text) + `}`)
		if hashData(hashed) == want || hashDataJS(hashed) == want {
			return b
		}
	}
	return ""
}
