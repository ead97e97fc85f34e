package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/gate/accepted"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// acceptDrift makes a warning of every FAIL that .assay/accepted-drift.yml accepts,
// and reports what is wrong with the file itself. The head's file counts: what
// it accepts is reviewed with the change, and an entry that the change itself
// adds is said before anything else.
func acceptDrift(c *change, s *scope, report *summary.Report, o Options) {
	now := o.judgedAt(c, accepted.Path)
	list, err := readAccepted(c.head, now)
	if err != nil {
		report.Evidence = append(report.Evidence, acceptedEvidence(c, []verify.Check{{
			Field: "file", Status: verify.Fail, Code: "unreadable", Reason: "could not be read: " + err.Error(),
			Location: verify.Location{Path: accepted.Path},
		}}))
		return
	}
	if list == nil {
		return
	}
	var paths []string
	for i := range report.Evidence {
		e := &report.Evidence[i]
		paths = append(paths, e.Path)
		for k := range e.Fields {
			f := &e.Fields[k]
			if f.Status != verify.Fail {
				continue
			}
			if entry, ok := list.Match(e.Path, f.Field, f.Observed); ok {
				f.Status, f.Attribution = verify.Warn, ""
				f.Reason = "accepted" + untilWords(entry) + ": " + entry.Reason + "; " + f.Reason
			}
		}
	}
	if checks := list.Checks(paths, s.mode == "all"); len(checks) > 0 {
		report.Evidence = append(report.Evidence, acceptedEvidence(c, checks))
	}
	if added := addedEntries(c, list, now); len(added) > 0 {
		report.Notices = slices.Insert(report.Notices, 0, summary.Notice{
			Status: verify.Warn, Code: "drift-accepted-here",
			Message: "This change accepts drift: " + strings.Join(added, "; "),
		})
	}
}

func untilWords(e accepted.Entry) string {
	s := ""
	if e.By != "" {
		s += " by " + e.By
	}
	if !e.Until.IsZero() {
		s += " until " + e.Until.Format(time.DateOnly)
	}
	return s
}

// readAccepted is nil where there is no such file.
func readAccepted(t tree, now time.Time) (*accepted.List, error) {
	data, err := verify.NewTree(t).ReadFile(accepted.Path, accepted.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return accepted.Parse(data, now), nil
}

// addedEntries words the entries that the base does not have.
func addedEntries(c *change, list *accepted.List, now time.Time) []string {
	if c.base == nil {
		return nil
	}
	base, err := readAccepted(c.base, now)
	if err != nil {
		base = nil
	}
	const most = 10
	var words []string
	entries := list.Since(base)
	for _, e := range entries[:min(len(entries), most)] {
		words = append(words, verify.Shorten(fmt.Sprintf("%s of %s (%s)", e.Field, e.Evidence, e.Reason), verify.MaxValue))
	}
	if more := len(entries) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return words
}

// acceptedEvidence shows what is wrong with the file as if it were evidence: it
// claims something, too.
func acceptedEvidence(c *change, checks []verify.Check) summary.Evidence {
	e := summary.Evidence{
		Path: accepted.Path, Kind: "accepted-drift", Title: "accepted drift", Because: "it accepts drift of what was checked",
	}
	by := c.broughtBy(accepted.Path)
	for _, check := range checks {
		f := summary.Field{Check: check}
		if f.Status == verify.Fail {
			f.Attribution = by
		}
		e.Fields = append(e.Fields, f)
	}
	return e
}
