package summary

import (
	"fmt"
	"io"

	"github.com/replay-gate/replay-gate/verify"
)

// htmlGroup is the evidence of one cause on the page, or what belongs to none.
type htmlGroup struct {
	ID       string
	Title    string            // empty on the page of a single piece of evidence
	Cause    func() *htmlCause // nil for none; made when it is written, as the evidence is
	Evidence []htmlPiece
}

// htmlPiece is a piece of evidence and its place on the page.
type htmlPiece struct {
	*Entry
	Number int // from 1
	Room   int // for its fields
	Alone  bool
}

// id is that of its section.
func (p htmlPiece) id() string { return fmt.Sprintf("e%d", p.Number) }

// htmlCause is a cause in words. Nothing in it is escaped.
type htmlCause struct {
	By     string
	Lines  []htmlLine
	Claims []htmlClaim
	Notes  []string
	Ways   []htmlWay
}

// htmlClaim is a result that the cause affects, and where on the page its evidence is.
type htmlClaim struct{ ID, Report, Names string }

// htmlWay is one way out of a cause.
type htmlWay struct {
	Label string
	Steps []htmlStep
}

// WriteHTML writes a run as one page to open in a browser: report.html beside the bundles. It
// is [HTML] with what happened in a sentence, and the evidence grouped by cause.
func WriteHTML(w io.Writer, r *Report, t *verify.Timeline) error {
	p := newHTMLPage(r.Evidence, r.Tool, t)
	p.Sentence = plainWords(r.sentence())
	p.Groups = groups(r, p.Groups)
	return p.writeTo(w)
}

// groups puts evidence under the first cause that it fails for. What fails for none comes
// last.
func groups(r *Report, all []htmlGroup) []htmlGroup {
	var causes []*Cause
	for _, brought := range []bool{true, false} {
		causes = append(causes, r.failing(brought)...)
	}
	first := make(map[string]int)  // the cause of each piece of evidence
	ids := make(map[string]string) // of the evidence that has one
	out := make([]htmlGroup, len(causes), len(causes)+1)
	for i, c := range causes {
		out[i] = htmlGroup{Title: plainWords(c.title(r)), Cause: func() *htmlCause { return newHTMLCause(r, c, ids) }}
		for _, a := range c.Claims {
			if _, ok := first[a.Evidence]; !ok {
				first[a.Evidence] = i
			}
		}
	}
	var rest []htmlPiece
	for _, g := range all {
		for _, e := range g.Evidence {
			i, ok := first[e.Path]
			if !ok {
				rest = append(rest, e)
				continue
			}
			out[i].Evidence = append(out[i].Evidence, e)
			ids[e.Path] = e.id()
		}
	}
	title := "Evidence"
	if len(out) > 0 {
		title = "Other evidence"
	}
	if len(rest) > 0 {
		out = append(out, htmlGroup{Title: title, Evidence: rest})
	}
	for i := range out {
		out[i].ID = "c" + thousands(i+1)
	}
	return out
}

func newHTMLCause(r *Report, c *Cause, ids map[string]string) *htmlCause {
	h := &htmlCause{}
	for k := range c.Claims {
		a := &c.Claims[k]
		h.Claims = append(h.Claims, htmlClaim{ids[a.Evidence], a.Report, namesOf(a)})
	}
	words, v := c.by()
	if v != nil {
		words += " " + shortID(v.Commit) + ", " + whoAndWhat(v, !c.Introduced)
	}
	h.By = joined(nonEmpty(words, c.note()))
	for _, l := range c.difference(r) {
		class := ""
		switch {
		case len(l) > 0 && l[0] == '+':
			class = "added"
		case len(l) > 0 && l[0] == '-':
			class = "removed"
		}
		h.Lines = append(h.Lines, htmlLine{class, l})
	}
	h.Notes = append(h.Notes, c.Follows[:min(len(c.Follows), maxShown)]...)
	for _, note := range []string{c.still(r), plainWords(c.older())} {
		if note != "" {
			h.Notes = append(h.Notes, note)
		}
	}
	for _, way := range []struct {
		label string
		steps []Step
	}{{"Meant it?", c.Meant}, {"Did not?", c.Undo}} {
		w := htmlWay{Label: way.label}
		for _, s := range way.steps {
			step := htmlStep{Intro: s.Text}
			if s.Discards != "" {
				step.Intro += " (discards " + s.Discards + ")"
			}
			if command, ok := ShellCommand(s.Command, s.Into); ok {
				step.Lines = []string{command}
			}
			w.Steps = append(w.Steps, step)
		}
		if len(w.Steps) > 0 {
			h.Ways = append(h.Ways, w)
		}
	}
	return h
}
