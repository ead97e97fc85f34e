package canonical

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quotedEnd returns the offset of the closing quotation mark of the scalar that
// starts at the current position, and checks the indentation of its lines
// (rule 49).
func (w *walker) quotedEnd(c context) (int, error) {
	quote := w.src[w.pos]
	for i := w.pos + 1; i < len(w.src); i++ {
		switch b := w.src[i]; {
		case b == '\\' && quote == '"' && i+1 < len(w.src) && w.src[i+1] != '\n':
			i++
		case b == '\'' && quote == '\'' && i+1 < len(w.src) && w.src[i+1] == '\'':
			i++
		case b == quote:
			return i, nil
		case b == '\n':
			if c.key {
				return 0, w.notValid("a key over several lines")
			}
			if !continues(w.src, i+1, c.indent) {
				if before := strings.TrimSuffix(w.src[w.pos+1:i], "\r"); strings.HasSuffix(before, string(quote)) {
					return 0, w.cannotJudge(oddQuote)
				}
				return 0, w.notValid("a quoted string with a line that is not indented enough")
			}
		}
	}
	return 0, w.notValid("a quoted string without an end")
}

func (w *walker) singleQuoted(c context) (string, error) {
	end, err := w.quotedEnd(c)
	if err != nil {
		return "", err
	}
	text := fold(w.src[w.pos+1 : end])
	w.advance(end + 1)
	return strings.ReplaceAll(text, "''", "'"), nil
}

func (w *walker) doubleQuoted(c context) (string, error) {
	end, err := w.quotedEnd(c)
	if err != nil {
		return "", err
	}
	body := w.src[w.pos+1 : end]
	if !strings.ContainsAny(body, "\\\n") {
		w.advance(end + 1)
		return body, nil
	}
	text, ok := unquote(body)
	if !ok {
		return "", w.notValid("an escape that is none")
	}
	w.advance(end + 1)
	return text, nil
}

// escapes are the one-letter escapes of a double-quoted scalar.
var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 'e': "\x1b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
	'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029", ' ': " ", '"': `"`, '/': "/", '\\': `\`, '\t': "\t",
}

// unquote decodes the inside of a double-quoted scalar to WTF-8: escapes, and
// line ends folded as the reference does, which also folds behind an escaped
// line end.
func unquote(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch b := s[i]; b {
		case '\\':
			n := 0
			if out, n = appendEscape(out, s[i+1:]); n < 0 {
				return "", false
			}
			i += 1 + n
		case '\n':
			breaks := 0
			for i++; i < len(s) && isBlank(s, i); i++ {
				if s[i] == '\n' {
					breaks++
				}
			}
			if breaks == 0 {
				out = append(out, ' ')
			}
			for range breaks {
				out = append(out, '\n')
			}
		case ' ', '\t', '\r':
			start := i
			for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
				i++
			}
			if i < len(s) && s[i] == '\r' {
				i++ // every one is part of a line end
			} else if i == len(s) || s[i] != '\n' {
				out = append(out, s[start:i]...)
			}
		default:
			out = append(out, b)
			i++
		}
	}
	return string(out), true
}

// appendEscape decodes what stands behind a backslash and returns how many
// bytes it took, or -1.
func appendEscape(out []byte, s string) ([]byte, int) {
	if s == "" {
		return out, -1
	}
	if text, ok := escapes[s[0]]; ok {
		return append(out, text...), 1
	}
	size := 0
	switch s[0] {
	case '\n', '\r':
		n := strings.IndexByte(s, '\n') + 1
		return out, n + len(s[n:]) - len(strings.TrimLeft(s[n:], " \t"))
	case 'x':
		size = 2
	case 'u':
		size = 4
	case 'U':
		size = 8
	default:
		return out, -1
	}
	if len(s) < 1+size || !isHex(s[1:1+size]) {
		return out, -1
	}
	code, err := strconv.ParseUint(s[1:1+size], 16, 32)
	if err != nil || code > utf8.MaxRune {
		return out, -1
	}
	return appendWTF8(out, rune(code)), 1 + size
}
