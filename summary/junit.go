package summary

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
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
	doc := junitSuites{Name: visible.Text(name)}
	x := newExplainer(r)
	for i := range r.Evidence {
		doc.add(junitSuiteOf(x, &r.Evidence[i]))
	}
	if r.ExitCode != 0 && doc.Failures == 0 {
		doc.add(junitSuite{Name: "replay-gate", junitCounts: junitCounts{Tests: 1, Errors: 1}, Cases: []junitCase{{
			Name: "run", ClassName: "replay-gate",
			Error: &junitProblem{Message: visible.Text(r.Message), Type: visible.Text(r.ReasonCode), Text: "next: " + visible.Text(r.NextStep)},
		}}})
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", xml.Header, data); err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	return nil
}

func (d *junitSuites) add(s junitSuite) {
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Skipped += s.Skipped
	d.Suites = append(d.Suites, s)
}

func junitSuiteOf(x *explainer, e *Evidence) junitSuite {
	s := junitSuite{Name: visible.Text(e.Path), junitCounts: junitCounts{Tests: len(e.Fields)}}
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
			s.Skipped++
			c.Skipped = &junitSkipped{visible.Text(why)}
		case f.Status == verify.Fail:
			s.Failures++
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
func notCounted(e *Evidence, f *Field) string {
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
