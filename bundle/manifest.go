package bundle

import (
	"bytes"
	"encoding/json"
	"path"
)

// FollowedVersion is the version of Assay whose bundle format this package writes.
const FollowedVersion = "5.4.0"

// NoAssay is the manifest's assay_version: the format demands one, and no Assay ran.
const NoAssay = "none (replay-gate, in the format of " + FollowedVersion + ")"

// Manifest is manifest.json (Replay Bundle v1, section 3.1, as Assay 5.4.0
// implements it). Members are in the order in which they are written; an empty
// one is left out. Paths and ReplayGate are this package's own: every other
// reader ignores unknown members.
type Manifest struct {
	SchemaVersion   uint32          `json:"schema_version"`
	AssayVersion    string          `json:"assay_version"`
	CreatedAt       string          `json:"created_at,omitempty"` // RFC 3339, UTC
	SourceRunPath   string          `json:"source_run_path,omitempty"`
	SelectionMethod string          `json:"selection_method,omitempty"`
	GitSHA          string          `json:"git_sha,omitempty"`
	GitDirty        *bool           `json:"git_dirty,omitempty"`
	WorkflowRunID   string          `json:"workflow_run_id,omitempty"`
	ConfigDigest    string          `json:"config_digest,omitempty"`
	PolicyDigest    string          `json:"policy_digest,omitempty"`
	BaselineDigest  string          `json:"baseline_digest,omitempty"`
	TraceDigest     string          `json:"trace_digest,omitempty"`
	TracePath       string          `json:"trace_path,omitempty"`
	Outputs         *OutputPaths    `json:"outputs,omitempty"`
	Toolchain       *Toolchain      `json:"toolchain,omitempty"`
	Seeds           *Seeds          `json:"seeds,omitempty"`
	Coverage        *Coverage       `json:"replay_coverage,omitempty"`
	ScrubPolicy     *ScrubPolicy    `json:"scrub_policy,omitempty"`
	Files           map[string]File `json:"files,omitempty"`

	// Paths gives, for an entry whose name had to be shortened, its repository
	// path in the escaped spelling of names.
	Paths map[string]string `json:"paths,omitempty"`
	// ReplayGate is what a replay of the verdict needs to know.
	ReplayGate *ReplayGate `json:"replay_gate,omitempty"`
}

// OutputPaths are the entries that hold a run's outputs (section 3.2).
type OutputPaths struct {
	Run     string `json:"run,omitempty"`
	Summary string `json:"summary,omitempty"`
	JUnit   string `json:"junit,omitempty"`
	SARIF   string `json:"sarif,omitempty"`
}

// Toolchain is what the recording says about the machine it was made on.
type Toolchain struct {
	Rustc         string  `json:"rustc,omitempty"`
	Cargo         string  `json:"cargo,omitempty"`
	CargoLockHash string  `json:"cargo_lock_hash,omitempty"`
	Runner        *Runner `json:"runner,omitempty"`
	// Node is the recorded version of Node.js; no member of Assay's.
	Node string `json:"node,omitempty"`
}

// Runner names an operating system and a processor as Rust does.
type Runner struct {
	OS                   string `json:"os,omitempty"`
	Arch                 string `json:"arch,omitempty"`
	ContainerImageDigest string `json:"container_image_digest,omitempty"`
	CI                   *bool  `json:"ci,omitempty"`
}

// Seeds are the recorded seeds as decimal text: a JSON number would lose
// digits, and Assay refuses it.
type Seeds struct {
	SeedVersion *uint32 `json:"seed_version,omitempty"`
	OrderSeed   string  `json:"order_seed,omitempty"`
	JudgeSeed   string  `json:"judge_seed,omitempty"`
}

// Coverage says which tests an offline replay can judge. Both lists are written
// even when empty; without one of them Assay refuses the manifest.
type Coverage struct {
	Complete   []string          `json:"complete_tests"`
	Incomplete []string          `json:"incomplete_tests"`
	Reason     map[string]string `json:"reason,omitempty"`
}

// ScrubPolicy says what was done about secrets when the bundle was made.
type ScrubPolicy struct {
	IncludePrompts *bool  `json:"include_prompts,omitempty"`
	ScrubCassettes *bool  `json:"scrub_cassettes,omitempty"`
	Name           string `json:"name,omitempty"`
}

