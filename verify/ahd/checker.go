package ahd

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// checker collects the checks of one sidecar.
type checker struct {
	*sidecar
	verify.Rows
	r verify.Result
}

// at is where n stands, for a row about it.
func (s *sidecar) at(n *jsondoc.Node) verify.Spot { return s.doc.Spot(n) }

// member is parent's member called name, if it is of a wanted type; else it
// fails the field and is nil. A member that a broken text lacks may have stood
// behind the break and is not reported.
func (j *checker) member(parent *jsondoc.Node, name, field string, want ...jsondoc.Kind) *jsondoc.Node {
	n := parent.Get(name)
	if n == nil {
		if !j.broken() {
			j.Fail(field, j.at(parent), "missing", "is missing")
		}
		return nil
	}
	for _, k := range want {
		if n.Is(k) {
			return n
		}
	}
	c := j.Fail(field, j.at(n), "wrong-type", mustBe(n, want...))
	if name == requestIDs {
		c.Recorded = "" // not even a misplaced request id is shown
	}
	return nil
}

// text is the member as a string that is not blank.
func (j *checker) text(parent *jsondoc.Node, name, field string) *jsondoc.Node {
	n := j.member(parent, name, field, jsondoc.String)
	if n != nil && strings.TrimSpace(n.Text()) == "" {
		j.Fail(field, j.at(n), "empty", "must not be empty")
		return nil
	}
	return n
}

// texts is the member as a list of strings that was read to its end.
func (j *checker) texts(parent *jsondoc.Node, name, field string) (list *jsondoc.Node, ok bool) {
	list = j.member(parent, name, field, jsondoc.Array)
	if !j.whole(list) {
		return nil, false
	}
	for i, item := range list.Items() {
		if !isText(item) {
			j.Fail(field, j.at(item), "wrong-type", fmt.Sprintf("element %d %s", i+1, mustBe(item, jsondoc.String))).Recorded = ""
			return nil, false
		}
	}
	return list, true
}

// mustBe words a wrong type: "must be a string or null, is a number".
func mustBe(n *jsondoc.Node, want ...jsondoc.Kind) string {
	names := make([]string, len(want))
	for i, k := range want {
		names[i] = k.String()
	}
	return fmt.Sprintf("must be %s, is %s", strings.Join(names, " or "), n.Kind())
}

// document judges the text as JSON, and reports whether there is an object
// with fields to go on with.
func (j *checker) document() bool {
	root := j.doc.Root
	if d := j.doc.Damage(); d.Code != "" {
		j.r.Unchecked = verify.Shorten(d.Reason, verify.MaxValue)
		j.Fail("json", d.Spot(), d.Code, d.Reason)
	} else if !root.Is(jsondoc.Object) {
		j.r.Unchecked = mustBe(root, jsondoc.Object)
		j.Fail("json", j.at(root), "wrong-type", j.r.Unchecked)
	}
	for _, p := range j.doc.Problems {
		j.Fail(problemField(p.Field), verify.Spot{Line: p.Line, Column: p.Column}, p.Code, p.Reason)
	}
	return root.Is(jsondoc.Object)
}

// problemField cuts a path at the request ids: what stands where an id belongs
// is not shown, not even as the name of a member.
func problemField(field string) string {
	if i := strings.Index(field, requestIDs); i >= 0 {
		return field[:i+len(requestIDs)]
	}
	if field == "" {
		return "json"
	}
	return field
}
