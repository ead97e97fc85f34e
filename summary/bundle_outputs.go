package summary

import (
	"bytes"
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
)

// Outputs are the renderings of one verdict that its bundle carries.
type Outputs struct {
	Summary, JUnit, SARIF, HTML []byte
}

// Rendering is the version of the forms in which [BundleOutputs] renders, and in which
// package bundle writes a verdict for Assay. Whoever changes a byte of them raises it: a
// replay compares only what it would write itself.
const Rendering = 1

// BundleOutputs renders a verdict for its bundle. The tool has no version there: a bundle's
// bytes must not change with the release that happens to write it.
func BundleOutputs(r verify.Result, title string, strict bool) (Outputs, error) {
	tool := Tool{Name: "replay-gate"}
	e := EvidenceOf(&r, title)
	alone := &Report{Tool: tool, Evidence: []Entry{e}}
	var junit, sarif bytes.Buffer
	if err := WriteJUnit(&junit, e.Path, alone); err != nil {
		return Outputs{}, fmt.Errorf("rendering JUnit: %w", err)
	}
	if err := WriteSARIF(&sarif, alone); err != nil {
		return Outputs{}, fmt.Errorf("rendering SARIF: %w", err)
	}
	return Outputs{
		Summary: EvidenceSummary(tool, r, strict), JUnit: junit.Bytes(), SARIF: sarif.Bytes(),
		HTML: HTML([]Entry{e}, tool, nil),
	}, nil
}

// EvidenceOf is a verdict as a report shows it when there is nothing to compare with.
func EvidenceOf(r *verify.Result, title string) Entry {
	e := Entry{
		Path: r.Path, Kind: r.Kind, Title: title, SHA256: r.SHA256, Verdict: Intact,
		Unchecked: r.Unchecked, Inputs: r.Inputs, Recording: r.Recording,
	}
	for _, c := range r.Checks {
		f := Field{Check: c, Fails: c.Status == verify.Fail}
		if f.Fails {
			e.Verdict = Drift
		}
		e.Fields = append(e.Fields, f)
	}
	if e.Unchecked != "" {
		e.Verdict = Unchecked
	}
	e.Counts = Count(e.Fields)
	return e
}
