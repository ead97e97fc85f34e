package aos

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const assertionField = "_replay_assertion"

// maxAssertions bounds the paths of one block. Each may look at all side effects.
const maxAssertions = 100

// assertions judges the block in which an outcome itself says what a replay must
// find: deterministic_fields maps paths to values (schema samples, replayable).
func (j *checker) assertions(list []*jsondoc.Node) {
	const stated = "deterministic_fields"
	r := j.rule(assertionField)
	found := false
	for i, o := range list {
		block := o.Get(assertionField)
		if block == nil {
			continue
		}
		found = true
		fields := block.Get(stated)
		if !fields.Is(jsondoc.Object) {
			r.add(verify.Fail, j.outcome(i, assertionField), block, "wrong-type", stated+" must be an object")
		}
		members := fields.Members()
		if len(members) > maxAssertions {
			r.add(verify.Fail, j.outcome(i, assertionField), fields, "too-large", fmt.Sprintf("has more than %d paths; the first are judged", maxAssertions))
			members = members[:maxAssertions]
		}
		for _, m := range members {
			if isForbidden(m.Name) {
				r.add(verify.Fail, j.outcome(i, assertionField), m.Value, "determinism-violation",
					verify.Shorten(m.Name, 100)+" must never matter to a replay")
				continue
			}
			if recorded, ok := j.holds(o, m.Name, m.Value); !ok {
				c := r.add(verify.Fail, j.outcome(i, assertionField), m.Value, "assertion-fails",
					fmt.Sprintf("%s: expected %s, found %s", verify.Shorten(m.Name, 100), brief(m.Value), recorded))
				c.Observed = recorded
			}
		}
	}
	if found {
		r.end("each path holds")
	}
}

// forbidden are the members that must never influence a replay assertion; "any code path
// that uses these fields to make decisions MUST be flagged as a determinism violation"
// (PIN-009, Forbidden Fields).
var forbidden = regexp.MustCompile(`(?:^|[.\]])(?:timestamp|latency_ms|trace_id|span_id|message)$|^details\.(?:response_body|llm_output)(?:$|[.\[])`)

func isForbidden(path string) bool { return forbidden.MatchString(path) }

// holds evaluates a path such as "metadata.skill_id", "side_effects.length" or
// "side_effects[*].type", and reports what of it is not as expected.
func (j *checker) holds(o *jsondoc.Node, path string, want *jsondoc.Node) (found string, ok bool) {
	head, rest, each := strings.Cut(path, "[*]")
	if each {
		list := member(o, head)
		if !list.Is(jsondoc.Array) {
			return brief(list), false
		}
		for _, item := range list.Items() {
			n := item
			if rest = strings.TrimPrefix(rest, "."); rest != "" {
				n = member(item, rest)
			}
			if !j.equal(n, want) {
				return brief(n), false
			}
		}
		return "", true
	}
	n := member(o, path)
	if list, isLength := strings.CutSuffix(path, ".length"); n == nil && isLength {
		length := strconv.Itoa(len(member(o, list).Items()))
		return length, member(o, list).Is(jsondoc.Array) && want.Text() == length
	}
	return brief(n), j.equal(n, want)
}

// equal compares two values of the document as Python does.
func (j *checker) equal(a, b *jsondoc.Node) bool {
	return a != nil && (a.Is(jsondoc.Number) && sameNumber(a, b) || sameJSON(j.doc, a, j.doc, b))
}
