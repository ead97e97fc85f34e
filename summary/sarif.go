package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// maxSARIF bounds the results of a run: GitHub takes no more than 25,000.
const maxSARIF = 25_000

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string          `json:"columnKind"`
		Results    []sarifResult   `json:"results"`
		Properties sarifProperties `json:"properties"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI       string `json:"uri"`
				URIBaseID string `json:"uriBaseId"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifProperties struct {
		Omitted int `json:"omitted"`
	}
)

// WriteSARIF writes what is not ok in evidence as SARIF 2.1.0. A rule is the
// kind of evidence and the code of a check ("ahd/hash-differs"), the level is
// that of the status, and the location is the line of the evidence that records
// the field. Beyond 25,000 results the failures come first and the run's property
// "omitted" counts the rest.
func WriteSARIF(w io.Writer, tool Tool, ev []Evidence) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	driver := sarifDriver{Name: tool.Name, Version: tool.Version, InformationURI: DocsURL, Rules: []sarifRule{}}
	index := make(map[string]int)
	for _, status := range []verify.Status{verify.Fail, verify.Warn, verify.Info} {
		for i := range ev {
			e := &ev[i]
			for _, f := range e.Fields {
				if f.Status != status {
					continue
				}
				if len(run.Results) == maxSARIF {
					run.Properties.Omitted++
					continue
				}
				id := ruleID(e.Kind, f.Code)
				if _, ok := index[id]; !ok {
					index[id] = len(driver.Rules)
					driver.Rules = append(driver.Rules, sarifRule{id, sarifMessage{ruleText(id)}})
				}
				run.Results = append(run.Results, sarifResult{
					RuleID: id, RuleIndex: index[id], Level: sarifLevel(status),
					Message: sarifMessage{sarifText(f)}, Locations: []sarifLocation{sarifPlace(e, f.Location)},
				})
			}
		}
	}
	run.Tool.Driver = driver
	return writeIndented(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func ruleID(kind, code string) string {
	if code == "" {
		code = "finding"
	}
	return Visible(kind + "/" + code)
}

// ruleText makes words of a rule: "ahd/hash-differs" is "ahd: hash differs".
func ruleText(id string) string {
	return strings.NewReplacer("/", ": ", "-", " ").Replace(id)
}

// sarifLevel is the level of a status (SARIF 2.1.0 §3.27.10).
func sarifLevel(s verify.Status) string {
	switch s {
	case verify.Fail:
		return "error"
	case verify.Warn:
		return "warning"
	}
	return "note"
}

// sarifText is a plain text message: a bracket followed by a parenthesis would
// be a link in it (SARIF 2.1.0 §3.11.6).
func sarifText(f Field) string {
	s := f.Field + ": " + f.Reason
	if values := slices.DeleteFunc([]string{labelValue("recorded", f.Recorded), labelValue("now", f.Observed)}, func(v string) bool { return v == "" }); len(values) > 0 {
		s += " (" + strings.Join(values, ", ") + ")"
	}
	return strings.ReplaceAll(Visible(s), "](", "] (")
}

func labelValue(label, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("%s %s", label, value)
}

func sarifPlace(e *Evidence, at verify.Location) sarifLocation {
	var l sarifLocation
	if at.Path == "" {
		at.Path = e.Path
	}
	l.Physical.Artifact.URI, l.Physical.Artifact.URIBaseID = escapePath(strings.TrimLeft(at.Path, "/")), "%SRCROOT%"
	if at.Line > 0 {
		l.Physical.Region = &sarifRegion{at.Line, at.Column}
	}
	return l
}
