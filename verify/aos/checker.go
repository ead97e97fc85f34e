package aos

import (
	"fmt"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// checker collects the checks of one piece of evidence.
type checker struct {
	*file
	verify.Rows
	e      *verify.Evidence
	config Config
	above  int // lines above the document, for the lines of a golden
	r      verify.Result
}

// spot is where n of the current document stands.
func (j *checker) spot(n *jsondoc.Node) verify.Spot {
	at := j.doc.Spot(n)
	if at.Line > 0 {
		at.Line += j.above
	}
	return at
}

// wrong fails a member of parent that is missing or of the wrong type. In a text
// that breaks off, a missing member may have stood behind the break.
func (j *checker) wrong(field string, parent, n *jsondoc.Node, want string) {
	switch {
	case n != nil:
		j.Fail(field, j.spot(n), "wrong-type", "must be "+want+", is "+n.Kind().String())
	case j.doc.Err == nil:
		j.Fail(field, j.spot(parent), "missing", "is missing")
	}
}

// behindBreak says that n is not there and may have stood behind the place at
// which the text breaks off.
func (j *checker) behindBreak(n *jsondoc.Node) bool { return n == nil && j.doc.Err != nil }

// maxRows bounds the rows that one rule adds for one piece of evidence: a
// trace of 10,000 wrong steps is as wrong as one of 20.
const maxRows = 20

// rule collects the findings of one rule over many elements, and leaves one ok
// row where there are none. Its rows appear when it ends.
type rule struct {
	j     *checker
	field string
	rows  verify.Rows
	more  int          // findings beyond maxRows
	worst verify.Check // of those
}

// rule starts a rule about field, such as "steps[].outcome".
func (j *checker) rule(field string) *rule {
	return &rule{j: j, field: field, rows: verify.Rows{Path: j.Path}}
}

// add adds a row for one element, such as "steps[3].outcome". Rows beyond
// maxRows are counted, and the pointer leads nowhere.
func (r *rule) add(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	if len(r.rows.Checks) >= maxRows {
		if r.more++; r.more == 1 || status == verify.Fail && r.worst.Status != verify.Fail {
			r.worst = verify.Check{Status: status, Code: code}
		}
		return new(verify.Check)
	}
	return r.keep(status, field, n, code, reason)
}

// keep is add for a finding that is never left out.
func (r *rule) keep(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	return r.rows.Add(status, field, r.j.spot(n), code, reason)
}

// end adds the rows; an ok row if there are none, for the given reason.
func (r *rule) end(reason string) {
	if len(r.rows.Checks) == 0 {
		r.j.OK(r.field, verify.Spot{}, reason)
		return
	}
	r.j.Checks = append(r.j.Checks, r.rows.Checks...)
	if r.more > 0 {
		r.j.Add(r.worst.Status, r.field, verify.Spot{}, r.worst.Code, fmt.Sprintf("and %d more findings of this rule", r.more))
	}
}

// recognised adds the rows about the file as a whole, and reports whether there
// is something of a known kind to go on with.
func (j *checker) recognised() bool {
	damage := verify.DamageOf(j.data)
	if damage.Code == "" && j.kind == "" {
		damage = j.doc.Damage()
	}
	switch {
	case damage.Code != "":
		// What is between conflict markers is two files, and neither was recorded.
		j.unreadable(damage.Spot(), damage.Code, "the file "+damage.Reason)
		return false
	case j.kind == "":
		j.unreadable(verify.Spot{}, "not-recognised", "is not recognised: its content is of no known AOS kind")
		return false
	}
	j.OK("kind", verify.Spot{}, "").Observed = string(j.kind)
	return j.kind == kindGolden || j.syntax()
}

// unreadable says that the file as a whole can't be judged.
func (j *checker) unreadable(at verify.Spot, code, reason string) {
	j.r.Unchecked = verify.Shorten(reason, verify.MaxValue)
	j.Fail("evidence", at, code, j.r.Unchecked)
}

// syntax adds the rows about the document as JSON, and reports whether there is
// a value.
func (j *checker) syntax() bool {
	if damage := j.doc.Damage(); damage.Code != "" {
		j.unreadable(damage.Spot(), damage.Code, "the file "+damage.Reason)
	}
	for _, p := range j.doc.Problems {
		field := p.Field
		if field == "" {
			field = "json"
		}
		c := j.Fail(field, verify.Spot{}, p.Code, p.Reason)
		c.Location.Line, c.Location.Column = p.Line+j.above, p.Column
	}
	return j.doc.Root != nil
}

// unsupported fails a version that this package can't read: it may have changed
// what every other field means.
func (j *checker) unsupported(field string, n *jsondoc.Node, reason string) {
	j.r.Unchecked = reason
	j.Fail(field, j.spot(n), "unknown-version", reason)
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
