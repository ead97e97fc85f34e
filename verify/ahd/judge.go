package ahd

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// judge collects the checks of one sidecar.
type judge struct {
	*sidecar
	r verify.Result
}

// check adds a check of field that shows n and points at it. The caller may
// fill in more through the returned pointer, until the next check.
func (j *judge) check(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	line, column := j.doc.Position(n)
	j.r.Checks = append(j.r.Checks, verify.Check{
		Field:    verify.Shorten(field, verify.MaxValue),
		Status:   status,
		Code:     code,
		Reason:   verify.Shorten(reason, verify.MaxValue),
		Recorded: shown(n),
		Location: verify.Location{Path: j.e.Path, Line: line, Column: column},
	})
	return &j.r.Checks[len(j.r.Checks)-1]
}

func (j *judge) ok(field string, n *jsondoc.Node, reason string) *verify.Check {
	return j.check(verify.OK, field, n, "", reason)
}

func (j *judge) fail(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Fail, field, n, code, reason)
}

func (j *judge) warn(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Warn, field, n, code, reason)
}

func (j *judge) info(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Info, field, n, code, reason)
}

// member is parent's member called name, if it is of a wanted type; else it
// fails the field and is nil. A member that a broken text lacks may have stood
// behind the break and is not reported.
func (j *judge) member(parent *jsondoc.Node, name, field string, want ...jsondoc.Kind) *jsondoc.Node {
	n := parent.Get(name)
	if n == nil {
		if !j.broken() {
			j.fail(field, parent, "missing", "is missing")
		}
		return nil
	}
	for _, k := range want {
		if n.Is(k) {
			return n
		}
	}
	c := j.fail(field, n, "wrong-type", mustBe(n, want...))
	if name == requestIDs {
		c.Recorded = "" // not even a misplaced request id is shown
	}
	return nil
}

// text is the member as a string that is not blank.
func (j *judge) text(parent *jsondoc.Node, name, field string) *jsondoc.Node {
	n := j.member(parent, name, field, jsondoc.String)
	if n != nil && strings.TrimSpace(n.Text()) == "" {
		j.fail(field, n, "empty", "must not be empty")
		return nil
	}
	return n
}

// texts is the member as a list of strings that was read to its end.
func (j *judge) texts(parent *jsondoc.Node, name, field string) (list *jsondoc.Node, ok bool) {
	list = j.member(parent, name, field, jsondoc.Array)
	if !j.whole(list) {
		return nil, false
	}
	for i, item := range list.Items() {
		if !isText(item) {
			j.fail(field, item, "wrong-type", fmt.Sprintf("element %d %s", i+1, mustBe(item, jsondoc.String))).Recorded = ""
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
func (j *judge) document() bool {
	root := j.doc.Root
	if err := j.doc.Err; err != nil {
		j.r.Unchecked = verify.Shorten("is not valid JSON: "+err.Reason, verify.MaxValue)
		c := j.fail("json", nil, "broken-json", j.r.Unchecked)
		c.Location.Line, c.Location.Column = err.Line, err.Column
	} else if !root.Is(jsondoc.Object) {
		j.r.Unchecked = mustBe(root, jsondoc.Object)
		j.fail("json", root, "wrong-type", j.r.Unchecked)
	}
	for _, p := range j.doc.Problems {
		c := j.fail(problemField(p.Field), nil, p.Code, p.Reason)
		c.Location.Line, c.Location.Column = p.Line, p.Column
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
