package evalkit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxFindings bounds the checks that one rule may add for members and elements
// that a hostile file can have a million of.
const maxFindings = 50

// longest bounds a name or value that a reason quotes, in bytes.
const longest = 96

// checker collects the checks of one fixture.
type checker struct {
	*fixture
	verify.Rows
	r verify.Result
}

// worse is a warning, or a FAIL under strict.
func (j *checker) worse() verify.Status {
	if j.strict() {
		return verify.Fail
	}
	return verify.Warn
}

// findings collects what is wrong with one field, so that it has one check
// however much is.
type findings struct {
	code    string
	at      verify.Spot
	reasons []string
}

func (f *findings) add(at verify.Spot, code, reason string) {
	if len(f.reasons) == 0 {
		f.code, f.at = code, at
	}
	f.reasons = append(f.reasons, reason)
}

// report adds the check: ok when nothing was found.
func (j *checker) report(f findings, status verify.Status, field, tail string) *verify.Check {
	if len(f.reasons) == 0 {
		return j.OK(field, start, "")
	}
	return j.Add(status, field, f.at, f.code, strings.Join(f.reasons, "; ")+tail)
}

// quote shows a name from the tree inside a reason.
func quote(s string) string { return strconv.Quote(shown(s, longest)) }

// maxListed bounds the names that a reason lists.
const maxListed = 5

// list joins the first few of names and counts the rest.
func list(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

// mustBe words a wrong type: "must be a string, is null".
func mustBe(want string, n *jsondoc.Node) string {
	return "must be " + want + ", is " + n.Kind().String()
}
