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

// checker collects the checks of one trace.
type checker struct {
	*file
	verify.Rows
	e        *verify.Evidence
	config   Config
	snapshot snapshot
	several  bool // the file is a list of decisions
	nodes    int  // of flows, so far
	r        verify.Result
}

// compare fails field unless recorded is want.
func (j *checker) compare(field string, n *jsondoc.Node, recorded, want, code, reason string) {
	c := j.OK(field, j.doc.Spot(n), "")
	c.Recorded, c.Observed = kept(recorded), kept(want)
	if recorded != want {
		c.Status, c.Code, c.Reason = verify.Fail, code, kept(reason)
	}
}

// within puts the rows that judge adds under a part of the evidence, such as the node of
// a flow: prefix before each field, who before each reason.
func (j *checker) within(prefix, who string, judge func()) {
	from := len(j.Checks)
	judge()
	for i := range j.Checks[from:] {
		c := &j.Checks[from+i]
		c.Field = kept(prefix + c.Field)
		if c.Reason != "" {
			c.Reason = kept(who + c.Reason)
		}
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
func (j *checker) rest(f findings, field string) {
	if more := f.n - maxFindings; more > 0 {
		c := j.Fail(field, j.doc.Spot(f.first), "more-findings", fmt.Sprintf("%d more findings of this kind", more))
		c.Recorded = ""
	}
}

// elements gives the elements of a member that must be a list; else it fails
// the field.
func (j *checker) elements(parent *jsondoc.Node, name string) ([]*jsondoc.Node, bool) {
	n := parent.Get(name)
	items, ok := list(n)
	switch {
	case n == nil:
		j.Fail(name, j.doc.Spot(parent), "missing", "is missing")
	case !ok:
		j.Fail(name, j.doc.Spot(n), "wrong-type", mustBe("a list", n))
	}
	return items, ok
}

// input lists a file that exists beside the trace.
func (j *checker) input(role, name string) {
	if j.e.Tree.Exists(name) {
		j.r.Inputs = append(j.r.Inputs, verify.Input{Role: role, Path: name, Place: verify.PlaceInputs})
	}
}

// shown is the text of a scalar, as checks show it. It is a copy: the text of a
// node is a part of the whole file's, and one check must not keep that alive.
func shown(n *jsondoc.Node) string { return kept(n.Text()) }

func kept(s string) string { return strings.Clone(verify.Shorten(s, verify.MaxValue)) }

// quote shows a string from the tree inside a reason.
func quote(s string) string { return strconv.Quote(verify.Shorten(s, longest)) }

// mustBe words a wrong type: "must be a string, is null".
func mustBe(want string, n *jsondoc.Node) string {
	return "must be " + want + ", is " + n.Kind().String()
}

// count writes a number of things: "1 row", "5 rows".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
