package summary

import (
	"fmt"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// htmlRow is one field on the page.
type htmlRow struct {
	*Field
	Number int // place in the evidence's specification, from 1
	Rank   int // of the status, the worst first
	Place  string
	Who    string // attribution
	Why    *htmlWhy
}

// htmlWhy is a [verify.Why] in words. Nothing in it is escaped.
type htmlWhy struct {
	Summary string // on the fold
	Open    bool
	Facts   []htmlFact
	Edits   []htmlEdit
	More    string
	Unified []htmlLine
}

type htmlEdit struct{ Op, Path, Before, After string }

// htmlLine is a line of a difference by lines.
type htmlLine struct{ Class, Text string }

func newHTMLRow(e *Entry, f *Field, number int) htmlRow {
	r := htmlRow{Field: f, Number: number, Who: attributionWord(f.Attribution), Why: newHTMLWhy(f.Why)}
	for i, s := range []verify.Status{verify.Fail, verify.Warn, verify.OK, verify.Info} {
		if f.Status == s {
			r.Rank = i
		}
	}
	switch l := f.Location; {
	case l.Path != "" && l.Path != e.Path:
		r.Place = l.String()
	case l.Line > 0:
		r.Place = fmt.Sprintf("line %d", l.Line)
	}
	return r
}

// newHTMLWhy is nil when nothing is known.
func newHTMLWhy(w *verify.Why) *htmlWhy {
	if w == nil {
		return nil
	}
	h := &htmlWhy{}
	add := func(label, value string) {
		if value != "" {
			h.Facts = append(h.Facts, htmlFact{label, value})
		}
	}
	add("since", versionWords(w.Since))
	add("note", w.Note)
	add("recorded value is in", versionWords(w.Recorded))
	add("holds at", w.HoldsAt)
	edits, more := w.Edits, w.More
	if n := len(edits) - maxPageEdits; n > 0 {
		edits, more = edits[:maxPageEdits], more+n
	}
	for _, d := range edits {
		op := string(d.Op)
		if d.Count > 1 {
			op = fmt.Sprintf("%s (%d)", op, d.Count)
		}
		h.Edits = append(h.Edits, htmlEdit{op, d.Path, d.Before, d.After})
	}
	if more > 0 {
		h.More = "and " + count(more, "more difference")
	}
	for line := range strings.Lines(w.Unified) {
		h.Unified = append(h.Unified, newHTMLLine(strings.TrimSuffix(line, "\n"), len(h.Unified)))
	}
	if len(h.Facts)+len(h.Edits)+len(h.Unified) == 0 {
		return nil
	}
	h.Summary = whySummary(w)
	h.Open = len(h.Edits) <= openDifference && len(h.Unified) <= openDifference
	return h
}

// whySummary is the shortest account: how much changed, and when.
func whySummary(w *verify.Why) string {
	var parts []string
	if n := len(w.Edits) + w.More; n > 0 {
		parts = append(parts, count(n, "difference"))
	} else if w.Unified != "" {
		parts = append(parts, "difference")
	}
	if w.Since != nil {
		parts = append(parts, "since "+shortID(w.Since.Commit))
	}
	if len(parts) == 0 {
		return "since when"
	}
	return joined(parts)
}

// versionWords names a commit as [sinceWords] does, in full, and where the file lay.
func versionWords(v *verify.Version) string {
	if v == nil {
		return ""
	}
	words := fmt.Sprintf("%s, %s, %s: %s", v.Commit, v.Date.UTC().Format(time.DateOnly), v.Author, v.Subject)
	if pr := fmt.Sprintf("#%d", v.PullRequest); v.PullRequest > 0 && !strings.Contains(v.Subject, pr) {
		words += " (" + pr + ")"
	}
	return joined([]string{words, v.Path})
}

// newHTMLLine classes line n of a unified difference; the first two name the files.
func newHTMLLine(line string, n int) htmlLine {
	class := ""
	switch {
	case n < 2, strings.HasPrefix(line, "@@"):
		class = "hunk"
	case strings.HasPrefix(line, "+"):
		class = "added"
	case strings.HasPrefix(line, "-"):
		class = "removed"
	}
	return htmlLine{class, line}
}
