package summary

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/replay-gate/replay-gate/verify"
)

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Failure   *junitFailure `xml:"failure"`
		SystemOut string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes evidence as JUnit XML: a test suite for each piece, a test
// case for each field. FAIL is a failure, ok passes, and warn and info pass with
// a line of output. Characters that XML can't hold are written as escapes. There
// is no time in it: the same evidence gives the same bytes.
func WriteJUnit(w io.Writer, name string, ev []Evidence) error {
	doc := junitSuites{Name: Visible(name)}
	for i := range ev {
		s := junitSuiteOf(&ev[i])
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Suites = append(doc.Suites, s)
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

func junitSuiteOf(e *Evidence) junitSuite {
	s := junitSuite{Name: Visible(e.Path), Tests: len(e.Fields)}
	seen := make(map[string]int)
	for _, f := range e.Fields {
		c := junitCase{Name: Visible(f.Field), ClassName: s.Name}
		// Readers tell test cases apart by their names.
		if seen[c.Name]++; seen[c.Name] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, seen[c.Name])
		}
		switch f.Status {
		case verify.Fail:
			s.Failures++
			c.Failure = &junitFailure{
				Message: Visible(f.Reason), Type: Visible(f.Code),
				Text: fmt.Sprintf("recorded: %s\nnow: %s\nat: %s", Visible(f.Recorded), Visible(f.Observed), Visible(f.Location.String())),
			}
		case verify.Warn:
			c.SystemOut = "WARNING: " + Visible(f.Reason)
		case verify.Info:
			c.SystemOut = "INFO: " + Visible(f.Reason)
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}
