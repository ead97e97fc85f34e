package summary

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Issue 14: what is written is valid against the schema of the standard, has what GitHub
// requires (docs.github.com, "SARIF support for code scanning"), and says what the exit code
// says.
func TestMachinesReadWhatTheExitCodeSays(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("testdata/oasis/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range fixtures() {
		failing := 0
		for _, e := range r.Evidence {
			for _, f := range e.Fields {
				if f.Fails {
					failing++
				}
			}
		}
		junit := readJUnit(t, r)
		if junit.Failures != failing || (junit.Failures+junit.Errors > 0) != (r.ExitCode != 0) {
			t.Errorf("%s: exit %d, %d fields fail, JUnit %+v", name, r.ExitCode, failing, junit.junitCounts)
		}
		var b bytes.Buffer
		if err := WriteSARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var log sarifLog
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		run, errors := log.Runs[0], 0
		for _, res := range run.Results {
			if res.Level == "error" && len(res.Suppressions) == 0 {
				errors++
			}
			if len(res.Locations) == 0 || res.Locations[0].Physical.Artifact.URI == "" || res.Locations[0].Physical.Region.StartLine < 1 || res.Prints["replayGate/v1"] == "" {
				t.Errorf("%s: GitHub would refuse %+v", name, res)
			}
		}
		if (errors > 0) != (failing > 0) || run.Invocations[0].ExitCode != r.ExitCode {
			t.Errorf("%s: %d errors in SARIF, %d fields fail", name, errors, failing)
		}
		for _, rule := range run.Tool.Driver.Rules {
			if rule.ID == "" || rule.Short.Text == "" || rule.Full.Text == "" || rule.Help.Text == "" || rule.HelpURI == "" {
				t.Errorf("%s: GitHub would refuse %+v", name, rule)
			}
		}
	}
}

// junitSuites is all that [WriteJUnit] writes.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

func readJUnit(t *testing.T, r *Report) junitSuites {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJUnit(&b, "replay-gate", r); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// A finding is the same one on another commit: fingerprints rest on no line and no value.
func TestFingerprintsAreStable(t *testing.T) {
	t.Parallel()
	prints := func(r *Report) (all []string) {
		var b bytes.Buffer
		if err := WriteSARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		var log sarifLog
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		for _, res := range log.Runs[0].Results {
			all = append(all, res.Prints["replayGate/v1"])
		}
		return all
	}
	r := drift()
	was := prints(r)
	for i := range r.Evidence {
		for k := range r.Evidence[i].Fields {
			f := &r.Evidence[i].Fields[k]
			f.Observed, f.Location.Line, f.InputLine = "another", f.Location.Line+7, f.InputLine+3
		}
	}
	r.Change.Head = baseID
	is := prints(r)
	seen := make(map[string]bool)
	for i := range was {
		if was[i] != is[i] || seen[was[i]] {
			t.Errorf("result %d: %s, then %s", i, was[i], is[i])
		}
		seen[was[i]] = true
	}
}
