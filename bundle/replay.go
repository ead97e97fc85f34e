package bundle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Outcome is what a replay comes to.
type Outcome string

// The outcomes (Replay Bundle v1, sections 5.2 and 5.3).
const (
	// Holds: the replay came to the recorded verdict, whatever that was.
	Holds Outcome = "holds"
	// Differs: at least one part of the verdict is another one now.
	Differs Outcome = "differs"
	// MissingDependency: something that the verdict rests on is not in the bundle,
	// so it can't be said whether the whole of it holds.
	MissingDependency Outcome = "missing-dependency"
)

// Record is a verdict in the form in which a bundle carries it.
type Record struct {
	Kind      string         `json:"kind"`
	Evidence  string         `json:"evidence"`
	SHA256    string         `json:"sha256"`
	Strict    bool           `json:"strict"`
	Verdict   string         `json:"verdict"` // intact, drift, unchecked
	Unchecked string         `json:"unchecked,omitempty"`
	Checks    []verify.Check `json:"checks"`
}

// Records reads and writes verdicts; their form in outputs/summary.json is not
// this package's to know.
type Records struct {
	// Read reads the verdict in a bundle's summary. The error is [ErrNoRecord] when
	// there is none in it, as in a bundle that Assay wrote.
	Read func(summary []byte) (Record, error)
	// Of gives r as Read would give it after it was written.
	Of func(r verify.Result, strict bool) (Record, error)
}

// ErrNoRecord says that a summary holds no verdict that can be compared.
var ErrNoRecord = errors.New("the summary holds no verdict of this tool")

// ReplayOptions say how to replay.
type ReplayOptions struct {
	Records Records
	// Now is the time to judge at when the manifest has no created_at.
	Now time.Time
	// Judge comes to the verdict from the bundle; nil judges the evidence with its format.
	Judge Judge
	// Render gives the outputs of a verdict as a bundle carries them, in the forms that
	// have the version Rendering; nil renders nothing, and nothing is compared.
	Render    func(r verify.Result, strict bool) (Outputs, error)
	Rendering uint32
}

// Replayed is what a replay found.
type Replayed struct {
	Outcome Outcome `json:"outcome"`
	// Digests counts the files whose digest in the manifest was verified.
	Digests int `json:"digests"`
	// Recorded is the verdict in the bundle, and Observed the one that its files
	// give now; nil when there is none.
	Recorded *Record `json:"recorded,omitempty"`
	Observed *Record `json:"observed,omitempty"`
	// Compared counts the checks that were compared, and Outputs the files that were
	// rendered again and compared.
	Compared    int          `json:"compared"`
	Outputs     int          `json:"outputs"`
	Differences []Difference `json:"differences"`
	Missing     []Missing    `json:"missing"`
	// Notes are sentences about what a replay can't vouch for.
	Notes []string `json:"notes"`
	// Recording is what the evidence says about its run; nothing of it is compared.
	Recording verify.Recording `json:"-"`
}

// ReasonCode is the machine-readable word for the outcome; empty when the verdict
// holds.
func (r *Replayed) ReasonCode() string {
	switch r.Outcome {
	case Differs:
		return "E_REPLAY_DIFFERS"
	case MissingDependency:
		return "E_REPLAY_MISSING_DEPENDENCY"
	}
	return ""
}

// Missing is something that the verdict rests on and the bundle does not hold.
type Missing struct {
	// File is a path in the repository, or in the bundle for what only a bundle
	// has. It is empty when it is no file that is missing.
	File string `json:"file,omitempty"`
	// Fields are the checks that need it, as far as they are known.
	Fields []string `json:"fields,omitempty"`
	// Why says why it is not there, as replay_coverage has it.
	Why string `json:"why"`
	// Where says where it can be had.
	Where string `json:"where"`
}

// Bounds for the summary in a bundle. A check of the gate's has about ten values.
const (
	maxSummary       = 16 << 20 // bytes
	maxSummaryValues = 200_000
)

// boundSummary refuses a summary before anything is built from it: three bytes of
// JSON can become two hundred of a check. The error is a *[LimitError].
func boundSummary(data []byte) error {
	if len(data) > maxSummary {
		return &LimitError{Dimension: "bytes in the summary", Limit: maxSummary}
	}
	l := DefaultLimits()
	l.Values = maxSummaryValues
	return boundJSON(data, l, "the summary")
}

// Replay judges the evidence of a bundle again, from the bundle's own files alone,
// and compares with the verdict recorded in it, field by field: status, code,
// recorded and observed value. Hints are advice and are not compared.
//
// A bundle of which a rule or a digest does not hold is not replayed: the error
// is a *[FormatError]. An archive stays open.
func Replay(ctx context.Context, a *Archive, formats []verify.Format, o ReplayOptions) (*Replayed, error) {
	re := &replay{archive: a, tree: verify.NewTree(a.FS()), where: source(&a.Manifest)}
	re.found.Differences, re.found.Missing, re.found.Notes = []Difference{}, []Missing{}, []string{}
	re.absent()
	if err := re.refusal(); err != nil {
		return nil, err
	}
	re.found.Digests = len(a.Manifest.Files) - len(re.found.Missing)
	if err := re.run(ctx, formats, o); err != nil {
		return nil, err
	}
	switch {
	case len(re.found.Missing) > 0:
		re.found.Outcome = MissingDependency
	case len(re.found.Differences) > 0:
		re.found.Outcome = Differs
	default:
		re.found.Outcome = Holds
	}
	return &re.found, nil
}

