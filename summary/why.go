package summary

import (
	"fmt"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/summary/visible"
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

// commitWords say who made a commit, when and why, in the form "2026-05-05, Demo
// Author: Soften the accent (#12)".
func commitWords(v *verify.Version) string {
	s := fmt.Sprintf("%s, %s: %s", v.Date.UTC().Format(time.DateOnly), verify.Clip(visible.Text(v.Author), 60), verify.Clip(visible.Text(v.Subject), maxCell))
	if pr := fmt.Sprintf("#%d", v.PullRequest); v.PullRequest > 0 && !strings.Contains(v.Subject, pr) {
		s += " (" + pr + ")"
	}
	return s
}

// DifferenceLines are the difference between the recorded version of an input
// and the present one, a line for each side of an edit, as diff writes them. They
// are printable, and still have to be escaped for where they go.
func DifferenceLines(w *verify.Why) []string {
	var lines []string
	for _, e := range w.Edits {
		name := verify.Clip(visible.Text(e.Path), maxEdit)
		if e.Count > 1 {
			name += fmt.Sprintf(" (%d values)", e.Count)
		}
		if e.Op != verify.EditAdded {
			lines = append(lines, "- "+name+": "+verify.Clip(visible.Text(e.Before), maxEdit+40))
		}
		if e.Op != verify.EditRemoved {
			lines = append(lines, "+ "+name+": "+verify.Clip(visible.Text(e.After), maxEdit+40))
		}
	}
	if len(w.Edits) == 0 && w.Unified != "" {
		for l := range strings.Lines(strings.TrimRight(w.Unified, "\n")) {
			lines = append(lines, verify.Clip(visible.Text(strings.TrimRight(l, "\r\n")), maxEdit+40))
		}
	}
	if n := len(lines) - maxDifference; n > 0 {
		lines = append(lines[:maxDifference], fmt.Sprintf("… %s in the report", count(n, "more line")))
	}
	if w.More > 0 { // the report has no more of them
		lines = append(lines, fmt.Sprintf("… and %s", count(w.More, "more difference")))
	}
	return lines
}

// told remembers the differences that were shown: one change of an input may break
// the evidence of many runs, and is shown once.
type told map[string]string

// before says where the same difference of an input was shown before.
func (t *told) before(input string, lines []string, place string) (first string, seen bool) {
	if len(lines) == 0 {
		return "", false
	}
	if *t == nil {
		*t = told{}
	}
	key := input + "\n" + strings.Join(lines, "\n")
	if first, seen = (*t)[key]; !seen {
		(*t)[key] = place
	}
	return first, seen
}

// why adds what changed in the inputs of e's failures, and since when.
func (p *page) why(r *Report, e *Entry) {
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Why == nil || f.Status != verify.Fail || p.over {
			continue
		}
		head := "What changed in " + link(code(f.Input, maxTitle), r.Links.BlobURL(f.Input, f.InputLine))
		if v := f.Why.Since; v != nil {
			head += " · since " + link(commitSpan(v.Commit), r.Links.CommitURL(v.Commit)) + ", " + text(commitWords(v))
		}
		if f.Why.Note != "" {
			head += " · " + text(f.Why.Note)
		}
		lines := DifferenceLines(f.Why)
		first, seen := p.told.before(f.Input, lines, "for "+code(e.Path, maxTitle))
		if seen {
			head += " · the same difference as " + first
		}
		p.add(head, "\n\n")
		switch {
		case seen:
		case len(lines) > openDifference:
			p.add("<details><summary>", count(len(lines), "line"), "</summary>\n\n", block("diff", lines), "</details>\n\n")
		case len(lines) > 0:
			p.add(block("diff", lines))
		}
	}
}

// why writes the same below a table on a terminal.
func (s *screen) why(e *Entry) {
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Why == nil || f.Status != verify.Fail {
			continue
		}
		parts := []string{"what changed in " + visible.Text(f.Input)}
		if v := f.Why.Since; v != nil {
			parts = append(parts, "since "+shortID(v.Commit)+", "+commitWords(v))
		}
		if f.Why.Note != "" {
			parts = append(parts, f.Why.Note)
		}
		lines := DifferenceLines(f.Why)
		if first, seen := s.told.before(f.Input, lines, "for "+e.Path); seen {
			parts, lines = append(parts, "the same difference as "+first), nil
		}
		s.wrapped("", indent, joined(parts))
		if n := len(lines) - openDifference; n > 1 && !s.Verbose {
			lines = append(lines[:openDifference:openDifference], fmt.Sprintf("… %d more lines; --verbose shows them", n))
		}
		for _, l := range lines {
			s.wrapped("", indent+"  ", l)
		}
	}
}
