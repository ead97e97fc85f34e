package canonical

import (
	"net/url"
	"strings"

	"gopkg.in/yaml.v3"
)

const coreTag = "tag:yaml.org,2002:"

// properties are the anchor and the tag of a node, as the source has them.
type properties struct {
	anchor string
	tag    string
}

func (w *walker) startsProperty() bool { return w.at('&') || w.at('!') }

// properties reads the tag and anchor that belong to n, and the gap behind
// them. In front of a block mapping, what stands on the line of the first key
// belongs to that key; likewise for the pair in a flow sequence. At a position
// that isn't n's own, an empty node takes nothing. A gap may lower the
// indentation that the rest of n needs.
func (w *walker) properties(n *yaml.Node, c *context) (properties, error) {
	var own properties
	if !w.startsProperty() {
		return own, nil
	}
	block := isBlockCollection(n)
	pair := n.Kind == yaml.MappingNode && !block
	start, saved := *w, *w
	var read properties
	for w.startsProperty() {
		if block && w.repeats(own) {
			break // the second one of a kind is the first key's
		}
		if err := w.property(&read); err != nil {
			return own, err
		}
		before := *w
		g, err := w.gap()
		if err != nil {
			return own, err
		}
		if g.newline {
			ends, more, err := w.belowProperty(n, *c, g)
			switch {
			case err != nil:
				return own, err
			case ends:
				*w = before
				return read, nil
			case more:
				continue
			}
		}
		if !c.flow {
			c.indent = min(c.indent, g.lowest)
		}
		if !block || g.newline {
			own, saved = read, *w
		}
	}
	switch {
	case block && own != read:
		*w = saved
	case pair && !w.at('{'):
		// `[&a k: v]`: all belong to the key.
		if isTaggedOrAnchored(n) {
			return own, w.disagree()
		}
		*w = start
		return properties{}, nil
	}
	return own, nil
}

func isTaggedOrAnchored(n *yaml.Node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

// repeats reports whether a tag or an anchor begins here, of which own has one.
func (w *walker) repeats(own properties) bool {
	return own.tag != "" && w.at('!') || own.anchor != "" && w.at('&')
}

// belowProperty looks at the line below a tag or an anchor. A node without content ends before
// it, unless the line has more of its properties: what else stands there is someone else's.
func (w *walker) belowProperty(n *yaml.Node, c context, g gap) (ends, more bool, err error) {
	switch {
	case c.key:
		return false, false, w.notValid("a key over several lines")
	case !isEmpty(n):
		return false, false, w.propertyLine(n, c)
	case c.flow && w.at(','): // the reference rejects it, but not where a key stands before
		return false, false, w.cannotJudge("a tag or an anchor on its own line")
	case c.flow:
		return true, false, nil
	case g.tabLine || g.tab:
		return false, false, w.cannotJudge(oddTab)
	}
	more = w.startsProperty() && w.offset() >= c.column
	return !more, more, nil
}

// propertyLine checks the line below a tag or an anchor on its own line.
func (w *walker) propertyLine(n *yaml.Node, c context) error {
	if c.flow {
		return w.flowLine(c, false)
	}
	if first, _ := w.firstOnLine(); !first {
		return w.cannotJudge(oddTab)
	}
	if w.offset() < c.column && n.Kind != yaml.SequenceNode {
		return w.cannotJudge("a tag or an anchor on its own line")
	}
	return nil
}

// property reads one tag or anchor.
func (w *walker) property(p *properties) error {
	start := w.pos
	if w.at('&') {
		w.pos = nameEnd(w.src, w.pos+1)
		if p.anchor != "" || w.pos == start+1 {
			return w.notValid("an anchor without a name, or a second one")
		}
		p.anchor = w.src[start+1 : w.pos]
	} else {
		w.pos = tagEnd(w.src, w.pos)
		if p.tag != "" {
			return w.notValid("a second tag")
		}
		p.tag = w.src[start:w.pos]
	}
	if !isBlank(w.src, w.pos) && !isFlowIndicator(w.src[w.pos]) {
		return w.notValid("a tag or an anchor without white space behind it")
	}
	return nil
}

// nameEnd returns where the anchor name that starts at i ends (rule 44).
func nameEnd(s string, i int) int {
	for !isBlank(s, i) && !isFlowIndicator(s[i]) {
		i++
	}
	return i
}

func tagEnd(s string, i int) int {
	if strings.HasPrefix(s[i:], "!<") {
		for !isBlank(s, i) && s[i] != '>' {
			i++
		}
		if i < len(s) && s[i] == '>' {
			i++
		}
		return i
	}
	for i < len(s) {
		switch b := s[i]; {
		case b >= '0' && b <= '9', b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', strings.IndexByte("-#;/?:@&=+$_.!~*'()", b) >= 0:
			i++
		case b == '%' && i+2 < len(s) && isHex(s[i+1:i+3]):
			i += 3
		default:
			return i
		}
	}
	return i
}

func isHex(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// resolveTag returns the full name of a tag, "!" for the non-specific tag and
// "" for none (rules 23 to 30).
func (w *walker) resolveTag(tag string) (string, error) {
	full, err := w.fullTag(tag)
	if err == nil && w.exact {
		err = w.exactTag(full)
	}
	return full, err
}

func (w *walker) fullTag(tag string) (string, error) {
	if tag == "" || tag == "!" {
		return tag, nil
	}
	if verbatim, ok := strings.CutPrefix(tag, "!<"); ok {
		name, closed := strings.CutSuffix(verbatim, ">")
		if !closed || name == "!" || name == "!!" {
			return "", w.notValid("a verbatim tag that is none")
		}
		if name == "" {
			return "", w.cannotJudge(oddTag)
		}
		return name, nil
	}
	split := strings.LastIndexByte(tag, '!') + 1
	handle, suffix := tag[:split], tag[split:]
	if suffix == "" {
		return "", w.notValid("a tag without a suffix")
	}
	prefix, ok := w.handles[handle]
	if !ok {
		if handle == "!" {
			return tag, nil
		}
		return "", w.notValid("a tag with an undefined handle")
	}
	decoded, err := url.PathUnescape(suffix)
	if err != nil || strings.ContainsRune(suffix, '%') {
		return "", w.cannotJudge(oddTag)
	}
	return prefix + decoded, nil
}
