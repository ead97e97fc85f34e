package verify

import "time"

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
	// Claims are what the evidence is a word on; none for a kind whose evidence is
	// always about the present (DESIGN, section 1: claim).
	Claims []Claim `json:"claims,omitempty"`

	// The rest is set by the engine.

	// Reads is what the judgement read, apart from the evidence's own name.
	Reads *Reads `json:"-"`
	// Lost says what could not be had, if anything: the verdict is then not one on what
	// the tree holds. A FAIL says so too.
	Lost string `json:"-"`
	// Timed says that the verdict depends on the time it was judged at.
	Timed bool `json:"-"`
}

// Claim is one thing that evidence is a word on. The newest word describes the present;
// older ones are records.
type Claim struct {
	// About is what it is a word on: kind of run, inputs and model, in a form that is
	// equal for the words on one thing.
	About string `json:"about"`
	// Topic is About without the model: kind of run and inputs.
	Topic string `json:"topic,omitempty"`
	// Name names it for a person, such as the model.
	Name string `json:"name"`
	// At is when the run began; zero if that is not known. It then takes over from
	// nothing.
	At time.Time `json:"at"`
	// Samples is how many samples the word rests on; 0 if it does not say.
	Samples int `json:"samples,omitempty"`
	// Conditions are what it was tried under, sorted.
	Conditions []string `json:"conditions,omitempty"`
	// Backfilled says that the evidence was written after the run: its hashes pin a
	// state of git, not what the run read.
	Backfilled bool `json:"backfilled,omitempty"`
}

// Input is a file, or a key of a file, that evidence pins, or that judging it needs.
// The inputs of a result are in the order in which a bundle without room for all
// carries them.
type Input struct {
	// Role is the input's name in the evidence's specification: "token",
	// "brief", "report".
	Role string `json:"role"`
	// Path is the file's path in the tree. When Missing is set it is the path
	// at which the file was looked for, or empty if none could be derived.
	Path string `json:"path,omitempty"`
	// Recorded is the path as the evidence spells it, if it spells one.
	Recorded string `json:"recorded,omitempty"`
	// Rival is a file of other content that the recorded path could lead to as well, if
	// there is one: Path fits better.
	Rival string `json:"-"`
	// Hash is the recorded hash, if the evidence records one.
	Hash string `json:"hash,omitempty"`
	// Field is the check that holds Hash against the file, such as "token.hash"; empty
	// when none does. Hashes says what Hash may be of.
	Field  string `json:"field,omitempty"`
	Hashes Hashes `json:"hashes,omitempty"`
	// Key leads to the value within the file that is pinned; empty for the whole file.
	Key string `json:"key,omitempty"`
	// Value is the recorded hash of what the file means, or of the value at Key, where the
	// evidence records one besides Hash and its kind is a [Recaller].
	Value string `json:"-"`
	// Subject says that the file is what the evidence vouches for, such as the report
	// beside a sidecar: while it stands, so must the evidence.
	Subject bool `json:"subject,omitempty"`
	// Missing says that the tree holds no such file.
	Missing bool `json:"missing,omitempty"`
	// Place is the bundle folder that the file belongs in.
	Place Place `json:"place"`
}

// Hashes says what a recorded hash may be of.
type Hashes string

// What a hash may be of; the zero Hashes is of nothing that history can be searched for.
const (
	HashRaw       Hashes = "raw"       // the bytes
	HashCanonical Hashes = "canonical" // the parsed value
	HashEither    Hashes = "either"    // the bytes, or else the parsed value
	HashMD5       Hashes = "md5"       // md5 of the bytes
	// HashMD5Dos2Unix is md5 of the bytes, CR LF made LF where a chunk looks like text: what
	// DVC 2 recorded.
	HashMD5Dos2Unix Hashes = "md5-dos2unix"
)

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
	// Again is the command that runs and records it again, where that is more than Argv.
	Again []string `json:"-"`
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
