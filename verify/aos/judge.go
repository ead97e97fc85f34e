package aos

import (
	"fmt"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// judge collects the checks of one piece of evidence.
type judge struct {
	*file
	e      *verify.Evidence
	config Config
	above  int // lines above the document, for the lines of a golden
	r      verify.Result
}

// check adds a check of field that shows n and points at it. The caller may
// fill in more through the returned pointer, until the next check.
func (j *judge) check(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	j.r.Checks = append(j.r.Checks, j.finding(status, field, n, code, reason))
	return &j.r.Checks[len(j.r.Checks)-1]
}

// finding is the check of field that shows n of the current document.
func (j *judge) finding(status verify.Status, field string, n *jsondoc.Node, code, reason string) verify.Check {
	c := verify.Check{
		Field: verify.Shorten(field, verify.MaxValue), Status: status, Code: code,
		Reason: verify.Shorten(reason, verify.MaxValue), Recorded: shown(n),
		Location: verify.Location{Path: j.e.Path},
	}
	if j.doc != nil && n != nil {
		line, column := j.doc.Position(n)
		c.Location.Line, c.Location.Column = line+j.above, column
	}
	return c
}

func (j *judge) ok(field string, n *jsondoc.Node, reason string) *verify.Check {
	return j.check(verify.OK, field, n, "", reason)
}

func (j *judge) fail(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Fail, field, n, code, reason)
}

// wrong fails a member of parent that is missing or of the wrong type. In a text
// that breaks off, a missing member may have stood behind the break.
func (j *judge) wrong(field string, parent, n *jsondoc.Node, want string) {
	switch {
	case n != nil:
		j.fail(field, n, "wrong-type", "must be "+want+", is "+n.Kind().String())
	case j.doc.Err == nil:
		j.fail(field, parent, "missing", "is missing")
	}
}

// behindBreak says that n is not there and may have stood behind the place at
// which the text breaks off.
func (j *judge) behindBreak(n *jsondoc.Node) bool { return n == nil && j.doc.Err != nil }

func (j *judge) warn(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Warn, field, n, code, reason)
}

func (j *judge) info(field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return j.check(verify.Info, field, n, code, reason)
}

// maxRows bounds the rows that one rule adds for one piece of evidence: a
// trace of 10,000 wrong steps is as wrong as one of 20.
const maxRows = 20

// rule collects the findings of one rule over many elements, and leaves one ok
// row where there are none. Its rows appear when it ends.
type rule struct {
	j     *judge
	field string
	rows  []verify.Check
	more  int          // findings beyond maxRows
	worst verify.Check // of those
}

// rule starts a rule about field, such as "steps[].outcome".
func (j *judge) rule(field string) *rule { return &rule{j: j, field: field} }

// add is judge.check for one element, such as "steps[3].outcome". Rows beyond
// maxRows are counted, and the pointer leads nowhere.
func (r *rule) add(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	if len(r.rows) >= maxRows {
		if r.more++; r.more == 1 || status == verify.Fail && r.worst.Status != verify.Fail {
			r.worst = verify.Check{Status: status, Code: code}
		}
		return new(verify.Check)
	}
	return r.keep(status, field, n, code, reason)
}

// keep is add for a finding that is never left out.
func (r *rule) keep(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	r.rows = append(r.rows, r.j.finding(status, field, n, code, reason))
	return &r.rows[len(r.rows)-1]
}

// end adds the rows; an ok row if there are none, for the given reason.
func (r *rule) end(reason string) {
	if len(r.rows) == 0 {
		r.j.ok(r.field, nil, reason)
		return
	}
	r.j.r.Checks = append(r.j.r.Checks, r.rows...)
	if r.more > 0 {
		r.j.check(r.worst.Status, r.field, nil, r.worst.Code, fmt.Sprintf("and %d more findings of this rule", r.more))
	}
}

