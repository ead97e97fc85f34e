package verify

// Result is everything that was found about one piece of evidence.
type Result struct {
	// Path is where the evidence lies in the tree, slash-separated.
	Path string `json:"path"`
	// Kind is the [Format.Kind] that judged it.
	Kind string `json:"kind"`
	// SHA256 is the hash of the evidence's own bytes ("sha256:" + hex); empty
	// when they could not be read.
	SHA256 string `json:"sha256,omitempty"`
	// Unchecked says, in one sentence, why the evidence as a whole could not
	// be judged (unsupported schema version, not JSON, too large). It is empty
	// when it was judged. The same sentence is also in a FAIL check.
	Unchecked string `json:"unchecked,omitempty"`
	// Checks are in the order of the evidence's specification.
	Checks []Check `json:"checks"`
	// Inputs are the files that the verdict rests on, besides the evidence.
	Inputs []Input `json:"inputs,omitempty"`
	// Place is the bundle folder that the evidence itself belongs in; empty for
	// files/evidence.
	Place Place `json:"place,omitempty"`
	// Recording is what the evidence says about the run it records.
	Recording Recording `json:"recording"`
}

// Input is a file that evidence pins, or that judging it needs.
type Input struct {
	// Role is the input's name in the evidence's specification: "token",
	// "brief", "report".
	Role string `json:"role"`
	// Path is the file's path in the tree. When Missing is set it is the path
	// at which the file was looked for, or empty if none could be derived.
	Path string `json:"path,omitempty"`
	// Recorded is the path as the evidence spells it, if it spells one.
	Recorded string `json:"recorded,omitempty"`
	// Hash is the recorded hash, if the evidence records one.
	Hash string `json:"hash,omitempty"`
	// Missing says that the tree holds no such file.
	Missing bool `json:"missing,omitempty"`
	// Place is the bundle folder that the file belongs in.
	Place Place `json:"place"`
}

// Place is a folder of a replay bundle (Replay Bundle v1, section 3).
type Place string

// Where the files that a verdict rests on go in a bundle.
const (
	PlaceInputs    Place = "files/inputs"
	PlaceReport    Place = "outputs/report"
	PlaceCassettes Place = "cassettes"
)

// Recording is what evidence says about the run that it records. Every member
// may be empty: not each kind of evidence knows each.
type Recording struct {
	// Name is the run's short name, from which a bundle takes its own: for a
	// sidecar the base name of its report without ".md".
	Name string `json:"name,omitempty"`
	// Tool and ToolVersion name the program that recorded the run.
	Tool        string `json:"tool,omitempty"`
	ToolVersion string `json:"tool_version,omitempty"`
	// RunKind is the kind of run, such as "eval-live".
	RunKind string `json:"run_kind,omitempty"`
	// Commit is the commit that the run was made at (40 hex digits), and
	// CommitField the field that records it.
	Commit      string `json:"commit,omitempty"`
	CommitField string `json:"commit_field,omitempty"`
	// Dirty says that the work tree was not that commit; nil when unknown.
	Dirty *bool `json:"dirty,omitempty"`
	// InvokedAt is the start of the run as recorded (ISO 8601).
	InvokedAt string `json:"invoked_at,omitempty"`
	// Argv is the recorded command. It is data: nothing ever runs it unasked.
	Argv []string `json:"argv,omitempty"`
	// Seed is the recorded global seed as decimal text.
	Seed string `json:"seed,omitempty"`
	// Platform and Runtime describe the recording machine: "darwin-arm64",
	// "v22.22.2".
	Platform string `json:"platform,omitempty"`
	Runtime  string `json:"runtime,omitempty"`
}

// Count returns how many checks of r have the given status.
func (r *Result) Count(s Status) int {
	n := 0
	for _, c := range r.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}
