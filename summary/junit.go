package summary

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

type (
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuite struct {
		XMLName xml.Name `xml:"testsuite"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Failure   *junitProblem `xml:"failure"`
		Error     *junitProblem `xml:"error"`
		Skipped   *junitSkipped `xml:"skipped"`
		SystemOut string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes a report as JUnit XML: a test suite for each piece of evidence, a test
// case for each field. It says what the exit code says: a failure is a field that fails the
// run, with its cause and the ways out of it; what fails and does not fail the run, because
// it failed before or was accepted, and what was superseded, is skipped; a run that fails for
// another reason has an error. ok passes, and warn and info pass with a line of output.
// Characters that XML can't hold are written as escapes. There is no time in it: the same
// report gives the same bytes.
func WriteJUnit(w io.Writer, name string, r *Report) error {
	var sum junitCounts
	for i := range r.Evidence {
		sum = sum.plus(junitCountsOf(&r.Evidence[i]))
	}
	var own []junitSuite
	if r.ExitCode != 0 && sum.Failures == 0 {
		s := junitSuite{Name: "replay-gate", junitCounts: junitCounts{Tests: 1, Errors: 1}, Cases: []junitCase{{
			Name: "run", ClassName: "replay-gate",
			Error: &junitProblem{Message: visible.Text(r.Message), Type: visible.Text(r.ReasonCode), Text: "next: " + visible.Text(r.NextStep)},
		}}}
		sum, own = sum.plus(s.junitCounts), append(own, s)
	}
	if err := writeSuites(w, sum.root(name), r, own); err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	return nil
}

// writeSuites writes one suite after the other: all of them may be large.
func writeSuites(w io.Writer, root xml.StartElement, r *Report, own []junitSuite) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.EncodeToken(root); err != nil {
		return err
	}
	x := newExplainer(r)
	for i := range r.Evidence {
		if err := enc.Encode(junitSuiteOf(x, &r.Evidence[i])); err != nil {
			return err
		}
	}
	if err := enc.Encode(own); err != nil {
		return err
	}
	if err := errors.Join(enc.EncodeToken(root.End()), enc.Close()); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (n junitCounts) plus(m junitCounts) junitCounts {
	return junitCounts{n.Tests + m.Tests, n.Failures + m.Failures, n.Errors + m.Errors, n.Skipped + m.Skipped}
}

// root is the element around all suites.
func (n junitCounts) root(name string) xml.StartElement {
	root := xml.StartElement{Name: xml.Name{Local: "testsuites"}}
	for _, a := range []struct{ name, value string }{
		{"name", visible.Text(name)}, {"tests", strconv.Itoa(n.Tests)}, {"failures", strconv.Itoa(n.Failures)},
		{"errors", strconv.Itoa(n.Errors)}, {"skipped", strconv.Itoa(n.Skipped)},
	} {
		root.Attr = append(root.Attr, xml.Attr{Name: xml.Name{Local: a.name}, Value: a.value})
	}
	return root
}

func junitCountsOf(e *Entry) junitCounts {
	n := junitCounts{Tests: len(e.Fields)}
	for i := range e.Fields {
		switch f := &e.Fields[i]; {
		case notCounted(e, f) != "":
			n.Skipped++
		case f.Status == verify.Fail:
			n.Failures++
		}
	}
	return n
}

func junitSuiteOf(x *explainer, e *Entry) junitSuite {
	s := junitSuite{Name: visible.Text(e.Path), junitCounts: junitCountsOf(e)}
	seen := make(map[string]int)
	for i := range e.Fields {
		f := &e.Fields[i]
		c := junitCase{Name: visible.Text(f.Field), ClassName: s.Name}
		// Readers tell test cases apart by their names.
		if seen[c.Name]++; seen[c.Name] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, seen[c.Name])
		}
		switch why := notCounted(e, f); {
		case why != "":
			c.Skipped = &junitSkipped{visible.Text(why)}
		case f.Status == verify.Fail:
			c.Failure = &junitProblem{Message: visible.Text(f.Reason), Type: visible.Text(f.Code), Text: strings.Join(x.lines(e, f), "\n")}
		case f.Status == verify.Warn:
			c.SystemOut = "WARNING: " + visible.Text(f.Reason)
		case f.Status == verify.Info:
			c.SystemOut = "INFO: " + visible.Text(f.Reason)
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// codeSuperseded is the reason code of what a newer run has taken over.
const codeSuperseded = "superseded"

// notCounted says why a finding does not fail the run; empty for what does, and for what is
// no finding.
func notCounted(e *Entry, f *Field) string {
	switch {
	case f.Accepted, f.Code == codeSuperseded:
		return f.Reason
	case f.Status == verify.Fail && !f.Fails && f.Attribution == PreExisting:
		return "failed before this change: " + f.Reason
	case f.Status == verify.Fail && !f.Fails:
		return "does not fail the run under its policy: " + f.Reason
	}
	return ""
}
