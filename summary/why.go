package summary

import (
	"fmt"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Lines of a difference that are shown without folding it, and at all; the
// report has the rest.
const (
	openDifference = 10
	maxDifference  = 40
)

// maxEdit bounds a value in a line of a difference, in characters.
const maxEdit = 120

// sinceWords names the commit that made an input drift, in the form
// "8439eb6a12c9, 2026-05-05, Demo Author: Soften the accent (#12)". It is empty
// when none is known.
func sinceWords(v *verify.Version) string {
	if v == nil {
		return ""
	}
	s := fmt.Sprintf("%s, %s, %s: %s", shortID(v.Commit), v.Date.UTC().Format(time.DateOnly), clip(Visible(v.Author), 60), clip(Visible(v.Subject), maxCell))
	if pr := fmt.Sprintf("#%d", v.PullRequest); v.PullRequest > 0 && !strings.Contains(v.Subject, pr) {
		s += " (" + pr + ")"
	}
	return s
}

// differenceLines are the difference between the recorded version of an input
// and the present one, a line for each side of an edit, as diff writes them.
func differenceLines(w *verify.Why) []string {
	var lines []string
	for _, e := range w.Edits {
		name := clip(Visible(e.Path), maxEdit)
		if e.Count > 1 {
			name += fmt.Sprintf(" (%d values)", e.Count)
		}
		if e.Op != verify.EditAdded {
			lines = append(lines, "- "+name+": "+clip(Visible(e.Before), maxEdit+40))
		}
		if e.Op != verify.EditRemoved {
			lines = append(lines, "+ "+name+": "+clip(Visible(e.After), maxEdit+40))
		}
	}
	if len(w.Edits) == 0 && w.Unified != "" {
		for l := range strings.Lines(strings.TrimRight(w.Unified, "\n")) {
			lines = append(lines, clip(Visible(strings.TrimRight(l, "\r\n")), maxEdit+40))
		}
	}
	more := w.More
	if n := len(lines) - maxDifference; n > 0 {
		lines, more = lines[:maxDifference], more+n
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… %s more in the report", thousands(more)))
	}
	return lines
}

// why adds what changed in the inputs of e's failures, and since when.
func (p *page) why(r *Report, e *Evidence) {
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Why == nil || f.Status != verify.Fail || p.over {
			continue
		}
		head := "What changed in " + link(code(f.Input, maxTitle), r.Links.BlobURL(f.Input, f.InputLine))
		if s := sinceWords(f.Why.Since); s != "" {
			head += " · since " + link(code(s, maxText), r.Links.commitURL(f.Why.Since.Commit))
		}
		if f.Why.Note != "" {
			head += " · " + text(f.Why.Note)
		}
		p.add(head, "\n\n")
		lines := differenceLines(f.Why)
		switch {
		case len(lines) > openDifference:
			p.add("<details><summary>", count(len(lines), "line"), "</summary>\n\n", block("diff", lines), "</details>\n\n")
		case len(lines) > 0:
			p.add(block("diff", lines))
		}
	}
}

// why writes the same below a table on a terminal.
func (s *screen) why(e *Evidence) {
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Why == nil || f.Status != verify.Fail {
			continue
		}
		parts := []string{"what changed in " + Visible(f.Input)}
		if since := sinceWords(f.Why.Since); since != "" {
			parts = append(parts, "since "+since)
		}
		if f.Why.Note != "" {
			parts = append(parts, f.Why.Note)
		}
		s.wrapped("", indent, joined(parts))
		lines := differenceLines(f.Why)
		if n := len(lines) - openDifference; n > 1 && !s.Verbose {
			lines = append(lines[:openDifference:openDifference], fmt.Sprintf("… %d more lines; --verbose shows them", n))
		}
		for _, l := range lines {
			s.wrapped("", indent+"  ", l)
		}
	}
}
