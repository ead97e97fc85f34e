package bundle

import (
	"bytes"
	"encoding/json"
	"path"
)

// FollowedVersion is the version of Assay whose bundle format this package
// writes: the manifest's assay_version.
const FollowedVersion = "5.4.0"

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

// ReplayGate is what a replay of the verdict needs to know.
type ReplayGate struct {
	Evidence string `json:"evidence"` // repository path of the evidence
	Kind     string `json:"kind"`     // verify.Format's Kind
	Strict   bool   `json:"strict"`   // unknown fields and warnings failed
	// History says that the page tells the history of the inputs: the clone that the
	// bundle was made in had all of it.
	History bool `json:"history"`
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

func defaultScrubPolicy() *ScrubPolicy {
	include, scrub := false, true
	return &ScrubPolicy{IncludePrompts: &include, ScrubCassettes: &scrub, Name: "default"}
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
