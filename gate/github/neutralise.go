package github

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Neutralise returns a writer for text that may hold anything. What passes
// through it to w can't be read as a workflow command and can't move the
// cursor.
//
// The runner reads a line as a command when it starts with "::", after any
// Unicode white space, and also when it holds "##[" anywhere (actions/runner,
// ActionCommand.cs). A backslash goes between: ":\:error::", "##\[group]". The
// runner compares by the rules of its culture, which skip characters that show
// nothing, and splits lines at CR as at LF; so these characters, every other
// control character (ESC starts a terminal sequence) and bytes that are no
// UTF-8 are written as `\u{1b}` and `\xff`. LF and tab stay.
//
// A character may be divided between two calls of Write.
func Neutralise(w io.Writer) io.Writer { return &neutraliser{w: w} }

type neutraliser struct {
	w       io.Writer
	partial []byte // the start of a character whose rest is to come
	place   place
	hashes  int // "#" directly before
}

// place is where in a line the next character stands.
type place int

const (
	blank  place = iota // at its start, or only white space so far
	colon               // after a first ":"
	inside              // beyond what could start a command
)

func (n *neutraliser) Write(p []byte) (int, error) {
	text := p
	if len(n.partial) > 0 {
		text = append(n.partial, p...)
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			out = fmt.Appendf(out, `\x%02x`, text[0])
			n.place, n.hashes = inside, 0
		} else {
			out = n.appendRune(out, r)
		}
		text = text[size:]
	}
	n.partial = append([]byte(nil), text...)
	if _, err := n.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// close writes what is left of a character that never got its end.
func (n *neutraliser) close() {
	for _, b := range n.partial {
		fmt.Fprintf(n.w, `\x%02x`, b)
		n.place = inside
	}
	n.partial = nil
}

func (n *neutraliser) appendRune(out []byte, r rune) []byte {
	hashes := n.hashes
	n.hashes = 0
	switch {
	case r == '\n':
		n.place = blank
		return append(out, '\n')
	case hidden(r):
		n.place = inside
		return fmt.Appendf(out, `\u{%x}`, r)
	case unicode.IsSpace(r) && n.place == blank:
		return utf8.AppendRune(out, r)
	case r == ':' && n.place == blank:
		n.place = colon
		return append(out, ':')
	case r == ':' && n.place == colon:
		out = append(out, '\\')
	case r == '#':
		n.hashes = hashes + 1
	case r == '[' && hashes >= 2:
		out = append(out, '\\')
	}
	n.place = inside
	return utf8.AppendRune(out, r)
}

// hidden reports whether r shows nothing, or acts on the text around it:
// controls, formats (bidirectional marks, zero-width blanks), line and
// paragraph separators, private and unassigned characters, and what Unicode
// calls default-ignorable.
func hidden(r rune) bool {
	return r != '\t' && (!unicode.IsGraphic(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// neutral is [Neutralise] for one string.
func neutral(s string) string {
	var b strings.Builder
	n := &neutraliser{w: &b}
	_, _ = n.Write([]byte(s)) // a strings.Builder never fails
	n.close()
	return b.String()
}
