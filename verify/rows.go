package verify

import "strings"

// Rows collects the checks of one piece of evidence: the one way in which every kind
// builds them. Its zero value with a Path is ready for use.
//
//	rows := verify.Rows{Path: e.Path}
//	rows.OK("token.hash", doc.At(node), "parsed value matches").Observed = hash
type Rows struct {
	// Path is the evidence's own, where its rows stand unless they say otherwise.
	Path   string
	Checks []Check
}

// Spot is a value in the evidence: where it stands, and its text. The zero Spot is the
// file as a whole.
type Spot struct {
	Line, Column int
	Text         string
}

// OK adds a row for a value that holds. The caller may fill in more through the
// returned pointer, until the next row.
func (r *Rows) OK(field string, at Spot, reason string) *Check {
	return r.Add(OK, field, at, "", reason)
}

// Fail adds a row for a value that does not hold.
func (r *Rows) Fail(field string, at Spot, code, reason string) *Check {
	return r.Add(Fail, field, at, code, reason)
}

// Warn adds a row for a value that deserves a look.
func (r *Rows) Warn(field string, at Spot, code, reason string) *Check {
	return r.Add(Warn, field, at, code, reason)
}

// Info adds a row for a fact.
func (r *Rows) Info(field string, at Spot, code, reason string) *Check {
	return r.Add(Info, field, at, code, reason)
}

// Add adds a row. All text in it is bounded. That of at is copied: the text of a node is a
// part of the whole file's, and one row must not keep that alive.
func (r *Rows) Add(status Status, field string, at Spot, code, reason string) *Check {
	r.Checks = append(r.Checks, Check{
		Field: Shorten(field, MaxValue), Status: status, Code: code, Reason: Shorten(reason, MaxValue), Recorded: kept(at.Text),
		Location: Location{Path: r.Path, Line: at.Line, Column: at.Column},
	})
	return &r.Checks[len(r.Checks)-1]
}

func kept(s string) string { return strings.Clone(Shorten(s, MaxValue)) }

// Unreadable is the result for evidence that [Tree.ReadFile] could not read: one FAIL,
// of the field that stands for the whole file.
func Unreadable(e *Evidence, field string, rec Recording, err error) Result {
	reason := "could not be read: " + ReadReason(err)
	rows := Rows{Path: e.Path}
	rows.Fail(field, Spot{}, "unreadable", reason)
	return Result{Unchecked: reason, Recording: rec, Checks: rows.Checks}
}
