package summary

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run go test ./summary -update and read the difference. got:\n%s", file, got)
	}
}

// fixtures are all reports that have goldens.
func fixtures() map[string]*Report {
	return map[string]*Report{
		"drift": drift(), "artifact": withArtifact(), "pre-existing": preExisting(), "intact": intact(), "nothing": nothing(),
		"no-base": noBase(), "unchecked": notChecked(), "incomplete": incompleteRun(), "hostile": hostile(),
		"explained": explainedRun(),
	}
}

func TestMarkdownGolden(t *testing.T) {
	for name, r := range fixtures() {
		golden(t, name+".md", Markdown(r, StepSummaryLimit))
	}
	golden(t, "text.md", CheckText(drift(), CheckRunLimit))
}

func TestTerminalGolden(t *testing.T) {
	for name, r := range fixtures() {
		golden(t, name+".txt", terminal(t, r, Terminal{}))
	}
	for _, width := range []int{80, 100} {
		for _, color := range []bool{false, true} {
			name := fmt.Sprintf("verbose-%d-color-%t.txt", width, color)
			golden(t, name, terminal(t, drift(), Terminal{Width: width, Color: color, Verbose: true}))
		}
	}
	golden(t, "quiet.txt", terminal(t, drift(), Terminal{Quiet: true}))
}

func terminal(t *testing.T, r *Report, o Terminal) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTerminal(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDataGolden(t *testing.T) {
	var report, junit, sarif bytes.Buffer
	r := drift()
	if err := WriteJSON(&report, r); err != nil {
		t.Fatal(err)
	}
	if err := WriteJUnit(&junit, "replay-gate", r); err != nil {
		t.Fatal(err)
	}
	if err := WriteSARIF(&sarif, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", report.String())
	golden(t, "junit.xml", junit.String())
	golden(t, "sarif.json", sarif.String())
	golden(t, "evidence-summary.json", string(EvidenceSummary(Tool{Name: "replay-gate"}, result(&r.Evidence[0]), false)))
}
