package summary

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
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

// WriteTerminal writes r for a person: what happened in a sentence, each cause once with the
// ways out of it, what is to be said of the run, and where the report lies. Verbose adds
// every piece of evidence, field by field.
func WriteTerminal(w io.Writer, r *Report, t Terminal) error {
	s := &screen{Terminal: t}
	s.story(r)
	s.pieces(r)
	s.ending(r)
	return s.writeTo(w)
}

// WriteEvidence writes one piece of evidence as [WriteTerminal] does.
func WriteEvidence(w io.Writer, e *Entry, t Terminal) error {
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
	text = visible.Line(text)
	if code := colors[status]; s.Color && code != "" {
		indent := len(text) - len(trimLeft(text))
		end := indent + len(status)
		text = text[:indent] + "\x1b[" + code + "m" + text[indent:end] + "\x1b[0m" + text[end:]
	}
	s.buf.WriteString(text)
	s.buf.WriteByte('\n')
}

// piece writes one piece of evidence: a line for itself, then its fields.
func (s *screen) piece(e *Entry) {
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

// ending writes what is to be said of the run itself, why it exits as it does, and where
// the report lies.
func (s *screen) ending(r *Report) {
	if !s.Quiet && len(r.Notices) > 0 {
		s.line("", "")
		for _, n := range r.Notices {
			status := noticeWord(n.Status)
			s.wrapped(verify.Status(status), fmt.Sprintf("%-7s", status), n.Message)
			if n.NextStep != "" {
				s.wrapped("", body, "next: "+n.NextStep)
			}
		}
	}
	var last []string
	if r.ExitCode != 0 {
		last = append(last, "reason: "+r.ReasonCode+": "+r.Message)
		if r.NextStep != "" && (s.Quiet || !r.offersWays()) {
			last = append(last, "next:   "+verify.Clip(r.NextStep, maxCommand))
		}
	}
	if where := reportLine(r); where != "" && !s.Quiet {
		last = append(last, "report: "+where)
	}
	if len(last) > 0 && !s.Quiet {
		s.line("", "")
	}
	for _, l := range last {
		if strings.HasPrefix(l, "next:") {
			s.line("", body+l) // not wrapped: it may be a command, to be copied as it is
			continue
		}
		s.wrapped("", body, l)
	}
}

// reportLine says where the page of the run lies, and how many bundles there are.
func reportLine(r *Report) string {
	bundles := 0
	for i := range r.Evidence {
		if b := r.Evidence[i].Bundle; b != nil && b.Path != "" {
			bundles++
		}
	}
	if r.Folder == "" {
		return "" // it was not left anywhere
	}
	return path.Join(path.Dir(reportPath(r)), "report.html") + " · " + count(bundles, "bundle")
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
