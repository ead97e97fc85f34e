package summary

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// indent is what stands before everything that belongs to a piece of evidence.
const indent = "      "

// colors are the parameters of the SGR sequence for each status, verdict and sign.
var colors = map[verify.Status]string{
	verify.OK: "32", verify.Fail: "1;31", verify.Warn: "33", verify.Info: "36",
	"drift": "1;31", "unchecked": "33", "intact": "32", "+": "32", "-": "31",
}

// Columns of a table.
const (
	colStatus = iota
	colField
	colRecorded
	colNow
	columns
)

const (
	gap     = 2    // blanks between columns
	maxLine = 2000 // characters of a text outside of tables
)

// table writes fields, aligned. What does not fit in a column continues below;
// attribution and reason take lines of their own under the values.
func (s *screen) table(fields []Field) {
	if len(fields) == 0 {
		return
	}
	rows := make([][columns]string, len(fields))
	for i, f := range fields {
		recorded, now := shown(f.Check)
		rows[i] = [columns]string{
			string(f.Status), short(f.Field), short(recorded), short(now),
		}
	}
	head := [columns]string{"", "field", "recorded", "now"}
	widths := s.fit(append([][columns]string{head}, rows...))
	s.row("", head, widths)
	for i, f := range fields {
		s.row(f.Status, rows[i], widths)
		below := len(indent)
		for _, w := range widths[:colRecorded] {
			if w > 0 {
				below += w + gap
			}
		}
		margin := strings.Repeat(" ", below)
		var why []string
		for _, part := range []string{attributionWord(f.Attribution), shortHashes(f.Reason)} {
			if part != "" {
				why = append(why, part)
			}
		}
		if len(why) > 0 {
			s.wrapped("", margin, verify.Clip(joined(why), maxText))
		}
		switch {
		case f.NextStep != "" && f.Status == verify.Fail:
			// Not wrapped: it may be a command, to be copied as it is.
			s.line("", margin+"next: "+verify.Clip(f.NextStep, maxCommand))
		case f.Hint != "":
			s.wrapped("", margin, "hint: "+verify.Clip(f.Hint, maxText))
		}
	}
}

func short(value string) string { return verify.Clip(visible.Text(value), maxCell) }

// fit gives each column the width that it wants; while they are too wide
// together, the widest one gives way.
func (s *screen) fit(rows [][columns]string) [columns]int {
	var widths [columns]int
	for _, r := range rows {
		for c, text := range r {
			widths[c] = max(widths[c], displayWidth(text))
		}
	}
	for {
		total, widest := len(indent), colField
		for c, w := range widths {
			if w > 0 {
				total += w + gap
			}
			if c >= colField && w > widths[widest] {
				widest = c
			}
		}
		if total-gap <= s.width() {
			return widths
		}
		widths[widest]--
	}
}

func (s *screen) row(status verify.Status, cells [columns]string, widths [columns]int) {
	var parts [columns][]string
	height := 0
	for c, text := range cells {
		if widths[c] > 0 {
			parts[c] = wrap(text, widths[c])
			height = max(height, len(parts[c]))
		}
	}
	for i := range height {
		line := indent
		for c, w := range widths {
			if w == 0 {
				continue
			}
			text := ""
			if i < len(parts[c]) {
				text = parts[c][i]
			}
			line += text + strings.Repeat(" ", w-displayWidth(text)+gap)
		}
		if i > 0 {
			status = ""
		}
		s.line(status, strings.TrimRight(line, " "))
	}
}

// wrapped writes text behind first; further lines are indented as far.
func (s *screen) wrapped(status verify.Status, first, text string) {
	for i, part := range wrap(verify.Clip(visible.Text(text), maxLine), s.width()-len(first)) {
		if i > 0 {
			first, status = strings.Repeat(" ", len(first)), ""
		}
		s.line(status, first+part)
	}
}

// labelled writes text behind a word of at most seven letters.
func (s *screen) labelled(label, text string) {
	if text == "" {
		return
	}
	status := verify.Status(label)
	if label != "" {
		label += ":"
	}
	s.wrapped(status, fmt.Sprintf("%-9s", label), text)
}

func joined(parts []string) string { return strings.Join(parts, " · ") }

func trimLeft(s string) string { return strings.TrimLeft(s, " ") }
