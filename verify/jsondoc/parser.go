package jsondoc

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/replay-gate/replay-gate/verify"
)

// parser builds a Document. A gate reads tens of thousands of sidecars in a
// second, so nodes come from slabs and texts share one copy of the input.
type parser struct {
	doc  *Document
	dec  *jsontext.Decoder
	text string // the input
	path []step // from the root to the value being read
	slab []Node
	made int // nodes so far
	// clean says that the input is valid UTF-8, so that a string without escapes
	// is its own decoding.
	clean bool
}

// step is one link of a path: a member's name, or the index of an element.
type step struct {
	name  string
	index int // -1 for a member
}

// maxField bounds the path in a problem, in bytes: a name can be as long as the
// file.
const maxField = 512

// field spells the path as people write it: "models[0].id".
func (p *parser) field() string {
	var b strings.Builder
	for _, s := range p.path {
		switch {
		case s.index >= 0:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return verify.ClipBytes(b.String(), maxField)
}

func (p *parser) node(n Node) *Node {
	p.made++
	if len(p.slab) == cap(p.slab) {
		// Small documents get small slabs; the sizes double up to a page or two.
		p.slab = make([]Node, 0, min(max(16, 2*cap(p.slab)), 256))
	}
	p.slab = append(p.slab, n)
	return &p.slab[len(p.slab)-1]
}

func (p *parser) errorAt(offset int, reason string) error {
	line, col := p.doc.place(offset)
	return &SyntaxError{Line: line, Column: col, Reason: reason}
}

func (p *parser) syntaxError(err error) *SyntaxError {
	var se *SyntaxError
	if errors.As(err, &se) {
		return se
	}
	offset := int(p.dec.InputOffset())
	reason := "not valid JSON"
	var je *jsontext.SyntacticError
	if errors.As(err, &je) {
		offset = int(je.ByteOffset)
		if je.Err != nil {
			reason = je.Err.Error()
		}
	}
	if offset == 0 && bytes.HasPrefix(p.doc.data, []byte("\ufeff")) {
		reason = "starts with a byte order mark; save the file without it"
	}
	truncated := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if truncated {
		reason = "unexpected end of input"
		offset = len(p.doc.data)
	}
	line, col := p.doc.place(offset)
	return &SyntaxError{Line: line, Column: col, Reason: reason, Truncated: truncated}
}

// value reads the next value. On an error it returns what was complete, which
// may be nil.
func (p *parser) value() (*Node, error) {
	if p.made >= MaxValues {
		return nil, p.errorAt(int(p.dec.InputOffset()), "more than "+strconv.Itoa(MaxValues)+" values")
	}
	switch p.dec.PeekKind() {
	case '{':
		return p.object()
	case '[':
		return p.array()
	}
	raw, err := p.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(p.dec.InputOffset())
	n := p.node(Node{offset: end - len(raw), end: end})
	switch raw.Kind() {
	case 'n':
		n.kind, n.text = Null, "null"
	case 't':
		n.kind, n.text = Bool, "true"
	case 'f':
		n.kind, n.text = Bool, "false"
	case '0':
		n.kind, n.text = Number, p.text[n.offset:end]
	case '"':
		n.kind, n.text = String, p.unquote(raw, n.offset)
	}
	return n, nil
}

// unquote decodes the JSON string raw, which the decoder has accepted and which
// starts at offset.
func (p *parser) unquote(raw []byte, offset int) string {
	if bytes.IndexByte(raw, '\\') < 0 && p.clean {
		return p.text[offset+1 : offset+len(raw)-1]
	}
	// Invalid UTF-8 and lone surrogates decode to U+FFFD together with an error, the only
	// one that there is; Parse has reported the first already.
	b, _ := jsontext.AppendUnquote(nil, raw)
	return string(b)
}

func (p *parser) object() (*Node, error) {
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, err
	}
	n := p.node(Node{kind: Object, offset: int(p.dec.InputOffset()) - 1})
	defer func() { n.end = int(p.dec.InputOffset()) }()
	if len(p.path) >= MaxDepth {
		return n, p.errorAt(n.offset, "nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
	}
	var seen map[string]bool
	for {
		switch p.dec.PeekKind() {
		case '}':
			_, err := p.dec.ReadToken()
			return n, err
		case '"':
		default:
			// The decoder words the error; ReadToken returns it.
			_, err := p.dec.ReadToken()
			if err == nil {
				err = p.errorAt(int(p.dec.InputOffset()), "an object's name must be a string")
			}
			return n, err
		}
		raw, err := p.dec.ReadValue()
		if err != nil {
			return n, err
		}
		m := Member{offset: int(p.dec.InputOffset()) - len(raw)}
		m.Name = p.unquote(raw, m.offset)
		p.path = append(p.path, step{m.Name, -1})
		if repeated(n.members, &seen, m.Name) && len(p.doc.Problems) < MaxProblems {
			line, col := p.doc.place(m.offset)
			p.doc.Problems = append(p.doc.Problems, Problem{
				Code: "duplicate-key", Field: p.field(),
				Reason: "appears more than once; the last value wins", Line: line, Column: col,
			})
		}
		v, err := p.value()
		p.path = p.path[:len(p.path)-1]
		m.Value = v
		if v != nil {
			n.members = append(n.members, m)
		}
		if err != nil {
			return n, err
		}
	}
}

// repeated reports whether name is among members, keeping a set only for
// objects that are large enough to need one.
func repeated(members []Member, seen *map[string]bool, name string) bool {
	const small = 16
	if len(members) < small {
		for _, m := range members {
			if m.Name == name {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = make(map[string]bool, 2*small)
		for _, m := range members {
			(*seen)[m.Name] = true
		}
	}
	if (*seen)[name] {
		return true
	}
	(*seen)[name] = true
	return false
}

func (p *parser) array() (*Node, error) {
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, err
	}
	n := p.node(Node{kind: Array, offset: int(p.dec.InputOffset()) - 1})
	defer func() { n.end = int(p.dec.InputOffset()) }()
	if len(p.path) >= MaxDepth {
		return n, p.errorAt(n.offset, "nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
	}
	for i := 0; ; i++ {
		if p.dec.PeekKind() == ']' {
			_, err := p.dec.ReadToken()
			return n, err
		}
		p.path = append(p.path, step{index: i})
		v, err := p.value()
		p.path = p.path[:len(p.path)-1]
		if v != nil {
			n.items = append(n.items, v)
		}
		if err != nil {
			return n, err
		}
	}
}
