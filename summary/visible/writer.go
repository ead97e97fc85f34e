package visible

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// Writer passes on text that may hold anything, such that what arrives can't be read as a
// workflow command and can't move the cursor. Lines stay lines, and tabs stay.
//
// The runner of GitHub Actions reads a line as a command when it starts with "::", after any
// white space, and also when it holds "##[" anywhere (actions/runner, ActionCommand.cs). A
// backslash goes between: `:\:error::`, `##\[group]`. It compares by the rules of its culture,
// which skip characters that show nothing, and splits lines at CR as at LF: so these are
// escaped, as in [Text].
type Writer struct {
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

// NewWriter returns a writer to w. A character may be divided between two calls of its Write.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements [io.Writer]; its errors are those of the writer below.
func (w *Writer) Write(p []byte) (int, error) {
	text := p
	if len(w.partial) > 0 {
		text = append(w.partial, p...)
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		out = w.appendRune(out, r, text[:size])
		text = text[size:]
	}
	w.partial = append([]byte(nil), text...)
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what is left of a character that never got its end. It does not close the
// writer below.
func (w *Writer) Close() {
	for _, b := range w.partial {
		fmt.Fprintf(w.w, `\x%02x`, b)
		w.place = inside
	}
	w.partial = nil
}

func (w *Writer) appendRune(out []byte, r rune, raw []byte) []byte {
	hashes := w.hashes
	w.hashes = 0
	switch {
	case r == '\n':
		w.place = blank
		return append(out, '\n')
	case (r == ' ' || r == '\t') && w.place == blank:
		return append(out, raw...)
	case r == ':' && w.place == blank:
		w.place = colon
		return append(out, ':')
	case r == ':' && w.place == colon:
		out = append(out, '\\')
	case r == '#':
		w.hashes = hashes + 1
	case r == '[' && hashes >= 2:
		out = append(out, '\\')
	}
	w.place = inside
	if r == '\t' {
		return append(out, '\t')
	}
	return appendVisible(out, r, raw)
}
