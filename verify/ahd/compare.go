package ahd

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// maxEdits bounds the rows about one report, maxCompared the lines of it that are compared
// one by one, and maxComparedText those in bytes: an edit of more is told as one.
const (
	maxEdits        = 20
	maxCompared     = 4000
	maxComparedText = 512 << 10
)

// CompareSubject compares a report before and after a change that left its sidecar as it
// was: the numbers are those of the recorded run, so one that is replaced or removed fails.
// Other text may be put right, with a warning. The derived block is held against the
// sidecar elsewhere, and only missed here when it is gone (AHD replay, Two surfaces).
func (Format) CompareSubject(path string, before, after []byte) []verify.Check {
	rows := verify.Rows{Path: path}
	was, _ := findBlock(before)
	is, _ := findBlock(after)
	if was.line > 0 && is.line == 0 {
		rows.Warn("report.block", verify.Spot{}, "block-gone", "the replay block, which the report had, is gone from it")
	}
	old, now := prose(before), prose(after)
	old, now, moved := apart(old, now)
	if len(old)+len(now) > maxCompared || !readNumbers(old, now) {
		rows.Fail("report", verify.Spot{}, "report-edited", fmt.Sprintf("%d of its lines are others, and the recorded run is the same: too many to tell its numbers apart", max(len(old), len(now))))
		return rows.Checks
	}
	edits, text := editsOf(old, now)
	for i, e := range edits {
		if i == maxEdits {
			rows.Fail("report", verify.Spot{}, "report-edited", fmt.Sprintf("%d more numbers were replaced or removed", len(edits)-maxEdits))
			break
		}
		row := rows.Fail("report", verify.Spot{Line: e.line, Text: e.old}, "report-edited", e.reason())
		row.Observed = verify.Shorten(e.new, verify.MaxValue)
	}
	if text > 0 || moved && len(edits) == 0 {
		rows.Warn("report", verify.Spot{Line: firstLine(now)}, "report-text", "its text was edited, and the recorded run is the same")
	}
	return rows.Checks
}

// edit is a number that is another one now, or gone.
type edit struct {
	old, new string
	line     int    // of the report as it is now; 0 if it is gone
	label    string // what the number is about
}

func (e edit) reason() string {
	what := "a published number was replaced, and the recorded run is the same: " + e.old + " -> " + e.new
	if e.new == "" {
		what = "a published number was removed, and the recorded run is the same: " + e.old
	}
	if e.label != "" {
		what += " (" + verify.Shorten(e.label, 120) + ")"
	}
	return what
}

// reportLine is a line of a report outside of its block.
type reportLine struct {
	text     string // without what formatters change
	cell     bool   // a row of a table
	skeleton string
	label    string // the first cell of a row of a table
	numbers  []number
	line     int // from 1
}

// prose lists the lines of a report without its derived block and commands, and without
// what is only layout: blank lines, and the rule below the head of a table.
func prose(report []byte) []reportLine {
	skip, skipTo := 0, 0
	if at, closed := findBlock(report); at.line > 0 {
		skip, skipTo = at.from, at.to
		if _, to := commandsBehind(report[at.to:]); closed && to > 0 {
			skipTo += to
		}
	}
	var all []reportLine
	offset, line := 0, 0
	for raw := range strings.Lines(string(report)) {
		from := offset
		offset, line = offset+len(raw), line+1
		text := strings.Join(strings.Fields(raw), " ")
		if text == "" || from >= skip && from < skipTo || strings.Trim(text, "|-: ") == "" {
			continue
		}
		l := reportLine{line: line}
		cell := strings.Count(text, "|") > 1 || strings.HasPrefix(text, "|")
		if cell {
			cells := strings.Split(strings.Trim(text, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			l.label = strings.Trim(cells[0], "*_` ")
			text = strings.Join(cells, " | ")
		}
		l.text, l.cell = text, cell
		all = append(all, l)
	}
	return all
}

// readNumbers finds the numbers of lines, unless there is too much text for that.
func readNumbers(sides ...[]reportLine) bool {
	size := 0
	for _, lines := range sides {
		for i := range lines {
			l := &lines[i]
			if size += len(l.text); size > maxComparedText {
				return false
			}
			l.numbers, l.skeleton = numbersOf(l.text, l.cell)
			if l.cell {
				l.skeleton = "| " + l.skeleton
			}
		}
	}
	return true
}

// apart drops the lines that both have, wherever they stand; moved says that some stand in
// another order.
func apart(old, now []reportLine) (gone, come []reportLine, moved bool) {
	count := make(map[string]int)
	for _, l := range now {
		count[l.text]++
	}
	var kept []string
	for _, l := range old {
		if count[l.text] > 0 {
			count[l.text]--
			kept = append(kept, l.text)
		} else {
			gone = append(gone, l)
		}
	}
	left := make(map[string]int)
	for _, text := range kept {
		left[text]++
	}
	i := 0
	for _, l := range now {
		if left[l.text] == 0 {
			come = append(come, l)
			continue
		}
		left[l.text]--
		moved = moved || kept[i] != l.text
		i++
	}
	return gone, come, moved
}

func firstLine(lines []reportLine) int {
	if len(lines) == 0 {
		return 0
	}
	return lines[0].line
}
