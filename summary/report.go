package summary

import (
	"github.com/replay-gate/replay-gate/verify"
)

// Schema names the version of the report's JSON form. It changes when a reader
// of the old form would misread the new one; added members do not change it.
const Schema = "replay-gate.report/v1"

// Verdict is the outcome of a whole run.
type Verdict string

// The verdicts (DESIGN, section 1).
const (
	// Intact: nothing that was checked fails, or nothing was affected.
	Intact Verdict = "intact"
	// Drift: at least one recorded value no longer holds.
	Drift Verdict = "drift"
	// Unchecked: nothing is known to have drifted, but some evidence could not
	// be judged.
	Unchecked Verdict = "unchecked"
)

// Attribution says who brought a FAIL.
type Attribution string

// The attributions (DESIGN, section 1).
const (
	Introduced  Attribution = "introduced"   // by this change
	PreExisting Attribution = "pre-existing" // on the base already
	Fixed       Attribution = "fixed"        // on the base, and no longer
	Unknown     Attribution = "unknown"      // the base can't be read
)

// Report is everything that one run found. Every output of the gate is a
// rendering of it, and none of them decides anything.
type Report struct {
	Schema string `json:"schema"` // always [Schema]
	Tool   Tool   `json:"tool"`
	// Verdict is what was found; ExitCode is what the policy makes of it.
	Verdict  Verdict `json:"verdict"`
	ExitCode int     `json:"exit_code"`
	// ReasonCode, Message and NextStep explain a non-zero exit, and are empty
	// with exit 0.
	ReasonCode string `json:"reason_code"`
	Message    string `json:"message,omitempty"`
	NextStep   string `json:"next_step,omitempty"`

	Change Change `json:"change"`
	Scope  Scope  `json:"scope"`
	Policy Policy `json:"policy"`
	Counts Counts `json:"counts"`
	// Evidence is sorted: what fails the policy first, then other FAILs, then
	// the rest, each by path.
	Evidence []Evidence `json:"evidence"`
	// Notices are things a reader must know about the run itself, such as a
	// base that could not be read.
	Notices []Notice `json:"notices,omitempty"`
	// Timeline is where the history of the inputs was drawn (SVG), relative to the
	// repository root; empty when none was.
	Timeline string `json:"timeline,omitempty"`
	// Links hold the addresses that renderings may point at; all empty outside
	// of GitHub.
	Links Links `json:"links,omitzero"`
}

// Tool is the program that made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Change is what was compared.
type Change struct {
	// Event is the GitHub event name, or "local".
	Event string `json:"event"`
	// Base and Head are commit ids (40 hex digits). Base is empty when it
	// could not be had; then BaseNote says why.
	Base     string `json:"base,omitempty"`
	BaseNote string `json:"base_note,omitempty"`
	Head     string `json:"head,omitempty"`
	// WorkTree says that the files of the work tree were checked, and Dirty
	// that they differ from Head.
	WorkTree bool `json:"work_tree"`
	Dirty    bool `json:"dirty"`
	// Files counts the changed files.
	Files int `json:"files"`
}

// Scope is which evidence was checked.
type Scope struct {
	// Mode is "affected", "changed" or "all"; the mode that was in force, which
	// is "all" when the changed files could not be had.
	Mode string `json:"mode"`
	// Total counts the evidence in the tree, Checked that in scope.
	Total   int `json:"total"`
	Checked int `json:"checked"`
}

// Policy is what makes a finding fail the run.
type Policy struct {
	FailOn string `json:"fail_on"` // introduced, any, never
	// Kinds replaces FailOn for single kinds of evidence, by Evidence.Kind.
	Kinds  map[string]string `json:"fail_on_kinds,omitempty"`
	Strict bool              `json:"strict"`
}

