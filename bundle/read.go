package bundle

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Archive is a bundle that was read. Close it when done.
type Archive struct {
	Manifest Manifest
	Entries  []Entry // sorted by name, without the manifest
	// Digest is that of the whole source ("sha256:" + hex); empty for a folder.
	Digest string
	// Findings are the checks that do not hold, as [Check] words them: FAIL and
	// warn. A caller that uses the content must refuse it when one is a FAIL.
	Findings []verify.Check

	raw   []byte
	store *store
}

// RawManifest is the manifest's own text. Callers must not change it.
func (a *Archive) RawManifest() []byte { return a.raw }

// Entry returns the entry called name.
func (a *Archive) Entry(name string) (Entry, bool) { return findEntry(a.Entries, name) }

func findEntry(entries []Entry, name string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(entries, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return Entry{}, false
	}
	return entries[i], true
}

// RepositoryPath returns the repository path of the entry called name, if it has
// one: outputs and what is written for Assay have none.
func (a *Archive) RepositoryPath(name string) (string, bool) { return repoPath(name, a.Manifest.Paths) }

// Close gives back what holds the content.
func (a *Archive) Close() error { return a.store.close() }

// Read reads a bundle from r, to its end. What is not a well-formed bundle is a
// *[FormatError], what exceeds l a *[LimitError]; any other error is one of r or
// of this machine's disk.
func Read(r io.Reader, l Limits) (*Archive, error) {
	sc, err := scanArchive(r, l, true)
	if err != nil {
		return nil, err
	}
	return newArchive(sc)
}

// newArchive is the archive that was scanned, or the reason why it is none.
func newArchive(sc *scan) (*Archive, error) {
	x := examine(sc)
	if err := x.refusal(); err != nil {
		_ = sc.store.close()
		return nil, err
	}
	a := &Archive{Manifest: *x.manifest, Entries: sc.entries, Digest: sc.digest, raw: sc.manifest, store: sc.store}
	for _, c := range x.rows("") {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			a.Findings = append(a.Findings, c)
		}
	}
	return a, nil
}

// examination is a scanned archive together with its parsed manifest.
type examination struct {
	*scan
	manifest *Manifest // nil when there is none that could be read
	unknown  []string
	wrong    []problem // with the manifest's text
	limit    *LimitError
}

// refusal is the error that makes the archive unusable, or nil.
func (x *examination) refusal() error {
	if x.limit != nil {
		le := *x.limit
		le.Digest = x.digest
		return &le
	}
	for _, p := range slices.Concat(x.problems, x.wrong) {
		if p.status == verify.Fail {
			return &FormatError{Rule: p.rule, Reason: p.sentence(), Digest: x.digest}
		}
	}
	return nil
}

func examine(sc *scan) *examination {
	slices.SortFunc(sc.entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	x := &examination{scan: sc, limit: sc.limit}
	switch {
	case sc.limit != nil:
	case !sc.hasManifest:
		x.wrong = append(x.wrong, problem{ruleManifest, "missing", "", "there is no manifest.json at the root", verify.Fail})
	case sc.manifest != nil:
		var err error
		x.manifest, x.unknown, x.wrong, err = parseManifest(sc.manifest, sc.limits)
		x.limit = asLimit(err)
	}
	return x
}

// sentence puts the entry's name before the reason, quoted: it is hostile.
func (p problem) sentence() string {
	if p.entry == "" {
		return p.reason
	}
	return fmt.Sprintf("%q %s", verify.Shorten(p.entry, maxName+32), p.reason)
}
