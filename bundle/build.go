package bundle

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Outputs are the renderings of one verdict; a nil one is left out.
type Outputs struct {
	Summary []byte // outputs/summary.json
	JUnit   []byte // outputs/junit.xml
	SARIF   []byte // outputs/sarif.json
	HTML    []byte // outputs/report.html
}

// Source is what a bundle is made from.
type Source struct {
	// Result is the verdict. Its evidence and inputs are read from Tree.
	Result verify.Result
	Tree   *verify.Tree
	// Strict says that the verdict was reached in strict mode.
	Strict bool
	// GitSHA is the commit that Tree holds, in hex, or empty; GitDirty says that
	// something that goes into the bundle is not as it is there.
	GitSHA   string
	GitDirty bool
	// Created is the time that Result was judged at, in whole seconds: a replay
	// judges at it. Zero when there was none.
	Created time.Time
	Outputs Outputs
	// Rendering is the version of the forms of Outputs.
	Rendering uint32
	// Options, Settings and At are those of [ReplayGate].
	Options  []string
	Settings string
	At       string
	// Peers are other evidence of Tree that rows of Result rest on, and Base is what such
	// rows are held against; nil for rows that are on the tree alone.
	Peers []string
	Base  *BaseSource
	// Judge comes to Result again from what a bundle holds. With one, the manifest names
	// every row that a replay does not come to; nil takes Result for a function of the
	// evidence and its inputs.
	Judge Judge
	// Cassettes are the paths of recorded provider responses in Tree. They go in
	// scrubbed.
	Cassettes []string
	// Secrets finds secrets in a file, those of [AssaySecrets] among them, and says whether
	// all of them are the word "bearer" in prose. It is called once for each file, so that
	// who makes many bundles can remember; nil finds what AssaySecrets does.
	Secrets func(data []byte) (found []Secret, prose bool)
}

// maxContent bounds what goes into one bundle, in bytes. Inputs beyond it are
// left out, and the tests that need them are incomplete.
const maxContent = 64 << 20

// Bundle is a finished archive in memory.
type Bundle struct {
	RunID    string
	Manifest Manifest
	Entries  []Entry // sorted by name, without the manifest
	// Warnings are what looks like a secret in a file under outputs/.
	Warnings []*SecretsError

	archive []byte
	sha256  string
}

// SHA256 is the digest of the archive's bytes ("sha256:" + hex).
func (b *Bundle) SHA256() string { return b.sha256 }

// Bytes is the archive. Callers must not change it.
func (b *Bundle) Bytes() []byte { return b.archive }

// BaseCommit is the commit that rows of the verdict are held against; empty if none is.
func (b *Bundle) BaseCommit() string { return baseOf(&b.Manifest) }

// ErrChanged: a file is not as it was when it was judged. There is no bundle of a verdict
// and other files.
var ErrChanged = verify.ErrChanged

// Build makes the bundle of one result. Equal sources give equal bytes.
//
// An input that can't be included does not fail the build: the manifest's
// replay_coverage names the tests that need it, and why. Evidence that can't be
// read does, and so does evidence that is no longer what Result judged. What looks
// like a secret, in a file that others will read, is a *[SecretsError].
func Build(src Source) (*Bundle, error) {
	r := &src.Result
	evidence, err := src.Tree.ReadFile(r.Path, verify.MaxEvidence)
	if err != nil {
		return nil, err
	}
	is := digest(evidence)
	if r.SHA256 != is {
		return nil, fmt.Errorf("%s: %w", r.Path, ErrChanged)
	}
	c := &content{manifest: Manifest{
		SchemaVersion: 1, AssayVersion: NoAssay,
		SourceRunPath: r.Path, SelectionMethod: "explicit-from",
		GitSHA: src.GitSHA, GitDirty: &src.GitDirty,
		Toolchain: toolchain(r.Recording), Seeds: seeds(r.Recording),
		ScrubPolicy: defaultScrubPolicy(), Files: make(map[string]File),
		ReplayGate: &ReplayGate{
			Evidence: r.Path, Kind: r.Kind, Strict: src.Strict, Options: src.Options, Settings: src.Settings,
			Rendering: src.Rendering, At: src.At, EvidenceDigest: is,
		},
	}, repo: make(map[string]string), met: unusable(r.Reads), secrets: src.Secrets}
	if c.secrets == nil {
		c.secrets = assaySecrets
	}
	if !src.Created.IsZero() {
		c.manifest.CreatedAt = src.Created.UTC().Format(time.RFC3339)
	}
	whole, err := c.addEvidence(r, evidence)
	if err != nil {
		return nil, err
	}
	left, lacking, err := c.addAll(&src, whole)
	if err != nil {
		return nil, err
	}

	ids := testIDs(r.Checks)
	s, err := newSuite(r, ids)
	if err != nil {
		return nil, err
	}
	for _, m := range []struct {
		name string
		data []byte
	}{{configName, s.config}, {traceName, s.trace}} {
		if _, err := c.screen("files", m.name, m.data); err != nil {
			return nil, err
		}
		c.add(m.name, m.data)
	}
	c.manifest.TracePath, c.manifest.TraceDigest = traceName, c.manifest.Files[traceName].SHA256
	c.manifest.ConfigDigest = c.manifest.Files[configName].SHA256
	c.manifest.Coverage = coverage(r.Checks, ids, left, lacking, whole)
	// What a replay would refuse is not written.
	if err := boundSummary(src.Outputs.Summary); err != nil {
		return nil, err
	}
	c.addOutputs(src.Outputs)
	return c.pack(RunID(*r))
}

