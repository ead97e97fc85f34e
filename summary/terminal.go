package summary

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Terminal says how to print for a person at a terminal, or in a log.
type Terminal struct {
	// Color decorates the words ok, FAIL, warn and info. They are printed in any
	// case.
	Color bool
	// Width is the longest line in columns; 0 means 100. Below 60 counts as 60.
	Width int
	// Verbose also shows the fields that hold, and all evidence.
	Verbose bool
	// Quiet shows the verdict, and for a run that fails why and what to do next;
	// nothing else.
	Quiet bool
}

// maxHolding bounds the lines for evidence that holds, unless Verbose asks for
// all of it.
const maxHolding = 20

// WriteTerminal writes r for a person: the evidence, what fails first, then the
// verdict with the bundles, the reason and the next step.
func WriteTerminal(w io.Writer, r *Report, t Terminal) error {
	s := &screen{Terminal: t}
	if !t.Quiet {
		s.evidence(r)
		for _, n := range r.Notices {
			s.labelled(noticeWord(n.Status), n.Message)
			if n.NextStep != "" {
				s.labelled("", "next: "+n.NextStep)
			}
		}
	}
	s.verdict(r)
	return s.writeTo(w)
}

// WriteEvidence writes one piece of evidence as [WriteTerminal] does.
func WriteEvidence(w io.Writer, e *Evidence, t Terminal) error {
	s := &screen{Terminal: t}
	s.piece(e)
	return s.writeTo(w)
}

// screen collects lines. Everything that may come from the tree passes through
// line, which makes it harmless.
type screen struct {
	Terminal
	buf  bytes.Buffer
	told told
}

func (s *screen) writeTo(w io.Writer) error {
	if _, err := w.Write(s.buf.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (s *screen) width() int {
	if s.Width == 0 {
		return 100
	}
	return max(s.Width, 60)
}

// line writes one line. Only status, one of our own words at the start of it,
// is ever coloured: an escape sequence must not follow text from the tree, which
// could become a command by it.
func (s *screen) line(status verify.Status, text string) {
	text = TerminalText(text)
	if code := colors[status]; s.Color && code != "" {
		indent := len(text) - len(trimLeft(text))
		end := indent + len(status)
		text = text[:indent] + "\x1b[" + code + "m" + text[indent:end] + "\x1b[0m" + text[end:]
	}
	s.buf.WriteString(text)
	s.buf.WriteByte('\n')
}

func (s *screen) evidence(r *Report) {
	holding := 0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if !s.Verbose && !e.failing() && e.Counts.Warn == 0 {
			if holding++; holding > maxHolding {
				continue
			}
		}
		s.piece(e)
	}
	if more := holding - maxHolding; more > 0 {
		s.line(verify.OK, "ok    "+count(more, "more piece")+" of evidence; --verbose shows them")
	}
	if len(r.Evidence) > 0 {
		s.line("", "")
	}
}

// piece writes one piece of evidence: a line for itself, then its fields.
func (s *screen) piece(e *Evidence) {
	status := verify.OK
	switch {
	case e.failing():
		status = verify.Fail
	case e.Counts.Warn > 0:
		status = verify.Warn
	}
	first := fmt.Sprintf("%-4s  ", status)
	if status == verify.OK && !s.Verbose {
		s.wrapped(status, first, joined([]string{e.Path, e.Counts.words()}))
		return
	}
	s.wrapped(status, first, e.Path)
	var about []string
	if e.Because != "" {
		about = append(about, e.Because)
	}
	if e.OldPath != "" {
		about = append(about, "formerly "+e.OldPath)
	}
	s.wrapped("", indent, joined(append(about, e.Counts.words())))
	var rows []Field
	for _, want := range []verify.Status{verify.Fail, verify.Warn, verify.OK, verify.Info} {
		for _, f := range e.Fields {
			if f.Status == want && (s.Verbose || want == verify.Fail || want == verify.Warn) {
				rows = append(rows, f)
			}
		}
	}
	s.table(rows)
	s.why(e)
	if s.Verbose && e.Bundle != nil {
		s.bundle(e.Bundle)
	}
}

// verdict writes the last lines: what was found, and what to do about it.
func (s *screen) verdict(r *Report) {
	s.labelled("verdict", joined([]string{string(r.Verdict), strings.TrimPrefix(headline(r), "Intact · ")}))
	if !s.Quiet {
		if len(r.Evidence) == 0 && !r.incomplete() {
			s.labelled("", whyNothing(r))
		}
		listed := 0
		for i := range r.Evidence {
			if b := r.Evidence[i].Bundle; b != nil && !s.Verbose {
				if listed++; listed <= maxHolding {
					s.bundle(b)
				}
			}
		}
		if listed > maxHolding {
			s.labelled("", count(listed-maxHolding, "more bundle")+" in the same folder")
		}
	}
	if r.ExitCode == 0 {
		return
	}
	s.labelled("reason", r.ReasonCode+": "+r.Message)
	if r.NextStep != "" {
		s.line("", fmt.Sprintf("%-8s %s", "next:", clip(r.NextStep, maxCommand)))
	}
}

func (s *screen) bundle(b *Bundle) {
	if b.Path == "" {
		s.labelled("bundle", b.RunID+": "+b.Note)
		return
	}
	s.labelled("bundle", b.Path)
	if s.Verbose {
		s.labelled("", b.SHA256)
	}
}
