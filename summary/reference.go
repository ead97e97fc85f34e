package summary

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// WriteReference writes r in the shape of AHD's own verifier, for name as the
// user gave it and title of its kind: what was recorded, a row for each hash, and the verdict. Fields
// that the reference does not look at have a row when something is wrong with
// them, when a path had to be mapped back to this repository, or with Verbose. No
// line is wrapped.
func WriteReference(w io.Writer, name, title string, r *verify.Result, t Terminal) error {
	s := &screen{Terminal: t}
	s.line("", "replay-gate verify · "+name)
	s.line("", "replay: "+r.Path)
	if r.Kind != "ahd" {
		s.line("", "  taken for: "+title)
	}
	for _, h := range referenceHeader(r.Recording) {
		s.line("", "  "+h)
	}
	s.line("", "")
	for _, c := range r.Checks {
		status := c.Status
		for _, row := range referenceRows(c, t.Verbose) {
			s.line(status, "  "+row)
			status = ""
		}
	}
	s.line("", "")
	s.line("", "verdict: "+referenceVerdict(r))
	return s.writeTo(w)
}

func referenceVerdict(r *verify.Result) string {
	switch {
	case r.Unchecked != "":
		return "not checked"
	case r.Count(verify.Fail) > 0:
		return "drift detected"
	}
	return "replay inputs intact"
}

func referenceHeader(rec verify.Recording) []string {
	var lines []string
	add := func(label, value string) {
		if value != "" {
			lines = append(lines, label+": "+value)
		}
	}
	add("kind", rec.RunKind)
	add(rec.Tool+"_version", rec.ToolVersion)
	commit := rec.Commit
	if len(commit) > 8 {
		commit = commit[:8] + "..."
	}
	if rec.Dirty != nil && *rec.Dirty {
		commit += " (dirty)"
	}
	add(rec.CommitField, commit)
	add("invoked_at", rec.InvokedAt)
	return lines
}

// referenceRows words one field as the reference does; with all also a field that
// holds and that the reference does not look at.
func referenceRows(c verify.Check, all bool) []string {
	role, isHash := strings.CutSuffix(c.Field, ".hash")
	switch {
	case isHash && c.Status == verify.OK:
		row := "ok    " + role + " hash matches"
		if c.Reason != "" {
			row += " (" + c.Reason + ")"
		}
		return []string{row}
	case isHash && c.Code == "hash-differs":
		return []string{
			fmt.Sprintf("%-4s  %s: %s contents have changed since the run; re-hash differs", c.Status, role, role),
			"      expected " + c.Recorded,
			"      actual   " + c.Observed,
		}
	case c.Status == verify.Fail, c.Status == verify.Warn, c.Code == "relocated":
		rows := []string{fmt.Sprintf("%-4s  %s: %s", c.Status, c.Field, c.Reason)}
		for _, v := range []struct{ label, value string }{
			{"recorded", c.Recorded}, {"now", c.Observed}, {"hint", c.Hint},
		} {
			if v.value != "" && c.Status != verify.OK {
				rows = append(rows, fmt.Sprintf("      %-8s %s", v.label, v.value))
			}
		}
		return rows
	case all:
		return []string{fmt.Sprintf("%-4s  %s: %s", c.Status, c.Field, cmp.Or(c.Reason, c.Recorded, c.Observed))}
	}
	return nil
}
