package summary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// EvidenceSchema names the version of the verdict inside a bundle's
// outputs/summary.json.
const EvidenceSchema = "replay-gate.evidence/v1"

// EvidenceRecord is the verdict on one piece of evidence as a bundle carries
// it: what a replay must come to again, and nothing else. There is no base, no
// attribution, no clock, and no hint, because a bundle holds nothing that they
// could be repeated from.
type EvidenceRecord struct {
	Schema string `json:"schema"` // always [EvidenceSchema]
	Kind   string `json:"kind"`
	// Evidence is the path in the repository, and SHA256 the hash of the bytes.
	Evidence string `json:"evidence"`
	SHA256   string `json:"sha256,omitempty"`
	// Strict says that unknown fields and warnings failed.
	Strict    bool           `json:"strict"`
	Verdict   Verdict        `json:"verdict"`
	Unchecked string         `json:"unchecked,omitempty"`
	Checks    []verify.Check `json:"checks"`
}

// runSummary is Assay's summary.json (assay.run_summary.v1) with our record in
// it, which Assay ignores. The order of the members is Assay's.
type runSummary struct {
	SchemaVersion     int    `json:"schema_version"`
	ReasonCodeVersion int    `json:"reason_code_version"`
	ExitCode          int    `json:"exit_code"`
	ReasonCode        string `json:"reason_code"`
	Message           string `json:"message,omitempty"`
	NextStep          string `json:"next_step,omitempty"`
	Provenance        struct {
		AssayVersion string `json:"assay_version"`
		VerifyMode   string `json:"verify_mode"`
	} `json:"provenance"`
	Results struct {
		Passed  int `json:"passed"`
		Failed  int `json:"failed"`
		Warned  int `json:"warned"`
		Skipped int `json:"skipped"`
		Total   int `json:"total"`
	} `json:"results"`
	Seeds struct {
		SeedVersion int     `json:"seed_version"`
		OrderSeed   *string `json:"order_seed"`
		JudgeSeed   *string `json:"judge_seed"`
	} `json:"seeds"`
	ReplayGate *EvidenceRecord `json:"replay_gate"`
	Tool       string          `json:"tool"`
	Schema     string          `json:"schema"`
}

// assayVersion stands where Assay names its version: the form demands one, and no Assay ran.
const assayVersion = "none (replay-gate, in the format of 5.4.0)"

// EvidenceSummary is a bundle's outputs/summary.json: the verdict on one piece
// of evidence, readable by Assay too. It depends on its arguments alone.
func EvidenceSummary(tool Tool, r verify.Result, strict bool) []byte {
	record := &EvidenceRecord{
		Schema: EvidenceSchema, Kind: r.Kind, Evidence: r.Path, SHA256: r.SHA256,
		Strict: strict, Verdict: Intact, Unchecked: r.Unchecked,
		Checks: make([]verify.Check, len(r.Checks)),
	}
	for i, c := range r.Checks {
		c.Hint = ""
		record.Checks[i] = c
	}
	s := runSummary{SchemaVersion: 1, ReasonCodeVersion: 1, ReplayGate: record, Tool: strings.TrimSpace(tool.Name + " " + tool.Version), Schema: "assay.run_summary.v1"}
	s.Results.Passed, s.Results.Failed = r.Count(verify.OK), r.Count(verify.Fail)
	s.Results.Warned, s.Results.Skipped = r.Count(verify.Warn), r.Count(verify.Info)
	s.Results.Total = len(r.Checks)
	switch {
	case r.Unchecked != "":
		record.Verdict, s.ExitCode, s.ReasonCode = Unchecked, 2, "E_EVIDENCE_UNCHECKED"
		s.Message, s.NextStep = r.Unchecked, "repair the evidence, or use a release of replay-gate that knows its schema version"
	case s.Results.Failed > 0:
		record.Verdict, s.ExitCode, s.ReasonCode = Drift, 1, "E_REPLAY_DRIFT"
		holds := "hold"
		if s.Results.Failed == 1 {
			holds = "holds"
		}
		s.Message = fmt.Sprintf("%s no longer %s", count(s.Results.Failed, "recorded value"), holds)
		s.NextStep = "restore the input, or re-run the recorded command and commit the new evidence"
	}
	s.Provenance.AssayVersion, s.Provenance.VerifyMode = assayVersion, "enabled"
	s.Seeds.SeedVersion = 1
	if r.Recording.Seed != "" {
		s.Seeds.OrderSeed = &r.Recording.Seed
	}
	var buf bytes.Buffer
	if err := writeIndented(&buf, s); err != nil {
		return nil // strings and numbers always encode, and a buffer takes them
	}
	return buf.Bytes()
}

// ErrNoRecord says that a summary.json is not one of ours, as in a bundle that
// Assay wrote.
var ErrNoRecord = errors.New("no verdict of replay-gate in it")

// ParseEvidenceSummary reads what [EvidenceSummary] wrote. For JSON without our
// record, or with a later version of it, the error is [ErrNoRecord].
//
// To compare a verdict with a recorded one, compare two records that both came
// through here: JSON can't hold every string that a path can be.
func ParseEvidenceSummary(data []byte) (EvidenceRecord, error) {
	var s runSummary
	if err := json.Unmarshal(data, &s); err != nil {
		return EvidenceRecord{}, fmt.Errorf("reading summary.json: %w", err)
	}
	if s.ReplayGate == nil || s.ReplayGate.Schema != EvidenceSchema {
		return EvidenceRecord{}, ErrNoRecord
	}
	return *s.ReplayGate, nil
}