// recognised adds the rows about the file as a whole, and reports whether there
// is something of a known kind to go on with.
func (j *judge) recognised() bool {
	if j.kind == "" {
		if before := j.base(); before != nil && before.kind != "" {
			j.r.Unchecked = "is no longer recognised; before the change it was: " + string(before.kind)
			j.fail("kind", nil, "no-longer-recognised", j.r.Unchecked)
			return false
		}
		j.info("kind", nil, "not-recognised", "not recognised: its content is of no known AOS kind")
		return false
	}
	j.ok("kind", nil, "").Observed = string(j.kind)
	return j.kind == kindGolden || j.syntax()
}

// syntax adds the rows about the document as JSON, and reports whether there is
// a value.
func (j *judge) syntax() bool {
	if err := j.doc.Err; err != nil {
		reason := verify.Shorten("is not valid JSON: "+err.Reason, verify.MaxValue)
		if j.r.Unchecked == "" {
			j.r.Unchecked = reason
		}
		c := j.fail("json", nil, "broken-json", reason)
		c.Location.Line, c.Location.Column = err.Line+j.above, err.Column
	}
	for _, p := range j.doc.Problems {
		field := p.Field
		if field == "" {
			field = "json"
		}
		c := j.fail(field, nil, p.Code, p.Reason)
		c.Location.Line, c.Location.Column = p.Line+j.above, p.Column
	}
	return j.doc.Root != nil
}

// base is the evidence before the change, nil when there was none.
func (j *judge) base() *file {
	if j.e.Base == nil || j.e.BasePath == "" {
		return nil
	}
	if f := open(j.e.Base, j.e.BasePath); f.err == nil {
		return f
	}
	return nil
}

// unsupported fails a version that this package can't read: it may have changed
// what every other field means.
func (j *judge) unsupported(field string, n *jsondoc.Node, reason string) {
	j.r.Unchecked = reason
	j.fail(field, n, "unknown-version", reason)
}

// recordingAt is what the place of evidence alone says about its run.
func recordingAt(name string) verify.Recording {
	return verify.Recording{Name: stem(path.Base(name)), Tool: "aos"}
}

// shown is the text of a scalar, as checks show it. It is a copy: the text of a
// node is a part of the whole file's, and one check must not keep that alive.
func shown(n *jsondoc.Node) string {
	return strings.Clone(verify.Shorten(n.Text(), verify.MaxValue))
}

// brief is a scalar within a reason.
func brief(n *jsondoc.Node) string {
	const limit = 120
	switch n.Kind() {
	case 0:
		return "nothing"
	case jsondoc.Array, jsondoc.Object:
		return n.Kind().String()
	}
	return strings.Clone(verify.Shorten(n.Text(), limit))
}

// orParent is n, or else the object that it is missing from, for its place.
func orParent(n, parent *jsondoc.Node) *jsondoc.Node {
	if n == nil {
		return parent
	}
	return n
}

func isText(n *jsondoc.Node) bool { return n.Is(jsondoc.String) }

// isNone says that a member is not there, or null, which Python's get() does
// not tell apart.
func isNone(n *jsondoc.Node) bool { return n == nil || n.Is(jsondoc.Null) }

func isTrue(n *jsondoc.Node) bool { return n.Is(jsondoc.Bool) && n.Text() == "true" }

// isInteger says that n is a number that Python reads as an int.
func isInteger(n *jsondoc.Node) bool {
	return n.Is(jsondoc.Number) && !strings.ContainsAny(n.Text(), ".eE")
}

// isHex says that s is size lower-case hex digits.
func isHex(s string, size int) bool {
	return len(s) == size && strings.Trim(s, "0123456789abcdef") == ""
}

// at spells the field of an element: "steps[3].outcome".
func at(list string, i int, member string) string {
	if member == "" {
		return fmt.Sprintf("%s[%d]", list, i)
	}
	return fmt.Sprintf("%s[%d].%s", list, i, member)
}
