package canonical

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// flowGap moves to the next token in a flow collection and checks the
// indentation of its line.
func (w *walker) flowGap(c context, closing byte, outermost bool) error {
	g, err := w.gap()
	if err != nil || !g.newline {
		return err
	}
	if c.key {
		return w.notValid("a key over several lines")
	}
	return w.flowLine(c, outermost && w.at(closing))
}

// flowLine holds rule 48: a line needs more indentation than the parent key or
// dash; only the outermost closing bracket may stand in its column.
func (w *walker) flowLine(c context, closing bool) error {
	indent := spacesFrom(w.src, w.lineStart)
	if w.pos == len(w.src) || indent >= c.indent || closing && indent == c.indent-1 {
		return nil
	}
	return w.notValid("a flow collection with a line that is not indented enough")
}

// flowSequence reads `[a, b]`.
func (w *walker) flowSequence(n *yaml.Node, c context, add func(*yaml.Node, item) error) error {
	if !w.at('[') {
		return w.disagree()
	}
	inner := context{indent: c.indent, flow: true}
	outermost := !c.flow
	w.pos++
	for i, child := range n.Content {
		if err := w.flowGap(inner, ']', outermost); err != nil {
			return err
		}
		start, line := w.pos, w.line
		it, err := w.node(child, inner)
		if err != nil {
			return err
		}
		if w.at(':') && child.Kind == yaml.ScalarNode && child.Style&^yaml.TaggedStyle == 0 {
			// `[a:, b]` is a pair without a value, which yaml.v3 takes for text.
			if w.line != line {
				return w.notValid("a key over several lines")
			}
			if err := w.keyLength(start); err != nil {
				return err
			}
			b := &mapBuilder{w: w, object: new(Object)}
			if err := b.key(child, it); err != nil {
				return err
			}
			if err := b.add(child, item{}); err != nil {
				return err
			}
			w.pos++
			it = item{value: b.object, kind: collectionItem}
		}
		if err := add(child, it); err != nil {
			return err
		}
		if err := w.comma(inner, ']', outermost, i == len(n.Content)-1); err != nil {
			return err
		}
	}
	return w.closeFlow(inner, ']', outermost)
}

// flowMapping reads `{a: b, c}`.
func (w *walker) flowMapping(n *yaml.Node, c context, b *mapBuilder) error {
	inner := context{indent: c.indent, flow: true}
	outermost := !c.flow
	w.pos++
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := w.flowGap(inner, '}', outermost); err != nil {
			return err
		}
		if err := w.flowPair(n.Content[i], n.Content[i+1], inner, b); err != nil {
			return err
		}
		if err := w.comma(inner, '}', outermost, i+2 >= len(n.Content)); err != nil {
			return err
		}
	}
	return w.closeFlow(inner, '}', outermost)
}

// pair reads the `a: b` of `[a: b]`, a mapping of its own.
func (w *walker) pair(n *yaml.Node, c context, b *mapBuilder) error {
	if len(n.Content) != 2 {
		return w.disagree()
	}
	start, line := w.pos, w.line
	explicit := w.at('?') && isBlank(w.src, w.pos+1)
	key := n.Content[0]
	inner := c
	inner.key = !explicit
	if err := w.flowKey(key, inner, b); err != nil {
		return err
	}
	if !explicit {
		w.blanks()
		if w.line != line {
			return w.notValid("a key over several lines")
		}
		if err := w.keyLength(start); err != nil {
			return err
		}
		if !w.at(':') {
			return w.disagree()
		}
	}
	if err := w.flowValue(key, n.Content[1], c, b); err != nil {
		return err
	}
	return w.pairEnd()
}

func (w *walker) flowPair(key, value *yaml.Node, c context, b *mapBuilder) error {
	if err := w.flowKey(key, c, b); err != nil {
		return err
	}
	if err := w.flowValue(key, value, c, b); err != nil {
		return err
	}
	return w.pairEnd()
}

// pairEnd refuses a comment for which the reference looks for white space
// before it in vain, at times.
func (w *walker) pairEnd() error {
	w.blanks()
	if w.at('#') || w.at('\r') || w.at('\n') {
		if end := lineEnd(w.src, w.pos); strings.HasPrefix(w.src[end:], "\n#") {
			return w.cannotJudge("a comment in column 1 below a pair of a flow collection")
		}
	}
	return nil
}

func (w *walker) flowKey(key *yaml.Node, c context, b *mapBuilder) error {
	if isCollection(key) {
		it, err := w.collectionKey(key, c)
		if err != nil {
			return err
		}
		return b.key(key, it)
	}
	if w.at('?') && (isBlank(w.src, w.pos+1) || isFlowIndicator(w.src[w.pos+1])) {
		w.pos++
		if err := w.flowGap(c, 0, false); err != nil {
			return err
		}
		if isEmpty(key) && w.at(':') {
			return b.key(key, item{})
		}
	}
	if isEmpty(key) && !w.startsProperty() {
		return w.cannotJudge(emptyKey)
	}
	it, err := w.node(key, c)
	if err != nil {
		return err
	}
	return b.key(key, it)
}

// flowValue reads the colon and the value of a pair, both of which may lack.
func (w *walker) flowValue(key, value *yaml.Node, c context, b *mapBuilder) error {
	saved := *w
	if err := w.flowGap(c, 0, false); err != nil && w.at(':') {
		return err
	}
	if !w.at(':') {
		*w = saved
		if !isEmpty(value) || value.Anchor != "" || value.Style != 0 {
			return w.disagree()
		}
		return b.add(value, item{})
	}
	quoted := key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
	if !quoted && !isBlank(w.src, w.pos+1) && !isFlowIndicator(w.src[w.pos+1]) {
		return w.disagree()
	}
	w.pos++
	saved = *w
	err := w.flowGap(c, 0, false)
	if isEmpty(value) && !w.startsProperty() {
		*w = saved
		if value.Anchor != "" || value.Style != 0 {
			return w.disagree()
		}
		return b.add(value, item{})
	}
	if err != nil {
		return err
	}
	it, err := w.node(value, c)
	if err != nil {
		return err
	}
	return b.add(value, it)
}

// comma reads the comma behind an entry, which only the last may lack.
func (w *walker) comma(c context, closing byte, outermost, last bool) error {
	if err := w.flowGap(c, closing, outermost); err != nil {
		return err
	}
	if w.at(',') {
		w.pos++
		return nil
	}
	if last {
		return nil
	}
	return w.disagree()
}

func (w *walker) closeFlow(c context, closing byte, outermost bool) error {
	if err := w.flowGap(c, closing, outermost); err != nil {
		return err
	}
	if !w.at(closing) {
		return w.disagree()
	}
	w.pos++
	return nil
}