// File is what the manifest says about one entry.
type File struct {
	SHA256      string  `json:"sha256"`
	Size        uint64  `json:"size"`
	Mode        *uint32 `json:"mode,omitempty"`
	ContentType string  `json:"content_type,omitempty"`
}

// ReplayGate is what a replay of the verdict needs to know. Paths of the repository are
// in the escaped spelling of names, apart from Evidence.
type ReplayGate struct {
	Evidence string `json:"evidence"` // repository path of the evidence
	Kind     string `json:"kind"`     // verify.Format's Kind
	Strict   bool   `json:"strict"`   // unknown fields and warnings failed
	// Options are those in force that the kind's settings do not tell, sorted.
	Options []string `json:"options,omitempty"`
	// Settings says whose were in force: empty for the tree's own, which lie in the
	// bundle; "base" for those of the base, which lie in its part; "none".
	Settings string `json:"settings,omitempty"`
	// Rendering is the version of the forms of the outputs.
	Rendering uint32 `json:"rendering,omitempty"`
	// At is the commit whose inputs are in, where that is the one that the evidence
	// records and not GitSHA.
	At string `json:"at,omitempty"`
	// EvidenceDigest is the hash of the evidence as it was judged, and Inputs those of
	// what it pins, by path: also of what was left out, or goes in scrubbed.
	EvidenceDigest string            `json:"evidence_digest,omitempty"`
	Inputs         map[string]string `json:"inputs,omitempty"`
	// Scrubbed counts what looked like a secret in recorded responses, and was taken out.
	Scrubbed uint32 `json:"scrubbed,omitempty"`
	// Peers are other evidence of the tree that rows rest on.
	Peers []string `json:"peers,omitempty"`
	// Listed are files of the tree that a listing showed and that are not in the bundle.
	Listed []string `json:"listed,omitempty"`
	// Unreadable are files that can't be read in the tree, with the reason.
	Unreadable map[string]string `json:"unreadable,omitempty"`
	// Base is the commit that rows are held against; nil when no row is.
	Base *Base `json:"base,omitempty"`
}

// Base is the part of a bundle that says how the base was. What differs there lies under
// files/base/; what is not named here is as it is in the tree.
type Base struct {
	Commit     string            `json:"commit"`
	Absent     []string          `json:"absent,omitempty"`
	Unreadable map[string]string `json:"unreadable,omitempty"`
	// Renamed gives for a path of the tree the one that it was renamed from.
	Renamed map[string]string `json:"renamed,omitempty"`
}

// entryMode is the mode of every entry; in a manifest it stands in decimal.
const entryMode = 0o644

// contentType is the type that Assay derives from a name's last extension; ""
// for any it does not know.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".jsonl":
		return "application/x-ndjson"
	case ".xml":
		return "application/xml"
	case ".yaml", ".yml":
		return "application/x-yaml"
	}
	return ""
}

func describeFile(data []byte, name string) File {
	mode := uint32(entryMode)
	return File{SHA256: digest(data), Size: uint64(len(data)), Mode: &mode, ContentType: contentType(name)}
}

// scrubbed names the policy of a bundle with cassettes: in each, what Assay takes
// for a secret is replaced as a whole, see [Scrub].
const scrubbed = "whole-match"

// defaultScrubPolicy is that of a bundle without cassettes. Prompts are in: briefs and
// fixtures go in as they are, and what looks like a secret in them refuses the bundle.
func defaultScrubPolicy() *ScrubPolicy {
	include, scrub := true, true
	return &ScrubPolicy{IncludePrompts: &include, ScrubCassettes: &scrub, Name: "refuse-secrets"}
}

// encode writes the manifest as Assay's serde_json does: compact, members in
// order, map keys bytewise sorted.
func (m *Manifest) encode() ([]byte, error) { return marshal(m) }

// marshal is JSON with serde_json's escaping: only what must be escaped is.
// encoding/json also escapes U+2028 and U+2029, which is undone here.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	out := text[:0]
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\':
			out = append(out, text[i])
		case bytes.HasPrefix(text[i:], []byte(`\u2028`)):
			out = append(out, "\u2028"...)
			i += 5
		case bytes.HasPrefix(text[i:], []byte(`\u2029`)):
			out = append(out, "\u2029"...)
			i += 5
		default: // an escape is two bytes at least, and the second may be a backslash
			out = append(out, text[i], text[i+1])
			i++
		}
	}
	return out, nil
}
