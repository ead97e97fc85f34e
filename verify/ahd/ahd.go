// Package ahd checks AHD replay sidecars, schema version 1.
//
// A sidecar lies beside the markdown report of an eval run and says what the
// run consumed: which program, which command, which token and brief, pinned by
// hash. It is the authority; the block at the top of the report is derived from
// it. This package judges every field of it against the tree it lies in:
//
//	tree := verify.NewTree(os.DirFS("repo"))
//	r := ahd.Format{}.Verify(ctx, &verify.Evidence{
//		Path: "docs/evals/swiss.replay.json", Tree: tree, Now: verify.At(time.Now()),
//	})
//	for _, c := range r.Checks {
//		fmt.Println(c.Status, c.Field, c.Reason, c.Location)
//	}
//
// What it promises beyond package verify:
//
//   - There is a check for each field of the specification, in its order, also
//     for a field that is missing or of the wrong type. One broken field hides
//     no other. Text that breaks off is judged up to the break.
//   - An input recorded by its absolute path on another machine is found again
//     in this tree, never outside of it, and the check says so.
//   - Provider request ids are counted and never quoted in a check.
//   - Each distinct input is read and hashed once, however many sidecars pin it.
//
// The specification is AHD's "Replay: verify the inputs"; comments cite its
// sections as "AHD replay, Fields".
package ahd

import (
	"context"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Endings of the two files that describe one run.
const (
	sidecarEnding = ".replay.json"
	reportEnding  = ".md"
)

// Format is the AHD replay sidecar as a kind of evidence. The zero value is
// ready for use.
type Format struct{}

// Kind is "ahd".
func (Format) Kind() string { return "ahd" }

// Title is "AHD replay sidecar".
func (Format) Title() string { return "AHD replay sidecar" }

// Patterns matches the sidecars' names (AHD replay, Two surfaces).
func (Format) Patterns() []string { return []string{"**/*" + sidecarEnding} }

// ReportPath is the path of the report that sidecar belongs to: the same name
// with ".md" for ".replay.json", or for whatever ending it has.
func ReportPath(sidecar string) string {
	stem, ok := strings.CutSuffix(sidecar, sidecarEnding)
	if !ok {
		stem = strings.TrimSuffix(sidecar, path.Ext(sidecar))
	}
	return stem + reportEnding
}

// SidecarFor is the path of the sidecar of a report. As the reference verifier
// it takes the report's path, that path without its ending, or the sidecar's.
func SidecarFor(report string) string {
	if strings.HasSuffix(report, sidecarEnding) {
		return report
	}
	return strings.TrimSuffix(report, reportEnding) + sidecarEnding
}

// Verify judges every field of the sidecar.
func (Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	s, err := open(e)
	if err != nil {
		return verify.Unreadable(e, "evidence", recordingAt(e.Path), err)
	}
	j := &checker{sidecar: s, Rows: verify.Rows{Path: e.Path}}
	j.r.SHA256 = canonical.RawHash(s.data)
	j.r.Recording = recordingAt(e.Path)
	j.Checks = make([]verify.Check, 0, 24+3*min(len(s.doc.Root.Get("models").Items()), maxModels))
	if j.document() && j.schemaVersion() {
		j.fields()
	} else {
		_, _, _ = j.subject() // it vouches for its report, however damaged it is
	}
	j.r.Checks = j.Checks
	return j.r
}

// fields judges the fields in the order of the specification.
func (j *checker) fields() {
	j.record()
	j.run()
	j.argv()
	j.token()
	j.brief()
	j.sampling()
	j.models()
	j.conditions()
	j.backfilled()
	j.unknownFields()
	j.report()
	j.r.Claims = j.claims()
}
