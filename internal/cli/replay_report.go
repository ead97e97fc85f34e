package cli

import (
	"errors"
	"fmt"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/summary"
)

// replaySchema names the version of what --json prints.
const replaySchema = "replay-gate.replay/v1"

// replayReport is what a replay found and how it was made: the output of --json.
type replayReport struct {
	Schema     string       `json:"schema"` // always replaySchema
	Tool       summary.Tool `json:"tool"`
	ExitCode   int          `json:"exit_code"`
	ReasonCode string       `json:"reason_code"` // empty with exit 0
	Message    string       `json:"message"`
	NextStep   string       `json:"next_step,omitempty"`
	Provenance provenance   `json:"provenance"`
	// Result is nil when the bundle was refused.
	Result *bundle.Replayed `json:"result,omitempty"`
	Live   *liveRun         `json:"live,omitempty"`

	// failed says that Message is an error's, not the outcome's.
	failed bool
}

// provenance says where a replay comes from, with Assay's names for what it also
// records (Replay Bundle v1, section 5.3).
type provenance struct {
	Replay       bool   `json:"replay"` // always true
	BundleDigest string `json:"bundle_digest"`
	ReplayMode   string `json:"replay_mode"` // offline or live
	Evidence     string `json:"evidence,omitempty"`
	GitSHA       string `json:"git_sha,omitempty"`
	CreatedAt    string `json:"created_at,omitempty"`
	RecordedSeed string `json:"recorded_seed,omitempty"`
	SeedOverride string `json:"seed_override,omitempty"`
	Extracted    int    `json:"extracted_files,omitempty"`
}

// unknownDigest is Assay's word for a source that is not one archive.
const unknownDigest = "sha256:unknown"

// readDigest takes the digest of a source over that was refused.
func (p *provenance) readDigest(err error) {
	var fe *bundle.FormatError
	var le *bundle.LimitError
	switch {
	case errors.As(err, &fe) && fe.Digest != "":
		p.BundleDigest = fe.Digest
	case errors.As(err, &le) && le.Digest != "":
		p.BundleDigest = le.Digest
	}
}

// conclude turns the outcome into an exit code, a message and a next step.
func (r *replayReport) conclude() {
	found := r.Result
	r.ReasonCode, r.Message = found.ReasonCode(), outcomeText(found)
	switch found.Outcome {
	case bundle.Differs:
		r.ExitCode = gate.ExitDrift
		r.NextStep = "see whether another release made the bundle, or what it was made from: replay-gate bundle check --rebuild <rev> <bundle>"
	case bundle.MissingDependency:
		r.ExitCode = gate.ExitUsage
		r.NextStep = "get what is missing, or " + found.Missing[0].Where
		if found.Missing[0].File == "" {
			r.NextStep = found.Missing[0].Where
		}
	}
}

// outcomeText says in one sentence what a replay came to.
func outcomeText(found *bundle.Replayed) string {
	switch found.Outcome {
	case bundle.Differs:
		return fmt.Sprintf("replayed: the recorded verdict does not hold (%s)", count(len(found.Differences), "difference"))
	case bundle.MissingDependency:
		if found.Missing[0].File == "" {
			return "can't be replayed: " + found.Missing[0].Why
		}
		return fmt.Sprintf("can't be replayed in full: missing from the bundle: %s", count(len(found.Missing), "file"))
	}
	return "replayed: the recorded verdict holds: " + found.Recorded.Verdict
}
