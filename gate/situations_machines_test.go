package gate_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Issue 14, Machines that read: the goldens of the eight situations are valid SARIF, and both
// formats say what the exit code says.
func TestSituationsForMachines(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "summary", "testdata", "oasis", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range situations() {
		read := func(name string) []byte {
			data, err := os.ReadFile(filepath.Join("testdata", "situations", s.name, name))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(read("sarif.json")))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		var log struct {
			Runs []struct {
				Results []struct {
					Level, BaselineState string
					Suppressions         []any
				}
			}
		}
		if err := json.Unmarshal(read("sarif.json"), &log); err != nil {
			t.Fatal(err)
		}
		errors := 0
		for _, r := range log.Runs[0].Results {
			if r.Level == "error" {
				errors++
			}
		}
		var suites struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		if err := xml.Unmarshal(read("junit.xml"), &suites); err != nil {
			t.Fatal(err)
		}
		if fails := s.exit != 0; (errors > 0) != fails || (suites.Failures+suites.Errors > 0) != fails {
			t.Errorf("%s: exit %d, %d errors in SARIF, %+v in JUnit", s.name, s.exit, errors, suites)
		}
	}
}

// Issue 14: what is outside of folds stays under 10 KB.
func TestSituationsAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range situations() {
		page, err := os.ReadFile(filepath.Join("testdata", "situations", s.name, "summary.md"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(outsideOfFolds(page)); n > 10_000 {
			t.Errorf("%s: %d bytes outside of folds", s.name, n)
		}
		screen, err := os.ReadFile(filepath.Join("testdata", "situations", s.name, "terminal-80.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(screen, []byte("\n")); n > 40 {
			t.Errorf("%s: %d lines on the terminal", s.name, n)
		}
	}
}

// outsideOfFolds is a page without what is folded.
func outsideOfFolds(page []byte) []byte {
	var out []byte
	depth := 0
	for line := range bytes.Lines(page) {
		if depth == 0 && !bytes.HasPrefix(line, []byte("<details>")) {
			out = append(out, line...)
		}
		depth += bytes.Count(line, []byte("<details>")) - bytes.Count(line, []byte("</details>"))
	}
	return out
}
