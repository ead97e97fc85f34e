package canonical

import (
	"math"
	"strings"
	"unicode/utf8"
)

// gap is the white space and the comments between two tokens.
type gap struct {
	newline bool
	comment bool
	tab     bool // before the next token, on its line
	tabLine bool // a line of white space with a tab
	// below is how many spaces start the line below the last token if that is
	// a line of white space with a tab, else -1.
	below int
	// lowest is the least indentation of a line such as `#c` or `<tab># c`,
	// where what follows the first character is not white space; an empty line
	// above a comment is one too. The reference takes such a line for the end
	// of the block above, so a scalar or flow collection behind it may have
	// lines with as little indentation.
	lowest int
}

// gap moves to the next token, or to the end.
func (w *walker) gap() (gap, error) {
	g, breaks := gap{below: -1, lowest: math.MaxInt}, 0
	for {
		start := w.pos
		for w.pos < len(w.src) && (w.src[w.pos] == ' ' || w.src[w.pos] == '\t') {
			g.tab = g.tab || w.src[w.pos] == '\t'
			w.pos++
		}
		if w.at('\r') {
			w.pos++
		}
		switch {
		case w.at('#'):
			// Rule 50.
			if w.pos == start && w.pos != w.lineStart && !isBlank(w.src, w.pos-1) {
				return g, w.notValid("a comment without white space before it")
			}
			w.pos = lineEnd(w.src, w.pos)
			g.tab, g.comment = false, true
		case w.at('\n'):
			if g.tab && g.newline {
				g.tabLine = true
				if breaks == 1 {
					g.below = spacesFrom(w.src, w.lineStart)
				}
			}
			breaks++
			g.newline, g.tab = true, false
			w.pos++
			w.line++
			w.lineStart = w.pos
			if spaces := spacesFrom(w.src, w.pos); !isBlank(w.src, w.pos+spaces+1) {
				g.lowest = min(g.lowest, spaces)
			}
		default:
			return g, nil
		}
	}
}

func (w *walker) at(b byte) bool { return w.pos < len(w.src) && w.src[w.pos] == b }

// advance moves to offset to, counting the lines between.
func (w *walker) advance(to int) {
	for {
		n := strings.IndexByte(w.src[w.pos:to], '\n')
		if n < 0 {
			break
		}
		w.pos += n + 1
		w.line++
		w.lineStart = w.pos
	}
	w.pos = to
}

// columnNumber is the current column in characters, from 1, as yaml.v3 counts.
func (w *walker) columnNumber() int {
	if w.columnAt < w.lineStart {
		w.column, w.columnAt = 0, w.lineStart
	}
	w.column += utf8.RuneCountInString(w.src[w.columnAt:w.pos])
	w.columnAt = w.pos
	return w.column + 1
}

// offset is the current column in bytes, from 0.
func (w *walker) offset() int { return w.pos - w.lineStart }

// firstOnLine reports whether only spaces stand before the current position
// on its line, and whether a tab is among the white space if not.
func (w *walker) firstOnLine() (first, tab bool) {
	lead := w.src[w.lineStart:w.pos]
	if strings.Trim(lead, " ") == "" {
		return true, false
	}
	return false, strings.Trim(lead, " \t") == ""
}

// blanks moves over spaces and tabs.
func (w *walker) blanks() {
	for w.at(' ') || w.at('\t') {
		w.pos++
	}
}

func spacesFrom(s string, i int) int {
	n := 0
	for i+n < len(s) && s[i+n] == ' ' {
		n++
	}
	return n
}
