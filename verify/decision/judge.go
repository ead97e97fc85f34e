package decision

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxFindings bounds the checks that one rule adds for the elements of a list,
// of which a hostile file can have half a million.
const maxFindings = 20

// longest bounds a name that a reason quotes, in bytes.
const longest = 96

// judge collects the checks of one trace.
type judge struct {
	*file
	e        *verify.Evidence
	config   Config
	snapshot snapshot
	prefix   string // of every field: the node of a flow
	who      string // of every reason, likewise
	nodes    int    // of flows, so far
	r        verify.Result
}

// check adds a check of field that shows n and points at it. The caller may
// fill in more through the returned pointer, until the next check.
func (j *judge) check(status verify.Status, field string, n *jsondoc.Node, code, reason string) *verify.Check {
	line, column := j.doc.Position(n)
	if reason != "" {
		reason = j.who + reason
	}
	j.r.Checks = append(j.r.Checks, verify.Check{
		Field: verify.Shorten(j.prefix+field, verify.MaxValue), Status: status, Code: code,
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

// compare fails field unless recorded is want.
func (j *judge) compare(field string, n *jsondoc.Node, recorded, want, code, reason string) {
	c := j.ok(field, n, "")
	c.Recorded, c.Observed = clip(recorded), clip(want)
	if recorded != want {
		c.Status, c.Code, c.Reason = verify.Fail, code, verify.Shorten(j.who+reason, verify.MaxValue)
	}
}

// findings lets the first few findings of one rule through, and counts the rest.
type findings struct {
	n     int
	first *jsondoc.Node // of those that were left out
}

// room reports whether another finding, about n, may have its own check.
func (f *findings) room(n *jsondoc.Node) bool {
	f.n++
	if f.n == maxFindings+1 {
		f.first = n
	}
	return f.n <= maxFindings
}

// rest says how many had no check of their own.
func (j *judge) rest(f findings, field string) {
	if more := f.n - maxFindings; more > 0 {
		c := j.fail(field, f.first, "more-findings", fmt.Sprintf("%d more findings of this kind", more))
		c.Recorded = ""
	}
}

// elements gives the elements of a member that must be a list; else it fails
// the field.
func (j *judge) elements(parent *jsondoc.Node, name string) ([]*jsondoc.Node, bool) {
	n := parent.Get(name)
	items, ok := list(n)
	switch {
	case n == nil:
		j.fail(name, parent, "missing", "is missing")
	case !ok:
		j.fail(name, n, "wrong-type", mustBe("a list", n))
	}
	return items, ok
}

// input lists a file that exists beside the trace.
func (j *judge) input(role, name string) {
	if j.e.Tree.Exists(name) {
		j.r.Inputs = append(j.r.Inputs, verify.Input{Role: role, Path: name, Place: verify.PlaceInputs})
	}
}

// shown is the text of a scalar, as checks show it. It is a copy: the text of a
// node is a part of the whole file's, and one check must not keep that alive.
func shown(n *jsondoc.Node) string { return clip(n.Text()) }

func clip(s string) string { return strings.Clone(verify.Shorten(s, verify.MaxValue)) }

// quote shows a string from the tree inside a reason.
func quote(s string) string { return strconv.Quote(verify.Shorten(s, longest)) }

// mustBe words a wrong type: "must be a string, is null".
func mustBe(want string, n *jsondoc.Node) string {
	return "must be " + want + ", is " + n.Kind().String()
}