// unusable are the files that a judgement could not read, with the reason. A file that is
// merely large is none: it could be had, and what it holds is missing from the bundle.
func unusable(reads *verify.Reads) map[string]string {
	met := make(map[string]string)
	is := func(r verify.Read) bool {
		return r.Op == verify.OpFile && r.Outcome == verify.Unusable && !strings.HasPrefix(r.Why, "is larger than ")
	}
	if reads.Any(nil, is) {
		for _, r := range reads.All() {
			if is(r) {
				met[r.Name] = r.Why
			}
		}
	}
	return met
}

// addAll includes everything that the verdict rests on besides the evidence, and says what
// was left out, and which rows a replay will therefore not come to.
func (c *content) addAll(src *Source, whole string) (left []omission, lacking map[string]bool, err error) {
	for _, add := range []func() ([]omission, error){
		func() ([]omission, error) { return c.addInputs(src.Tree, src.Result.Inputs) },
		func() ([]omission, error) { return nil, c.addCassettes(src.Tree, src.Cassettes) },
		func() ([]omission, error) { return c.addPeers(src.Tree, src.Peers) },
		func() ([]omission, error) { return c.addBase(src.Tree, src.Base) },
	} {
		more, err := add()
		if err != nil {
			return nil, nil, err
		}
		left = append(left, more...)
	}
	if whole != "" {
		return left, nil, nil
	}
	lacking, more, err := c.prove(src)
	return append(left, more...), lacking, err
}

func (c *content) pack(runID string) (*Bundle, error) {
	slices.SortFunc(c.entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	manifest, err := c.manifest.encode()
	if err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	// What this package can't read back it does not write.
	limits := DefaultLimits()
	if n := len(c.entries) + 1; n > limits.Entries {
		return nil, &LimitError{Dimension: "entries", Limit: int64(limits.Entries)}
	}
	if int64(len(manifest)) > limits.Manifest {
		return nil, &LimitError{Dimension: "manifest bytes", Limit: limits.Manifest}
	}
	archive, err := compress(func(w io.Writer) error { return writeTar(w, manifest, c.entries) })
	if err != nil {
		return nil, fmt.Errorf("writing the archive: %w", err)
	}
	return &Bundle{
		RunID: runID, Manifest: c.manifest, Entries: c.entries, Warnings: c.warnings,
		archive: archive, sha256: digest(archive),
	}, nil
}

// coverage says which tests can be replayed from the bundle alone. A check whose
// input was left out can't, nor one that is lacking; an omission of an input that no check
// is about stands for itself. Without the evidence, which whole then explains, none can.
func coverage(checks []verify.Check, ids []string, left []omission, lacking map[string]bool, whole string) *Coverage {
	reasons := make(map[string]string) // by input
	for _, o := range left {
		reasons[o.path] = o.reason
	}
	c := &Coverage{Complete: []string{}, Incomplete: []string{}}
	incomplete := func(id, reason string) {
		c.Incomplete = append(c.Incomplete, id)
		if c.Reason == nil {
			c.Reason = make(map[string]string)
		}
		c.Reason[id] = reason
	}
	named := make(map[string]bool)
	names := numbered(checks)
	for i, check := range checks {
		reason, out := reasons[check.Input]
		switch {
		case whole != "":
			incomplete(ids[i], whole)
		case out && check.Input != "":
			named[check.Input] = true
			incomplete(ids[i], reason)
		case lacking[names[i]]:
			incomplete(ids[i], because(left))
		case check.Status != verify.Info:
			c.Complete = append(c.Complete, ids[i])
		}
	}
	if lacking[""] {
		incomplete(wholeVerdict, because(left))
	}
	for _, o := range left {
		if !named[o.path] && o.pinned() {
			incomplete("input "+o.role+" "+verify.Shorten(escapeName(o.path), maxName), o.reason)
		}
	}
	return c
}

// wholeVerdict stands in replay_coverage for what is no single row.
const wholeVerdict = "the verdict as a whole"

// because is why a row is not replayed that no input of its own accounts for.
func because(left []omission) string {
	for _, o := range left {
		if !o.pinned() {
			return notReplayed + ": " + verify.Shorten(escapeName(o.path), maxName) + " was " + o.reason
		}
	}
	return notReplayed
}

// toolchain says on what the run was recorded, from the recording alone.
func toolchain(rec verify.Recording) *Toolchain {
	// Node's names for systems and processors, and Rust's.
	names := map[string]string{
		"darwin": "macos", "linux": "linux", "win32": "windows", "freebsd": "freebsd", "openbsd": "openbsd",
		"arm64": "aarch64", "x64": "x86_64", "ia32": "x86", "arm": "arm", "riscv64": "riscv64", "s390x": "s390x", "ppc64": "powerpc64",
	}
	var t Toolchain
	system, processor, _ := strings.Cut(rec.Platform, "-")
	if run := (Runner{OS: names[system], Arch: names[processor]}); run != (Runner{}) {
		t.Runner = &run
	}
	if rec.Runtime != "unknown" {
		t.Node = verify.Shorten(strings.ToValidUTF8(rec.Runtime, "\uFFFD"), verify.MaxValue)
	}
	if t == (Toolchain{}) {
		return nil
	}
	return &t
}

func seeds(rec verify.Recording) *Seeds {
	digits := strings.TrimPrefix(rec.Seed, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 20 {
		return nil
	}
	version := uint32(1)
	return &Seeds{SeedVersion: &version, OrderSeed: rec.Seed}
}
