package valuediff

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	// maxText bounds a text that is compared by lines, in bytes.
	maxText = 1 << 20
	// context is how many equal lines are shown around a change.
	context = 3
	// binaryPeek: a NUL in so many first bytes makes a text binary, as in git.
	binaryPeek = 8000
)

// Unified returns a unified diff of two texts, or "" if they are equal. It has at
// most maxLines lines, then one that says how many more there are; 0 or less means
// 20. Lines are cut at 120 characters, bytes that are not UTF-8 are replaced, and
// what follows a key that looks secret is masked.
//
// Binary content, and texts over 1 MiB, give one line that says so.
func Unified(before, after []byte, name string, maxLines int) string {
	if bytes.Equal(before, after) {
		return ""
	}
	if maxLines <= 0 {
		maxLines = 20
	}
	sizes := fmt.Sprintf("%d bytes before, %d bytes after", len(before), len(after))
	switch {
	case isBinary(before) || isBinary(after):
		return "binary content differs: " + sizes + "\n"
	case len(before) > maxText || len(after) > maxText:
		return "too large to compare by lines: " + sizes + "\n"
	}
	a, b := splitLines(before), splitLines(after)
	numbers := map[string]int{}
	work := maxWork
	w := unifiedWriter{left: maxLines}
	w.header("--- ", name)
	w.header("+++ ", name)
	hunks := script(number(a, numbers), number(b, numbers), &work)
	for len(hunks) > 0 {
		// Hunks whose contexts touch are shown as one.
		n := 1
		for n < len(hunks) && hunks[n].a0-hunks[n-1].a1 <= 2*context {
			n++
		}
		w.group(a, b, hunks[:n])
		hunks = hunks[n:]
	}
	if w.more > 0 {
		noun := "lines"
		if w.more == 1 {
			noun = "line"
		}
		fmt.Fprintf(&w.out, "%d more %s\n", w.more, noun)
	}
	return w.out.String()
}

func isBinary(text []byte) bool {
	return bytes.IndexByte(text[:min(len(text), binaryPeek)], 0) >= 0
}

// splitLines keeps the line ends, so that a missing one at the end is a difference.
func splitLines(text []byte) []string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, line)
	}
	return lines
}

func number(lines []string, numbers map[string]int) []int {
	ids := make([]int, len(lines))
	for i, line := range lines {
		id, ok := numbers[line]
		if !ok {
			id = len(numbers)
			numbers[line] = id
		}
		ids[i] = id
	}
	return ids
}

// unifiedWriter writes lines while there are some left, and counts the others.
type unifiedWriter struct {
	out  strings.Builder
	left int
	more int
}

func (w *unifiedWriter) line(text string) {
	if w.left == 0 {
		w.more++
		return
	}
	w.left--
	w.out.WriteString(text)
	w.out.WriteByte('\n')
}

// header names the file; a name that would not stay on its line is quoted, as in git.
func (w *unifiedWriter) header(mark, name string) {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }) {
		name = strconv.Quote(name)
	}
	w.line(mark + name)
}

func (w *unifiedWriter) group(a, b []string, hunks []hunk) {
	first, last := hunks[0], hunks[len(hunks)-1]
	lead := min(context, first.a0)
	tail := min(context, len(a)-last.a1)
	w.line(fmt.Sprintf("@@ -%s +%s @@",
		span(first.a0-lead, last.a1+tail), span(first.b0-lead, last.b1+tail)))
	at := first.a0 - lead
	for _, h := range hunks {
		w.lines(" ", a[at:h.a0])
		w.lines("-", a[h.a0:h.a1])
		w.lines("+", b[h.b0:h.b1])
		at = h.a1
	}
	w.lines(" ", a[at:at+tail])
}

// span writes a range of lines as unified diffs do: "first,count", counting from
// 1; the count 1 is left out, and an empty range names the line before it.
func span(from, to int) string {
	switch to - from {
	case 0:
		return strconv.Itoa(from) + ",0"
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// secretLine finds a key and what is assigned to it.
var secretLine = regexp.MustCompile(`^(\W*(?:export\s+)?([\w. -]{1,80}?)["']?\s*[:=]+\s*)\S`)

func (w *unifiedWriter) lines(mark string, lines []string) {
	for _, text := range lines {
		line, ended := strings.CutSuffix(text, "\n")
		if w.left == 0 {
			line = "" // only counted
		} else if m := secretLine.FindStringSubmatch(line); m != nil && LooksSecret(m[2]) {
			line = m[1] + Masked
		}
		w.line(mark + noted(strings.ToValidUTF8(line, "\uFFFD")))
		if !ended {
			w.line(`\ No newline at end of file`)
		}
	}
}
