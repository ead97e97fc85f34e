package summary

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// What GitHub takes of a run and of a result.
const (
	maxSARIF   = 25_000
	maxRelated = 100
)

// WriteSARIF writes what is wrong in a report as SARIF 2.1.0. An input that this change
// changed is one result at the changed line, with the evidence that no longer describes it as
// related locations; every other FAIL or warn is a result at the line of the evidence that
// records the field. A rule is the kind of evidence and the code of a check
// ("ahd/hash-differs").
//
// It says what the exit code says: what fails the run is an error; what failed before is a
// warning with baselineState unchanged, and what was accepted or superseded is suppressed.
// What is ok has no result. Fingerprints depend on what is wrong with what, and on no line and
// no value, so that a finding is the same one from commit to commit. Beyond 25,000 results
// the failures come first, and the run's property "omitted" counts the rest.
func WriteSARIF(w io.Writer, r *Report) error {
	b := sarifBuilder{report: r, x: newExplainer(r), rules: make(map[string]int), prints: make(map[string]int)}
	b.run.ColumnKind, b.run.Results = "unicodeCodePoints", []sarifResult{}
	b.run.Tool.Driver = sarifDriver{Name: r.Tool.Name, Version: r.Tool.Version, InformationURI: DocsURL, Rules: []sarifRule{}}
	if r.Schema != "" { // a bundle's outputs are of no run
		b.run.Invocations = []sarifInvocation{{
			Successful: r.ExitCode <= 1, ExitCode: r.ExitCode, Description: strings.TrimSpace(r.ReasonCode + " " + visible.Text(r.Message)),
		}}
	}
	told := b.causes()
	for rank := range 3 {
		for i := range r.Evidence {
			e := &r.Evidence[i]
			for k := range e.Fields {
				f := &e.Fields[k]
				if rankOf(f) == rank && !told[f] {
					b.field(e, f)
				}
			}
		}
	}
	return writeIndented(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{b.run},
	})
}

// rankOf has what fails the run first, then other FAILs, then warnings and what was
// superseded; -1 is no result.
func rankOf(f *Field) int {
	switch {
	case f.Status == verify.Fail && f.Fails:
		return 0
	case f.Status == verify.Fail:
		return 1
	case f.Status == verify.Warn, f.Code == codeSuperseded:
		return 2
	}
	return -1
}

type sarifBuilder struct {
	report *Report
	run    sarifRun
	x      *explainer
	rules  map[string]int
	prints map[string]int
}

// causes adds a result for each input that this change changed, for each kind of evidence
// and reason, and returns the fields that are told by them.
func (b *sarifBuilder) causes() map[*Field]bool {
	told := make(map[*Field]bool)
	for _, c := range b.report.failing(true) {
		if c.Kind != "input" || c.Here == "" || c.Line == 0 {
			continue
		}
		byRule := make(map[string]*sarifResult)
		var order []string
		for _, a := range c.Claims {
			e := b.report.piece(a.Evidence)
			if e == nil {
				continue
			}
			for i := range e.Fields {
				f := &e.Fields[i]
				if f.Status != verify.Fail || !f.Fails || f.Attribution == PreExisting || f.Input != c.Path || !slices.Contains(a.Fields, f.Field) {
					continue
				}
				told[f] = true
				id := ruleID(e.Kind, f.Code)
				res := byRule[id]
				if res == nil {
					res = &sarifResult{
						RuleID: id, RuleIndex: b.rule(id, e.Title), Level: "error", Baseline: b.baseline(f),
						Message:   sarifMessage{sarifPlain(strings.Join(b.x.lines(e, f), "\n"))},
						Locations: []sarifLocation{sarifPlace(verify.Location{Path: c.Path, Line: c.Line})},
						Prints:    b.fingerprint(id, c.Path),
					}
					byRule[id] = res
					order = append(order, id)
				}
				if n := len(res.Related); n < maxRelated {
					place := sarifPlace(locationIn(e, f))
					place.ID, place.Message = n+1, &sarifMessage{visible.Text(e.Path + ", " + f.Field)}
					res.Related = append(res.Related, place)
					res.Message.Text += fmt.Sprintf("\n[%s](%d)", sarifLabel(e.Path+", "+f.Field), n+1)
				}
			}
		}
		for _, id := range order {
			b.add(*byRule[id])
		}
	}
	return told
}