// Counts sums the fields of a report, or of one piece of evidence.
type Counts struct {
	OK   int `json:"ok"`
	Fail int `json:"fail"`
	Warn int `json:"warn"`
	Info int `json:"info"`
	// Introduced, PreExisting and Unknown divide Fail; Fixed counts fields that
	// fail on the base only.
	Introduced  int `json:"introduced"`
	PreExisting int `json:"pre_existing"`
	Unknown     int `json:"unknown"`
	Fixed       int `json:"fixed"`
}

// Evidence is one checked piece of evidence.
type Evidence struct {
	Path string `json:"path"`
	// OldPath is the path on the base, when the change renamed it.
	OldPath string `json:"old_path,omitempty"`
	Kind    string `json:"kind"`
	Title   string `json:"title"` // the kind, for people
	SHA256  string `json:"sha256,omitempty"`
	// Because says why it is in scope, such as "tokens/swiss.yml changed".
	Because string `json:"because"`
	// Removed says that the change deleted the evidence.
	Removed   bool             `json:"removed,omitempty"`
	Verdict   Verdict          `json:"verdict"`
	Unchecked string           `json:"unchecked,omitempty"`
	Fields    []Field          `json:"fields"`
	Counts    Counts           `json:"counts"`
	Inputs    []verify.Input   `json:"inputs,omitempty"`
	Recording verify.Recording `json:"recording"`
	Bundle    *Bundle          `json:"bundle,omitempty"`
}

// Field is one check with what the comparison with the base adds to it.
type Field struct {
	verify.Check
	// Attribution is set on a FAIL, and "fixed" on a field that fails on the
	// base only; else empty.
	Attribution Attribution `json:"attribution,omitempty"`
	// InputLine is the line of Input, after the change, at which the change that
	// introduced a FAIL begins; 0 when unknown.
	InputLine int `json:"input_line,omitempty"`
	// Why says what changed in the input of a FAIL, and since when.
	Why *verify.Why `json:"why,omitempty"`
	// NextStep is the one thing to do about a FAIL.
	NextStep string `json:"next_step,omitempty"`
}

// Bundle is the replay bundle of one piece of evidence.
type Bundle struct {
	RunID string `json:"run_id"`
	// Path is where it was written, relative to the repository root. It is empty when
	// none was written; then Note says why.
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size,omitempty"`
	// Timeline is the member of the bundle that draws the history of the inputs;
	// empty if there is none.
	Timeline string `json:"timeline,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Notice is a sentence about the run itself.
type Notice struct {
	Status  verify.Status `json:"status"` // info, warn or FAIL
	Code    string        `json:"code"`   // stable word, such as "base-missing"
	Message string        `json:"message"`
	// NextStep says what to do about it, or is empty.
	NextStep string `json:"next_step,omitempty"`
	// Example is text to copy for the next step, such as a step of a workflow;
	// it is ours and holds nothing from the tree.
	Example string `json:"example,omitempty"`
}

// Links are addresses on the GitHub server, built from its own configuration.
type Links struct {
	Server     string `json:"server,omitempty"`     // https://github.com
	Repository string `json:"repository,omitempty"` // owner/name
	Run        string `json:"run,omitempty"`        // the workflow run
	RunID      string `json:"run_id,omitempty"`
	HeadSHA    string `json:"head_sha,omitempty"` // the commit to link files at
	// Artifact names the artifact of this run that holds the bundles and the
	// report, and ArtifactID is its number; empty when none was uploaded.
	Artifact   string `json:"artifact,omitempty"`
	ArtifactID string `json:"artifact_id,omitempty"`
	// ArtifactDigest is the hash of what the server stores ("sha256:" + hex).
	ArtifactDigest string `json:"artifact_digest,omitempty"`
}

// Failing reports whether f, a field of evidence of a kind, makes a run fail
// under policy p.
func (p Policy) Failing(kind string, f Field) bool {
	if f.Status != verify.Fail {
		return false
	}
	failOn := p.FailOn
	if own, ok := p.Kinds[kind]; ok {
		failOn = own
	}
	switch failOn {
	case "never":
		return false
	case "any":
		return true
	}
	return f.Attribution != PreExisting
}
