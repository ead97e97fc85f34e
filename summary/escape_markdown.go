package summary

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// Longest strings in a rendering for people, in characters. The report holds
// every value in full.
const (
	maxCell  = 120 // a value in a table
	maxText  = 400 // a reason or a message
	maxTitle = 200 // a path in a heading
)

// code is s as a code span, in which nothing is markup: no mention, no
// reference, no link, no image, no HTML (GFM §6.3). The span is never empty and
// shows its own blanks. Not for tables; see codeCell.
func code(s string, limit int) string {
	return span(verify.Clip(edges(visible.Text(s)), limit))
}

// span puts printable, non-empty text between backticks, more of them than the
// text has in a row.
func span(s string) string {
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " " // one blank on each side is not part of the span
	}
	return fence + s + fence
}

// codeCell is code for a cell of a table. A long value is broken into several
// spans, because browsers would not break it.
func codeCell(s string, limit int) string {
	parts := wrap(verify.Clip(edges(visible.Text(s)), limit), cellWidth)
	for i, part := range parts {
		parts[i] = span(part)
	}
	return escapePipes(strings.Join(parts, "<br>"))
}

// cellWidth is where a value is broken: five columns of a table then fit on a
// page of GitHub.
const cellWidth = 28

// escapePipes makes markdown fit for a cell of a table, where a pipe ends the
// cell also inside a code span (GFM §4.10). Parsers disagree about a backslash
// before an escaped pipe, so there is none.
func escapePipes(markdown string) string {
	return strings.ReplaceAll(strings.ReplaceAll(markdown, `\|`, `\x5c|`), "|", `\|`)
}

// edges shows what a code span would hide: that s is empty, or starts or ends
// in a blank.
func edges(s string) string {
	if s == "" {
		return `""`
	}
	if s[0] == ' ' {
		s = `\x20` + s[1:]
	}
	if s[len(s)-1] == ' ' {
		s = s[:len(s)-1] + `\x20`
	}
	return s
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		run++
		if s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// text is a sentence that may quote the tree, as markdown for inside a
// paragraph. Words that could be markup, a link, a mention, a reference or an
// emoji become code spans; plain words stay plain. It must not start a line: a
// word such as "1." means nothing only behind another.
func text(s string) string {
	return words(s, func(w string) string {
		if isPlainWord(w) {
			return w
		}
		// What ends a part of the sentence is no part of a commit's name.
		if word := strings.TrimRight(w, ".,;:"); anyCommit.MatchString(word) {
			return span(word) + w[len(word):]
		}
		return span(w)
	})
}

// textCell is text for a cell of a table, where it may also come first.
func textCell(s string) string {
	return words(s, func(w string) string {
		if isPlainWord(w) && utf8.RuneCountInString(w) <= cellWidth {
			return w
		}
		return codeCell(w, maxText)
	})
}

func words(s string, each func(string) string) string {
	all := strings.Fields(verify.Clip(shortHashes(visible.Text(s)), maxText))
	for i, w := range all {
		all[i] = each(w)
	}
	return strings.Join(all, " ")
}

// anyCommit is a commit's id, shortened or not.
var anyCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

var (
	// Letters and digits of any script, and punctuation that means nothing to
	// markdown inside of a line.
	plainWord = regexp.MustCompile(`^[("']*[\pL\pN][\pL\pN./,+=%'…-]*[.,;:)"'?]*$|^[-–—=+·…]+$`)
	// What GitHub turns into a link by its spelling alone: addresses, commit ids,
	// GH-1 and its like.
	autolinked = regexp.MustCompile(`(?i)^\W*(www\.|gh-|[0-9a-f]{7,}\b|[a-z]+-\d+\W*$)`)
)

func isPlainWord(w string) bool {
	return plainWord.MatchString(w) && !autolinked.MatchString(w)
}

var fullHash = regexp.MustCompile(`\b(sha256:[0-9a-f]{12})[0-9a-f]{52}\b`)

// shortHashes shortens every sha256 in s to its first 12 hex digits.
func shortHashes(s string) string { return fullHash.ReplaceAllString(s, "$1") }

// htmlCode is s as an HTML code element, for places where markdown is not read,
// such as the line of a folded part. The markup shows in no renderer.
func htmlCode(s string, limit int) string {
	return "<code>" + html.EscapeString(verify.Clip(edges(visible.Text(s)), limit)) + "</code>"
}
