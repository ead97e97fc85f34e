package summary

import (
	"github.com/replay-gate/replay-gate/verify"
)

// Schema names the version of the report's JSON form. It changes when a reader
// of the old form would misread the new one; added members do not change it.
const Schema = "replay-gate.report/v2"

// Verdict is the outcome of a whole run.
type Verdict = verify.Verdict

// The verdicts (DESIGN, section 1).
const (
	Intact    = verify.Intact
	Drift     = verify.Drift
	Unchecked = verify.Unchecked
)

// Attribution says who brought a FAIL.
type Attribution = verify.Attribution

// The attributions (DESIGN, section 1).
const (
	Introduced  = verify.Introduced
	PreExisting = verify.PreExisting
	Fixed       = verify.Fixed
	Unknown     = verify.Unknown
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
	// Accepted counts the fields that fail and were accepted.
	Accepted int `json:"accepted,omitempty"`
	// Causes are what brought the findings: one change of one thing each, with all the
	// evidence that it affects; those with most failing evidence first.
	Causes []Cause `json:"causes,omitempty"`
	// Evidence is sorted: what fails the policy first, then other FAILs, then
	// the rest, each by path.
	Evidence []Entry `json:"evidence"`
	// Notices are things a reader must know about the run itself, such as a
	// base that could not be read.
	Notices []Notice `json:"notices,omitempty"`
	// Folder is where the report and the bundles were written, relative to the repository
	// root; empty when nothing was.
	Folder string `json:"folder,omitempty"`
	// Timeline is where the history of the inputs was drawn (SVG), relative to the
	// repository root; empty when none was.
	Timeline string `json:"timeline,omitempty"`
	// Links hold the addresses that renderings may point at; all empty outside
	// of GitHub.
	Links Links `json:"links,omitzero"`

	places map[string]int // of Evidence, by path; made when it is first needed
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
	Total int `json:"total"`
	// Named says that the verdict is on named evidence only.
	Named   bool `json:"named,omitempty"`
	Checked int  `json:"checked"`
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

// Entry is one checked piece of evidence.
type Entry struct {
	Path string `json:"path"`
	// OldPath is the path on the base, when the change renamed it.
	OldPath string `json:"old_path,omitempty"`
	Kind    string `json:"kind"`
	Title   string `json:"title"` // the kind, for people
	SHA256  string `json:"sha256,omitempty"`
	// Because says why it is in scope, such as "tokens/swiss.yml changed".
	Because string `json:"because"`
	// Removed says that the change deleted the evidence.
	Removed bool `json:"removed,omitempty"`
	// Superseded is the evidence that has taken over all that this one claims, which is
	// thus a record of the past.
	Superseded string           `json:"superseded,omitempty"`
	Verdict    Verdict          `json:"verdict"`
	Unchecked  string           `json:"unchecked,omitempty"`
	Fields     []Field          `json:"fields"`
	Counts     Counts           `json:"counts"`
	Inputs     []verify.Input   `json:"inputs,omitempty"`
	Recording  verify.Recording `json:"recording"`
	Bundle     *Bundle          `json:"bundle,omitempty"`
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
	// Fails says that it fails the run, under the policy.
	Fails bool `json:"fails,omitempty"`
	// Accepted says that it fails, and people have accepted it: its status is warn.
	Accepted bool `json:"accepted,omitempty"`
	// Acceptance says who accepted it, until when, and why.
	Acceptance string `json:"acceptance,omitempty"`
	// NextStep is the one thing to do about a FAIL, and Command the command in it, one
	// element a word.
	NextStep string   `json:"next_step,omitempty"`
	Command  []string `json:"next_command,omitempty"`
}

// Cause is one change of one thing, with all the evidence that it affects (DESIGN, section
// 1).
type Cause struct {
	Kind string `json:"kind"` // input, evidence or removal
	// Path is the input, or the evidence.
	Path string `json:"path"`
	// Role is what the evidence calls the input, such as "token".
	Role string `json:"role,omitempty"`
	// Here says what this change did to it, such as "tokens/x.yml changed"; empty when the
	// change did not touch it. Line is where in the input the change begins; 0 if unknown.
	Here string `json:"here,omitempty"`
	Line int    `json:"line,omitempty"`
	// Introduced says that this change brought it, or that nobody knows who did.
	Introduced bool `json:"introduced"`
	// Why says what changed in an input, by whom and since when.
	Why *verify.Why `json:"why,omitempty"`
	// Claims are the evidence that no longer holds because of it.
	Claims []Affected `json:"claims,omitempty"`
	// Records are the superseded evidence that it would fail, if that still described the
	// present.
	Records []string `json:"records,omitempty"`
	// RecordsAt are the commits that have the versions which Records describe.
	RecordsAt []string `json:"records_at,omitempty"`
	// Follows is what that means beyond the fields that fail, such as the results that
	// still show the old run; each sentence once.
	Follows []string `json:"follows,omitempty"`
	// Holds are the evidence that pins the input and holds all the same.
	Holds []string `json:"holds,omitempty"`
	// Meant is what to do if the change was meant, and Undo if it was not. Both are empty
	// for what this change did not bring.
	Meant []Step `json:"meant,omitempty"`
	Undo  []Step `json:"undo,omitempty"`
}

// Step is one thing to do.
type Step struct {
	// Text says it, without a full stop; Command is the command for it, one element a
	// word, and Into the file that its output belongs in. A word "…" is the reader's to
	// fill in.
	Text    string   `json:"text"`
	Command []string `json:"command,omitempty"`
	Into    string   `json:"into,omitempty"`
	// Discards says what the command throws away; empty if nothing.
	Discards string `json:"discards,omitempty"`
}

// Affected is one piece of evidence of a [Cause], with the fields that fail.
type Affected struct {
	Evidence string `json:"evidence"`
	// Report is what a person reads of it, such as the report beside a sidecar; the
	// evidence itself where there is none.
	Report string `json:"report"`
	// Names are what it is the newest word on, such as models.
	Names      []string `json:"names,omitempty"`
	Fields     []string `json:"fields"`
	Introduced bool     `json:"introduced"` // or unknown, by at least one of them
	Fails      bool     `json:"fails"`      // the run
}

// Bundle is the replay bundle of one piece of evidence.
type Bundle struct {
	RunID string `json:"run_id"`
	// Path is where it was written, relative to the repository root. It is empty when
	// none was written; then Note says why.
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size,omitempty"`
	// Base is the commit that rows of its verdict are held against, which is part of the
	// bundle then; empty when none is.
	Base string `json:"base,omitempty"`
	Note string `json:"note,omitempty"`
}

// Notice is a sentence about the run itself.
type Notice = verify.Notice

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

// Plus sums counts.
func (a Counts) Plus(b Counts) Counts {
	return Counts{
		OK: a.OK + b.OK, Fail: a.Fail + b.Fail, Warn: a.Warn + b.Warn, Info: a.Info + b.Info,
		Introduced: a.Introduced + b.Introduced, PreExisting: a.PreExisting + b.PreExisting,
		Unknown: a.Unknown + b.Unknown, Fixed: a.Fixed + b.Fixed,
	}
}

// Count counts fields.
func Count(fields []Field) Counts {
	var n Counts
	for _, f := range fields {
		switch f.Status {
		case verify.OK:
			n.OK++
		case verify.Fail:
			n.Fail++
		case verify.Warn:
			n.Warn++
		case verify.Info:
			n.Info++
		}
		switch f.Attribution {
		case Introduced:
			n.Introduced++
		case PreExisting:
			n.PreExisting++
		case Unknown:
			n.Unknown++
		case Fixed:
			n.Fixed++
		}
	}
	return n
}
