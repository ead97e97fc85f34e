package canonical

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// scalar reads one scalar from the source. For an unquoted one, what yaml.v3
// read must be the same; a quoted one ends where its quotation mark does, so
// there the second reading stands alone.
func (w *walker) scalar(n *yaml.Node, c context, tag string, empty bool) (item, error) {
	if empty {
		// Without content: null, or for tags that take any text the empty string.
		return w.taggedScalar("", tag, true)
	}
	line := w.line
	var text string
	var err error
	plain := false
	switch w.src[w.pos] {
	case '"':
		if n.Style&yaml.DoubleQuotedStyle == 0 {
			return item{}, w.disagree()
		}
		text, err = w.doubleQuoted(c)
	case '\'':
		if n.Style&yaml.SingleQuotedStyle == 0 {
			return item{}, w.disagree()
		}
		text, err = w.singleQuoted(c)
	case '|', '>':
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || c.flow || c.key {
			return item{}, w.disagree()
		}
		text, err = w.blockScalar(n, c)
	default:
		plain = true
		if n.Style&^yaml.TaggedStyle != 0 {
			return item{}, w.disagree()
		}
		text, err = w.plain(n, c)
	}
	if err != nil {
		return item{}, err
	}
	if c.key && w.line != line {
		return item{}, w.notValid("a key over several lines")
	}
	w.expanded += len(text) + 3
	return w.taggedScalar(text, tag, plain)
}

// plain reads a plain scalar.
func (w *walker) plain(n *yaml.Node, c context) (string, error) {
	if c.flow && (w.at('-') || w.at('?')) && (isBlank(w.src, w.pos+1) || isFlowIndicator(w.src[w.pos+1])) {
		return "", w.notValid("an indicator in place of a value")
	}
	if rest := w.src[w.pos:]; c.flow && (isMarker(rest, "---") || isMarker(rest, "...")) {
		return "", w.cannotJudge("a document marker in a flow collection")
	}
	end := plainEnd(w.src, w.pos, c)
	if end == w.pos {
		return "", w.disagree()
	}
	text := fold(w.src[w.pos:end])
	shown := text
	if w.shown != w.src {
		shown = fold(w.shown[w.pos:end])
	}
	// yaml.v3 takes the colon of `[a:, b]` for text.
	glued := c.flow && end+1 < len(w.src) && w.src[end] == ':' && isFlowIndicator(w.src[end+1])
	if !w.mask.same(shown, n.Value) && !(glued && w.mask.same(shown+":", n.Value)) {
		return "", w.disagree()
	}
	w.advance(end)
	return text, nil
}

// plainEnd returns where the plain scalar that starts at i ends, without the
// white space behind it.
func plainEnd(s string, i int, c context) int {
	end := i
	for i < len(s) {
		switch b := s[i]; {
		case b == ':' && (isBlank(s, i+1) || c.flow && isFlowIndicator(s[i+1])),
			c.flow && isFlowIndicator(b),
			b == '#' && i > 0 && isBlank(s, i-1):
			return end
		case b == '\n':
			if !continues(s, i+1, c.indent) {
				return end
			}
			i++
		case b == ' ' || b == '\t' || b == '\r':
			i++
		default:
			i++
			end = i
		}
	}
	return end
}

// continues reports whether the line that starts at i may continue a scalar:
// it has the indentation, or nothing at all.
func continues(s string, i, indent int) bool {
	n := spacesFrom(s, i)
	return n >= indent || i+n == len(s) || s[i+n] == '\n' || strings.HasPrefix(s[i+n:], "\r\n")
}

// fold joins the lines of a plain or single-quoted scalar: a line end becomes
// a space, n empty lines become n line ends.
func fold(s string) string {
	first := strings.IndexByte(s, '\n')
	if first < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(strings.TrimRight(s[:first], " \t\r"))
	s = s[first+1:]
	breaks := 1
	for {
		line, rest, more := strings.Cut(s, "\n")
		line = strings.TrimLeft(line, " \t")
		if more {
			line = strings.TrimRight(line, " \t\r")
		}
		if line != "" || !more {
			if breaks == 1 {
				b.WriteByte(' ')
			} else {
				b.WriteString(strings.Repeat("\n", breaks-1))
			}
			b.WriteString(line)
			breaks = 0
		}
		if !more {
			return b.String()
		}
		breaks++
		s = rest
	}
}
