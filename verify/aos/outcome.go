package aos

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// outcomeField is one property of the StructuredOutcome schema (draft-07).
type outcomeField struct {
	name     string
	required bool
	cause    func(*jsondoc.Node) string // what is wrong with a value; empty if nothing
}

var codePattern = regexp.MustCompile(`^[A-Z0-9_-]+$`)

// outcomeSchema lists the properties; there are no others.
var outcomeSchema = []outcomeField{
	{"run_id", false, mustBe("a string", jsondoc.String)},
	{"step_id", false, mustBe("a string", jsondoc.String)},
	{"status", true, func(n *jsondoc.Node) string {
		if !isText(n) || !contains([]string{"success", "failure", "partial", "skipped"}, n.Text()) {
			return "must be success, failure, partial or skipped"
		}
		return ""
	}},
	{"code", true, mustBe("a string", jsondoc.String)},
	{"message", true, mustBe("a string", jsondoc.String)},
	{"details", false, mustBe("an object or null", jsondoc.Object, jsondoc.Null)},
	{"cost_cents", true, wholeNumber},
	{"latency_ms", true, wholeNumber},
	{"retryable", false, mustBe("a boolean", jsondoc.Bool)},
	{"side_effects", false, func(n *jsondoc.Node) string {
		if !n.Is(jsondoc.Array) {
			return "must be a list"
		}
		for i, item := range n.Items() {
			if !item.Is(jsondoc.Object) {
				return fmt.Sprintf("element %d must be an object", i)
			}
		}
		return ""
	}},
	{"metadata", false, mustBe("an object", jsondoc.Object)},
	{"observability", false, func(n *jsondoc.Node) string {
		if !n.Is(jsondoc.Object) {
			return "must be an object"
		}
		for _, name := range []string{"trace_id", "span_id"} {
			if m := n.Get(name); m != nil && !isText(m) {
				return name + " must be a string"
			}
		}
		if m := n.Get("backend_retries"); m != nil && wholeNumber(m) != "" {
			return "backend_retries " + wholeNumber(m)
		}
		return ""
	}},
	{"timestamp", true, func(n *jsondoc.Node) string {
		if _, err := time.Parse(time.RFC3339, strings.ToUpper(n.Text())); !isText(n) || err != nil {
			return "must be a date and time with its zone, such as 2025-12-01T06:30:15Z"
		}
		return ""
	}},
}

// tolerated are members of the repository's own sample that its schema lacks.
var tolerated = []string{"$comment", "_replay_assertion"}

func mustBe(what string, kinds ...jsondoc.Kind) func(*jsondoc.Node) string {
	return func(n *jsondoc.Node) string {
		for _, k := range kinds {
			if n.Is(k) {
				return ""
			}
		}
		return "must be " + what + ", is " + n.Kind().String()
	}
}

// wholeNumber is the schema's integer of at least 0, which 1.0 is as well.
func wholeNumber(n *jsondoc.Node) string {
	f, ok := n.Float()
	if !ok || f < 0 || f != math.Trunc(f) {
		return "must be an integer of at least 0"
	}
	return ""
}

// outcomeList is the outcomes of a file, of which there may be only one.
func outcomeList(f *file) []*jsondoc.Node {
	if root := f.doc.Root; root.Is(jsondoc.Array) {
		return root.Items()
	}
	return []*jsondoc.Node{f.doc.Root}
}

// outcome spells the field of outcome i.
func (j *checker) outcome(i int, name string) string {
	if j.doc.Root.Is(jsondoc.Array) {
		return at("", i, name)
	}
	return name
}

// pairOf spells the field of a pair of outcomes.
func (j *checker) pairOf(i int, name string) string {
	if j.doc.Root.Is(jsondoc.Array) {
		return at("pair", i, name)
	}
	return "pair." + name
}

// outcomes judges what the steps of a run have returned.
func (j *checker) outcomes() {
	list := outcomeList(j.file)
	if len(list) == 0 {
		j.unreadable(j.spot(j.doc.Root), "empty", "is a list without outcomes: nothing was recorded")
		if original := j.original(); original != nil {
			j.outcomePair(list, original)
		}
		return
	}
	j.outcomeSchema(list)
	j.outcomeCodes(list)
	plan := j.find(verify.Input{Role: "plan"}, slices.Values(plans(j.path)), func(f *file) bool { return f.kind == kindPlan && sharesSteps(f, list) })
	j.outcomeSkills(list, plan)
	j.assertions(list)
	if original := j.original(); original != nil {
		j.outcomePair(list, original)
	}
	if plan != nil {
		j.budget(list, plan)
		j.retries(list, plan)
	}
}

// outcomeSchema judges the shape of each outcome.
func (j *checker) outcomeSchema(list []*jsondoc.Node) {
	r := j.rule("schema")
	for i, o := range list {
		if !o.Is(jsondoc.Object) {
			r.add(verify.Fail, j.outcome(i, ""), o, "schema", "must be an object, is "+o.Kind().String())
			continue
		}
		for _, f := range outcomeSchema {
			n := o.Get(f.name)
			switch {
			case n == nil && f.required && j.doc.Err == nil:
				r.add(verify.Fail, j.outcome(i, f.name), o, "missing", "field "+f.name+": is missing")
			case n != nil && f.cause(n) != "":
				r.add(verify.Fail, j.outcome(i, f.name), n, "schema", "field "+f.name+": "+f.cause(n))
			}
		}
		for _, m := range o.Members() {
			if !isProperty(m.Name) {
				name := verify.Shorten(m.Name, 64)
				r.add(verify.Fail, j.outcome(i, name), m.Value, "unknown-field", "field "+name+": is not in the schema")
			}
		}
	}
	r.end(fmt.Sprintf("%d outcomes", len(list)))
}

func isProperty(name string) bool {
	for _, f := range outcomeSchema {
		if f.name == name {
			return true
		}
	}
	return contains(tolerated, name)
}
