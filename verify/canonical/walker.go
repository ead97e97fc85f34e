package canonical

import "gopkg.in/yaml.v3"

// walker reads the source a second time, guided by the tree that yaml.v3 built
// of the masked text. Its position only moves forward, and it moves over
// nothing that it doesn't understand.
type walker struct {
	src   string // what the values are read from
	shown string // what yaml.v3 was shown, before masking: the same offsets
	mask  *mask
	exact bool // see ParseExact

	handles map[string]string
	anchors map[string]*anchor // the last of each name so far
	aliases map[*yaml.Node]*anchor
	steps   int // spent on counting aliases

	pos       int
	line      int // of pos, from 1
	lineStart int // offset
	column    int // in characters, from 0, of columnAt
	columnAt  int

	depth    int
	expanded int // bytes of canonical JSON so far, about
}

// context is what a node inherits from where it stands.
type context struct {
	// indent is how many spaces a further line of the node needs: one more
	// than the column of the parent key or dash, 0 at the root (rule 48).
	indent int
	// column is the same before a comment lowered it (see gap): where the node
	// itself may begin.
	column int
	flow   bool
	// key is set for an implicit key, which must stay on its line.
	key bool
}

func (w *walker) document(root *yaml.Node, src *source) (Value, error) {
	w.advance(src.body)
	start := w.line
	g, err := w.gap()
	if err != nil {
		return nil, err
	}
	if root == nil || isEmpty(root) && !w.startsProperty() {
		switch {
		case w.pos < len(w.src):
			return nil, w.disagree()
		case g.tab && src.marker:
			return nil, w.cannotJudge(oddTab)
		}
		return nil, nil
	}
	if err := w.opening(root, src.marker, w.line == start, g); err != nil {
		return nil, err
	}
	it, err := w.node(root, context{})
	if err != nil {
		return nil, err
	}
	if g, err = w.gap(); err != nil {
		return nil, err
	}
	if w.pos < len(w.src) {
		return nil, w.disagree()
	}
	if g.tab && g.newline && g.comment {
		return nil, w.cannotJudge(oddTab)
	}
	return w.rootValue(it)
}

// opening checks what stands before the root: behind the --- marker, if there is one and
// sameLine says that the root begins there, or else at the start of its line.
func (w *walker) opening(root *yaml.Node, marker, sameLine bool, g gap) error {
	marked := marker && sameLine
	switch {
	case g.tab && w.startsProperty():
		return w.cannotJudge(oddTab)
	// Rule 52; a flow collection may stand behind tabs.
	case g.tab && !marked && (isBlockCollection(root) || w.src[w.lineStart] == '\t' && !w.at('[') && !w.at('{')):
		return w.tabIndent()
	case marked && isBlockCollection(root) && !w.startsProperty():
		return w.notValid("a block collection on the line of the --- marker")
	}
	return nil
}

// rootValue is the value of the document. A symbol has no JSON at all.
func (w *walker) rootValue(it item) (Value, error) {
	if it.kind == mergeItem {
		return nil, w.notValid("nothing but !!merge")
	}
	return it.json(), nil
}

// node reads one node at the current position.
func (w *walker) node(n *yaml.Node, c context) (item, error) {
	if w.depth++; w.depth > MaxDepth {
		return item{}, w.cannotJudge(tooDeep)
	}
	defer func() { w.depth-- }()

	empty := isEmpty(n)
	if !empty && (n.Line != w.line || n.Column != w.columnNumber()) {
		return item{}, w.disagree()
	}
	p, err := w.properties(n, &c)
	if err != nil {
		return item{}, err
	}
	if w.tagIsAll(n, p.tag) {
		empty = true
	}
	if !w.sameProperties(n, p, empty) {
		return item{}, w.disagree()
	}
	tag, err := w.resolveTag(p.tag)
	if err != nil {
		return item{}, err
	}
	if n.Kind == yaml.AliasNode {
		if p.tag != "" || p.anchor != "" {
			return item{}, w.notValid("an alias with a tag or an anchor")
		}
		return w.alias(n)
	}
	var a *anchor
	if p.anchor != "" {
		a = &anchor{node: n, count: 1}
		w.anchors[p.anchor] = a
	}
	before := w.expanded
	var it item
	switch {
	case n.Kind == yaml.ScalarNode:
		it, err = w.scalar(n, c, tag, empty)
	case n.Kind == yaml.SequenceNode:
		it, err = w.sequence(n, c, tag)
	default:
		it, err = w.mapping(n, c, tag)
	}
	if err == nil && a != nil {
		a.item, a.done, a.expanded = it, true, w.expanded-before
	}
	return it, err
}

// tagIsAll reports whether yaml.v3 was shown a placeholder in place of a tag, and took
// it for the scalar.
func (w *walker) tagIsAll(n *yaml.Node, tag string) bool {
	return tag != "" && n.Kind == yaml.ScalarNode && n.Style == 0 &&
		n.Value == placeholder(tag) && w.shown[w.pos-len(tag):w.pos] == n.Value
}

// sameProperties reports whether yaml.v3 read the properties that stand in the source.
func (w *walker) sameProperties(n *yaml.Node, p properties, empty bool) bool {
	tagged := p.tag != "" && p.tag != "!" && !(empty && n.Value != "")
	return (p.anchor == n.Anchor || w.renamed(p.anchor, n.Anchor)) && tagged == (n.Style&yaml.TaggedStyle != 0)
}

// renamed reports whether yaml.v3 was shown an anchor name with letters in
// place of what it doesn't know.
func (w *walker) renamed(name, shown string) bool {
	return w.shown != w.src && len(name) == len(shown) && plainName(name) == shown
}

func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

func isCollection(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
}

func isBlockCollection(n *yaml.Node) bool { return isCollection(n) && n.Style&yaml.FlowStyle == 0 }

// Errors at the current position.

func (w *walker) notValid(reason string) error {
	return &NotValidError{w.line, w.columnNumber(), reason}
}

func (w *walker) cannotJudge(construct string) error {
	return &CannotJudgeError{w.line, construct}
}

// Constructs that several places meet.
const (
	// oddTab is for tabs that the reference may or may not take for
	// indentation, depending on what stands around them.
	oddTab = "a tab where indentation is expected"
	// oddQuote is for a quoted string that runs on because its last quotation
	// mark on the line is doubled or escaped. The reference closes it there.
	oddQuote      = "a quotation mark that may be missing"
	collectionKey = "a collection as a key"
	emptyKey      = "an empty key"
	oddMerge      = "an unusual !!merge"
	oddTag        = "an unusual tag"
	tooDeep       = "nested deeper than 500 levels"
	parserFailure = "a construct that the parser fails on"
	twoReadings   = "a construct that YAML parsers read differently"
)

// disagree is the error for a text that yaml.v3 and the second reading take
// apart differently.
func (w *walker) disagree() error {
	return w.cannotJudge(twoReadings)
}
