package canonical

import "gopkg.in/yaml.v3"

// blockSequence reads the entries of a block sequence, all dashes in one
// column.
func (w *walker) blockSequence(n *yaml.Node, c context, add func(*yaml.Node, item) error) error {
	column := w.offset()
	if column+1 < c.indent {
		return w.disagree()
	}
	for i, child := range n.Content {
		if i > 0 {
			if _, err := w.gap(); err != nil {
				return err
			}
			if err := w.inColumn(column); err != nil {
				return err
			}
		}
		if !w.at('-') || !isBlank(w.src, w.pos+1) {
			return w.disagree()
		}
		w.pos++
		it, err := w.blockValue(child, column, false)
		if err != nil {
			return err
		}
		if err := add(child, it); err != nil {
			return err
		}
	}
	return nil
}

// blockMapping reads the pairs of a block mapping, all keys in one column.
func (w *walker) blockMapping(n *yaml.Node, b *mapBuilder) error {
	column := w.offset()
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			if _, err := w.gap(); err != nil {
				return err
			}
			if err := w.inColumn(column); err != nil {
				return err
			}
		}
		key, value := n.Content[i], n.Content[i+1]
		if i == 0 && isEmpty(key) && isTaggedOrAnchored(n) {
			return w.cannotJudge(emptyKey)
		}
		k, explicit, err := w.blockKey(key, column, i == 0)
		if err != nil {
			return err
		}
		if err := b.key(key, k); err != nil {
			return err
		}
		v, follows := item{}, true
		if explicit {
			if follows, err = w.valueFollows(column); err != nil {
				return err
			}
		}
		if !follows {
			if !isEmpty(value) || value.Anchor != "" || value.Style != 0 {
				return w.disagree()
			}
		} else if v, err = w.pairValue(value, column, explicit); err != nil {
			return err
		}
		if err := b.add(value, v); err != nil {
			return err
		}
	}
	return nil
}

// blockKey reads a key up to its colon, or the whole of an explicit one. first
// says that no key of the mapping stands before it.
func (w *walker) blockKey(key *yaml.Node, column int, first bool) (it item, explicit bool, err error) {
	if w.at('?') && isBlank(w.src, w.pos+1) {
		w.pos++
		if isCollection(key) {
			return it, true, w.cannotJudge(collectionKey)
		}
		it, err = w.blockValue(key, column, false)
		return it, true, err
	}
	if isEmpty(key) && !w.startsProperty() {
		return it, false, w.cannotJudge(emptyKey)
	}
	start, line := w.pos, w.line
	c := context{indent: column + 1, column: column + 1, key: true}
	switch {
	case !isCollection(key):
		it, err = w.node(key, c)
	case column > 0 || !first:
		// The reference rejects some, depending on what stands above.
		err = w.cannotJudge(collectionKey)
	default:
		it, err = w.collectionKey(key, c)
	}
	if err != nil {
		return it, false, err
	}
	w.blanks()
	if w.line != line {
		return it, false, w.notValid("a key over several lines")
	}
	if !w.at(':') || !isBlank(w.src, w.pos+1) {
		return it, false, w.disagree()
	}
	return it, false, w.keyLength(start)
}

// keyLength holds the 1024 UTF-16 units that an implicit key may take (rule 42).
func (w *walker) keyLength(start int) error {
	if w.pos-start > 1024 && utf16Len(w.src[start:w.pos]) > 1024 {
		return w.notValid("a key longer than 1024 characters")
	}
	return nil
}

// valueFollows moves to the colon of an explicit key's value, if there is one.
func (w *walker) valueFollows(column int) (bool, error) {
	saved := *w
	g, err := w.gap()
	if err == nil && w.at(':') && isBlank(w.src, w.pos+1) && w.inColumn(column) == nil {
		return true, nil
	}
	if g.tabLine || g.tab {
		return false, w.cannotJudge(oddTab)
	}
	*w = saved
	return false, nil
}

// pairValue reads the colon and the value behind it.
func (w *walker) pairValue(value *yaml.Node, column int, explicit bool) (item, error) {
	line := w.line
	w.pos++
	if !explicit && isBlockCollection(value) && value.Line == line && !w.propertyAhead() {
		return item{}, w.notValid("a block collection on the line of its key")
	}
	return w.blockValue(value, column, true)
}

func (w *walker) propertyAhead() bool {
	saved := *w
	w.blanks()
	ahead := w.startsProperty()
	*w = saved
	return ahead
}

// blockValue reads the node behind a dash, a colon or a question mark in
// column parent. value says that it is a colon.
func (w *walker) blockValue(n *yaml.Node, parent int, value bool) (item, error) {
	line := w.line
	g, err := w.gap()
	if err != nil {
		return item{}, err
	}
	property := w.startsProperty()
	if g.tab && (w.line != line || !value || !property) && (property || isBlockCollection(n)) {
		return item{}, w.tabIndent() // rule 52
	}
	c := context{indent: parent + 1, column: parent + 1}
	switch {
	case isEmpty(n) && (!property || w.line != line && w.offset() <= parent):
		return item{}, w.emptyValue(n, g, parent, value)
	case isEmpty(n):
		return w.node(n, c)
	case w.line != line && spacesFrom(w.src, w.lineStart) < c.indent && !(n.Kind == yaml.SequenceNode && isBlockCollection(n)):
		return item{}, w.disagree()
	}
	c.indent = min(c.indent, g.lowest)
	return w.node(n, c)
}

// emptyValue checks the gap g where a node without content stands, and without properties.
func (w *walker) emptyValue(n *yaml.Node, g gap, parent int, value bool) error {
	atEnd := w.pos == len(w.src)
	switch {
	case n.Anchor != "" || n.Style != 0:
		return w.cannotJudge("a tag or an anchor on its own line")
	case !atEnd && value && g.below >= 0 && g.below <= parent && (w.offset() != parent || g.comment):
		return w.cannotJudge(oddTab)
	case !atEnd && value && g.below >= 0 && g.below <= parent:
		return w.tabIndent() // rule 54
	case g.tab && atEnd, value && g.tabLine && g.comment:
		return w.cannotJudge(oddTab)
	}
	return nil
}

// inColumn checks that a key or dash starts its line in the given column.
func (w *walker) inColumn(column int) error {
	first, tab := w.firstOnLine()
	switch {
	case tab:
		return w.tabIndent()
	case !first || w.offset() != column:
		return w.disagree()
	}
	return nil
}

func (w *walker) tabIndent() error { return w.notValid("a tab as indentation") }
