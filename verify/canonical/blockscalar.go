package canonical

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// block is a block scalar in the source.
type block struct {
	folded bool
	chomp  byte // '-', '+' or 0
	indent int  // of the content, in spaces; -1 until known
	lines  []string
	any    bool // any line at all, be it empty
	breaks int  // line ends behind the last line that has content
	end    int
}

// blockScalar reads a literal or folded scalar.
func (w *walker) blockScalar(n *yaml.Node, c context) (string, error) {
	b, err := w.block(w.src, c)
	if err != nil {
		return "", err
	}
	text := b.value()
	shown := text
	if w.shown != w.src {
		other, err := w.block(w.shown, c)
		if err != nil {
			return "", err
		}
		if other.end != b.end {
			return "", w.disagree()
		}
		shown = other.value()
	}
	got := n.Value
	if b.chomp == '+' && !strings.HasSuffix(w.src, "\n") && strings.Trim(w.src[b.end:], " ") == "" {
		// yaml.v3 was shown a last line end that the source lacks, which
		// counts if there was a line of spaces before it.
		shown, got = strings.TrimRight(shown, "\n"), strings.TrimRight(got, "\n")
	}
	if !w.mask.same(shown, got) {
		return "", w.disagree()
	}
	w.advance(b.end)
	return text, nil
}

// rootBlockScalar reads the document if it is a block scalar. Its lines may
// stand in column 0, which yaml.v3 refuses, and there is no structure to ask
// for.
func (w *walker) rootBlockScalar(src *source) (v Value, is bool, err error) {
	saved := *w
	w.advance(src.body)
	var p properties
	g, err := w.gap()
	for err == nil && w.startsProperty() {
		if err = w.property(&p); err == nil {
			_, err = w.gap()
		}
	}
	if tab := g.tab && (g.newline || !src.marker); err != nil || tab || !w.at('|') && !w.at('>') {
		*w = saved
		return nil, false, nil
	}
	b, err := w.block(w.src, context{})
	if err != nil {
		return nil, true, err
	}
	tag, err := w.resolveTag(p.tag)
	if err != nil {
		return nil, true, err
	}
	w.advance(b.end)
	if _, err := w.gap(); err != nil {
		return nil, true, err
	}
	if w.pos < len(w.src) {
		return nil, true, w.notValid("text behind a block scalar")
	}
	it, err := w.taggedScalar(b.value(), tag, false)
	if err != nil {
		return nil, true, err
	}
	v, err = w.rootValue(it)
	return v, true, err
}

// block finds the lines of the block scalar that starts at the current
// position of s.
func (w *walker) block(s string, c context) (*block, error) {
	b := &block{folded: s[w.pos] == '>', indent: -1}
	if err := w.blockHeader(b, s, c); err != nil {
		return nil, err
	}
	if b.end == len(s) && !strings.HasSuffix(s, "\n") {
		return b, nil
	}
	explicit := b.indent >= 0
	if err := w.blockLines(b, s, c); err != nil {
		return nil, err
	}
	if explicit && b.oddBlank() {
		return nil, w.cannotJudge("a long empty line in a block scalar with an indentation indicator")
	}
	b.trim()
	return b, nil
}

// blockHeader reads the indicators behind | or >, and moves to the first line of
// the content (YAML 1.2, c-b-block-header).
func (w *walker) blockHeader(b *block, s string, c context) error {
	i := w.pos + 1
	for ; !isBlank(s, i); i++ {
		switch {
		case (s[i] == '-' || s[i] == '+') && b.chomp == 0:
			b.chomp = s[i]
		case s[i] >= '1' && s[i] <= '9' && b.indent < 0:
			b.indent = int(s[i]-'0') + max(c.indent-1, 0)
		default:
			return w.notValid("a block scalar with more than an indicator on its first line")
		}
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if !isBlank(s, i) && s[i] != '#' {
		return w.notValid("a block scalar with more than an indicator on its first line")
	}
	b.end = nextLine(s, i)
	return nil
}

// blockLines takes the lines of the content, up to one that is indented less (YAML
// 1.2, l-literal-content).
func (w *walker) blockLines(b *block, s string, c context) error {
	blankIndent := 0
	for b.end < len(s) {
		next := nextLine(s, b.end)
		line := strings.TrimSuffix(s[b.end:next], "\n")
		line = strings.TrimSuffix(line, "\r")
		spaces := spacesFrom(line, 0)
		blank := spaces == len(line)
		least := b.indent
		if least < 0 {
			least = c.indent
		}
		switch {
		case blank && next == len(s) && !strings.HasSuffix(s, "\n") && spaces < max(b.indent, c.indent):
			return nil
		case blank && b.indent < 0:
			blankIndent = max(blankIndent, spaces)
		case blank:
		case spaces < least && line[spaces] == '\t':
			return w.cannotJudge(oddTab)
		case spaces < least:
			return nil
		case b.indent < 0:
			if b.indent = spaces; blankIndent > spaces {
				return w.notValid("a block scalar that starts with a longer empty line")
			}
		}
		b.lines = append(b.lines, line)
		if strings.HasSuffix(s[b.end:next], "\n") {
			b.breaks++
		}
		b.end = next
	}
	return nil
}

// oddBlank reports whether the last line, or one in a scalar without content,
// is longer than the indentation but empty. The reference measures such lines
// against the first line instead.
func (b *block) oddBlank() bool {
	for i := len(b.lines) - 1; i >= 0; i-- {
		if strings.Trim(b.lines[i], " ") != "" {
			return false
		}
		if len(b.lines[i]) > b.indent {
			return true
		}
	}
	return false
}

// trim cuts the lines to their content and counts the line ends behind it.
func (b *block) trim() {
	if b.indent < 0 {
		// Nothing but spaces: the longest line sets the indentation.
		for _, line := range b.lines {
			b.indent = max(b.indent, len(line))
		}
	}
	for i, line := range b.lines {
		b.lines[i] = line[min(max(b.indent, 0), len(line)):]
	}
	b.any = len(b.lines) > 0
	last := len(b.lines)
	for last > 0 && b.lines[last-1] == "" {
		last--
	}
	b.breaks -= max(0, last-1) // the line ends between the lines with content
	b.lines = b.lines[:last]
}

// value joins the lines: as they are, or folded where two lines next to each
// other are both indented like the first.
func (b *block) value() string {
	var out strings.Builder
	pending, wasMore, first := 0, false, true
	for i, line := range b.lines {
		if !b.folded {
			if i > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(line)
			continue
		}
		if line == "" {
			pending++
			continue
		}
		more := line[0] == ' ' || line[0] == '\t'
		switch {
		case first:
			out.WriteString(strings.Repeat("\n", pending))
		case more || wasMore:
			out.WriteString(strings.Repeat("\n", pending+1))
		case pending == 0:
			out.WriteByte(' ')
		default:
			out.WriteString(strings.Repeat("\n", pending))
		}
		out.WriteString(line)
		pending, wasMore, first = 0, more, false
	}
	switch {
	case b.chomp == '+' && b.any:
		out.WriteString(strings.Repeat("\n", max(1, b.breaks)))
	case b.chomp == 0 && len(b.lines) > 0:
		out.WriteByte('\n')
	}
	return out.String()
}