// replay is one replay under way.
type replay struct {
	archive *Archive
	tree    *verify.Tree
	where   func(repoPath string) string
	found   Replayed
}

// absent notes the files that the manifest lists and the bundle does not hold.
func (re *replay) absent() {
	a := re.archive
	for name := range sorted(a.Manifest.Files) {
		if _, ok := a.Entry(name); ok {
			continue
		}
		m := Missing{File: name, Why: "the manifest lists it, and it is not in the bundle", Where: remake(&a.Manifest)}
		if repo, ok := repoPath(name, a.Manifest.Paths); ok {
			m.File, m.Where = repo, re.where(repo)
		}
		re.found.Missing = append(re.found.Missing, m)
	}
}

// refusal is the first finding that makes the bundle unfit to be replayed. That a
// file is absent does not: it is a dependency that is missing, and so is what
// points at it. Neither does a bundle with nothing to replay in it, which Assay
// writes when it finds nothing.
func (re *replay) refusal() error {
	for _, c := range re.archive.Findings {
		if c.Code == codeNothing || c.Code == codeAbsent && len(re.found.Missing) > 0 {
			continue
		}
		if c.Status == verify.Fail {
			return &FormatError{Rule: c.Field, Reason: c.Reason, Digest: re.archive.Digest}
		}
	}
	return nil
}

func (re *replay) run(ctx context.Context, formats []verify.Format, o ReplayOptions) error {
	recorded, err := re.record(o.Records)
	if err != nil {
		return err
	}
	if recorded == nil {
		return nil
	}
	re.found.Recorded = recorded
	g := re.archive.Manifest.ReplayGate
	format := formatOf(formats, recorded.Kind)
	switch {
	case g == nil:
		re.miss("", "the manifest does not say which file is the evidence", remake(&re.archive.Manifest))
		return nil
	case format == nil:
		re.miss("", fmt.Sprintf("this release does not know evidence of the kind %q", verify.Shorten(recorded.Kind, 64)), "a later release of replay-gate knows it")
		return nil
	case !re.tree.Exists(g.Evidence):
		// Noted as absent already, or left out when the bundle was made: otherwise a
		// bundle without it is refused.
		if c := re.archive.Manifest.Coverage; len(re.found.Missing) == 0 && c != nil && len(c.Incomplete) > 0 {
			re.miss(g.Evidence, c.Reason[c.Incomplete[0]], re.where(g.Evidence))
		}
		return nil
	}
	judge := o.Judge
	if judge == nil {
		judge = func(a *Archive) (verify.Result, error) {
			engine := verify.Engine{Strict: g.Strict, Now: a.JudgedAt(o.Now), Concurrency: 1}
			return engine.Verify(ctx, re.tree, []verify.Item{{Path: g.Evidence, Format: format}})[0], ctx.Err()
		}
	}
	result, err := judge(re.archive)
	if err != nil {
		return err
	}
	observed, err := o.Records.Of(result, g.Strict)
	if err != nil {
		return err
	}
	re.found.Observed, re.found.Recording = &observed, result.Recording
	re.found.Differences = append(re.found.Differences, compare(recorded, &observed)...)
	re.found.Compared = max(len(recorded.Checks), len(observed.Checks))
	re.uncovered(recorded)
	re.origin()
	return re.outputs(result, recorded, o)
}

// JudgedAt is the time that the verdict of the bundle was reached at; otherwise where the
// manifest names none, because the verdict depends on none.
func (a *Archive) JudgedAt(otherwise time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, a.Manifest.CreatedAt); err == nil {
		return t
	}
	return otherwise
}

// record reads the verdict of the bundle; nil when it has none, which is noted.
func (re *replay) record(records Records) (*Record, error) {
	m := &re.archive.Manifest
	if m.Outputs == nil || m.Outputs.Summary == "" {
		re.miss("", "the bundle has no summary, so there is no verdict to compare with", remake(m))
		return nil, nil
	}
	e, ok := re.archive.Entry(m.Outputs.Summary)
	switch {
	case !ok:
		return nil, nil // noted as absent: a bundle without it is refused otherwise
	case e.Size > maxSummary:
		return nil, &LimitError{Dimension: "bytes in the summary", Limit: maxSummary, Digest: re.archive.Digest}
	}
	data, err := e.bytes()
	if err != nil {
		return nil, err
	}
	if le := asLimit(boundSummary(data)); le != nil {
		le.Digest = re.archive.Digest
		return nil, le
	}
	r, err := records.Read(data)
	switch {
	case errors.Is(err, ErrNoRecord):
		re.miss("", "the verdict in the bundle is one of Assay's own engine, which judges other rules", "assay replay --bundle repeats it")
		return nil, nil
	case err != nil:
		return nil, &FormatError{Rule: m.Outputs.Summary, Reason: err.Error(), Digest: re.archive.Digest}
	}
	return &r, nil
}

func (re *replay) miss(file, why, where string, fields ...string) {
	re.found.Missing = append(re.found.Missing, Missing{File: file, Fields: fields, Why: why, Where: where})
}

func formatOf(formats []verify.Format, kind string) verify.Format {
	for _, f := range formats {
		if f.Kind() == kind {
			return f
		}
	}
	return nil
}