// field adds the result for one field.
func (b *sarifBuilder) field(e *Entry, f *Field) {
	id := ruleID(e.Kind, f.Code)
	res := sarifResult{
		RuleID: id, RuleIndex: b.rule(id, e.Title), Level: sarifLevel(f), Baseline: b.baseline(f),
		Locations: []sarifLocation{sarifPlace(locationIn(e, f))},
		Message:   sarifMessage{sarifPlain(b.text(e, f))},
		Prints:    b.fingerprint(id, e.Path, f.Field),
	}
	if f.Accepted || f.Code == codeSuperseded {
		res.Suppressions = []sarifSuppression{{Kind: "external", Justification: visible.Text(f.Reason)}}
	}
	b.add(res)
}

func (b *sarifBuilder) add(res sarifResult) {
	if len(b.run.Results) == maxSARIF {
		b.run.Properties.Omitted++
		return
	}
	b.run.Results = append(b.run.Results, res)
}

// rule is the index of a rule, which is made when it is first needed.
func (b *sarifBuilder) rule(id, title string) int {
	i, ok := b.rules[id]
	if !ok {
		i = len(b.run.Tool.Driver.Rules)
		b.rules[id] = i
		_, code, _ := strings.Cut(id, "/")
		words := ruleText(id)
		b.run.Tool.Driver.Rules = append(b.run.Tool.Driver.Rules, sarifRule{
			ID: id, Short: sarifMessage{words},
			Full:    sarifMessage{fmt.Sprintf("A check of evidence of the kind %s ended with the reason code %s.", visible.Text(title), code)},
			Help:    sarifMessage{fmt.Sprintf("What it means and what to do: replay-gate explain %s, or %s.", code, stepsURL)},
			HelpURI: stepsURL,
		})
	}
	return i
}

// stepsURL is the page on what to do.
const stepsURL = DocsURL + "/blob/main/docs/next-steps.md"

// baseline is the state against the base. Either all results of a run have one or none has
// (SARIF 2.1.0 §3.27.24): without a base there is nothing to compare with.
func (b *sarifBuilder) baseline(f *Field) string {
	switch {
	case b.report.Change.Base == "":
		return ""
	case f.Status == verify.Fail && f.Attribution != PreExisting:
		return "new"
	}
	return "unchanged"
}

// fingerprint tells a finding from others by what is wrong with what.
func (b *sarifBuilder) fingerprint(parts ...string) map[string]string {
	key := strings.Join(parts, "\x00")
	b.prints[key]++
	return map[string]string{"replayGate/v1": fmt.Sprintf("%x:%d", sha256.Sum256([]byte(key)), b.prints[key])}
}

func ruleID(kind, code string) string {
	if code == "" {
		code = "finding"
	}
	return visible.Text(kind + "/" + code)
}

// ruleText makes words of a rule: "ahd/hash-differs" is "ahd: hash differs".
func ruleText(id string) string {
	return ruleWords.Replace(id)
}

// sarifLevel is the level of a finding (SARIF 2.1.0 §3.27.10): an error fails the run.
func sarifLevel(f *Field) string {
	switch {
	case f.Status == verify.Fail && f.Fails:
		return "error"
	case f.Status == verify.Fail, f.Status == verify.Warn:
		return "warning"
	}
	return "note"
}

// text is the message of one field: with all that is known where it fails the run.
func (b *sarifBuilder) text(e *Entry, f *Field) string {
	lines := []string{visible.Text(f.Field + ": " + f.Reason)}
	if f.Status == verify.Fail && f.Fails {
		return strings.Join(append(lines, b.x.lines(e, f)...), "\n")
	}
	for _, v := range []struct{ label, value string }{
		{"recorded: ", f.Recorded}, {"now: ", f.Observed}, {"attribution: ", attributionWord(f.Attribution)},
	} {
		if v.value != "" {
			lines = append(lines, v.label+visible.Text(v.value))
		}
	}
	return strings.Join(lines, "\n")
}

// sarifPlain is text in which nothing is a link: a bracket followed by a parenthesis would
// be one (SARIF 2.1.0 §3.11.6).
func sarifPlain(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// sarifLabel is the text of a link, in which brackets are escaped.
func sarifLabel(s string) string {
	return linkEscapes.Replace(visible.Text(s))
}

// locationIn is where a field stands, or the start of the evidence.
func locationIn(e *Entry, f *Field) verify.Location {
	at := f.Location
	if at.Path == "" {
		at.Path = e.Path
	}
	return at
}

// sarifPlace always has a line: GitHub takes no result without one.
func sarifPlace(at verify.Location) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI, l.Physical.Artifact.URIBaseID = escapePath(strings.TrimLeft(at.Path, "/")), "%SRCROOT%"
	l.Physical.Region = sarifRegion{max(at.Line, 1), at.Column}
	return l
}

var (
	ruleWords   = strings.NewReplacer("/", ": ", "-", " ")
	linkEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
)
