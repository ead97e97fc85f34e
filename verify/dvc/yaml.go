package dvc

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Bounds on what is read of a YAML file.
const (
	maxDepth = 100       // nested lists and mappings
	maxNodes = 2_000_000 // values, what an alias stands for counted each time
)

// document is a YAML file: its only document as nodes with places.
type document struct {
	root *yaml.Node // nil for an empty one
	make maker
}

// parseError is what is wrong with a text that must be YAML, JSON or TOML.
type parseError struct {
	line int // 0 if unknown
	why  string
}

func (e *parseError) Error() string {
	if e.line == 0 {
		return e.why
	}
	return fmt.Sprintf("line %d: %s", e.line, e.why)
}

var (
	yamlLine  = regexp.MustCompile(`line ([0-9]+): `)
	directive = regexp.MustCompile(`^%YAML[ \t]+1\.([12])(?:[ \t]|$)`)
)

// readYAML reads a file of one document. The values are not made yet: yaml.v3 supplies
// the nodes, and what a plain scalar means is ruamel.yaml's rule, not its own.
func readYAML(data []byte) (*document, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // ruamel's reader drops it, too
	minor := version(data)
	v11 := minor >= 0 && data[minor] == '1'
	if minor >= 0 && !v11 { // yaml.v3 does not know 1.2; what it would mean is said here anyway
		data = bytes.Clone(data)
		data[minor] = '1'
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var root yaml.Node
	err := decoder.Decode(&root)
	if errors.Is(err, io.EOF) {
		return &document{}, nil
	}
	if err == nil {
		var second yaml.Node
		if err = decoder.Decode(&second); err == nil {
			return nil, &parseError{second.Line, "a second document"}
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		return nil, yamlError(err)
	}
	d := &document{make: maker{v11: v11}}
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		d.root = root.Content[0]
	}
	return d, nil
}

func yamlError(err error) *parseError {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &parseError{why: text}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		e.line, _ = strconv.Atoi(m[1])
		e.why = strings.Replace(text, m[0], "", 1)
	}
	return e
}

// version is where the minor version of the directive stands, which is before the document's
// first line; -1 without one of 1.1 or 1.2, the only versions that ruamel.yaml takes.
func version(data []byte) int {
	at := 0
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, "\r\n")
		if m := directive.FindSubmatchIndex(text); m != nil {
			return at + m[2]
		}
		if len(text) > 0 && text[0] != '#' && text[0] != '%' {
			return -1
		}
		at += len(line)
	}
	return -1
}

// maker makes values of nodes.
type maker struct {
	v11   bool // a %YAML 1.1 directive switched the rules
	nodes int  // made so far, of the whole document
}

// value is the whole document's value.
func (d *document) value() (value, error) {
	if d.root == nil {
		return nil, nil
	}
	return d.of(d.root)
}

// of is the value of one of d's nodes.
func (d *document) of(n *yaml.Node) (value, error) {
	return d.make.make(n, 0)
}

func (m *maker) make(n *yaml.Node, depth int) (value, error) {
	if m.nodes++; m.nodes > maxNodes || depth > maxDepth {
		return nil, &parseError{n.Line, "nested too deep, or too many values"}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return m.make(n.Alias, depth+1)
	case yaml.ScalarNode:
		return m.scalar(n)
	case yaml.SequenceNode:
		return m.sequence(n, depth)
	case yaml.MappingNode:
		return m.mapping(n, depth)
	}
	return nil, &parseError{n.Line, "not understood"}
}

func (m *maker) sequence(n *yaml.Node, depth int) (value, error) {
	if tag := explicit(n); tag != "" && tag != "!!seq" {
		return nil, &parseError{n.Line, "a value tagged " + tag}
	}
	items := make([]value, 0, len(n.Content))
	for _, child := range n.Content {
		v, err := m.make(child, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return items, nil
}

func (m *maker) mapping(n *yaml.Node, depth int) (value, error) {
	if tag := explicit(n); tag != "" && tag != "!!map" {
		return nil, &parseError{n.Line, "a value tagged " + tag}
	}
	merged, own, err := m.flatten(n, depth)
	if err != nil {
		return nil, err
	}
	d := new(dict)
	for _, p := range append(merged, own...) {
		key, err := m.make(p.key, depth+1)
		if err != nil {
			return nil, err
		}
		if _, ok := key.(*dict); ok {
			return nil, &parseError{p.key.Line, "a mapping as a key"}
		}
		if _, twice := d.get(key); twice && len(merged) == 0 {
			// A mapping with merge keys is not checked (construct_mapping).
			return nil, &parseError{p.key.Line, "the key " + show(key) + " stands twice"}
		}
		v, err := m.make(p.value, depth+1)
		if err != nil {
			return nil, err
		}
		d.set(key, v)
	}
	return d, nil
}

type pair struct{ key, value *yaml.Node }

// flatten follows flatten_mapping: what << brings, the earlier of several mappings over
// the later ones, and then the mapping's own pairs.
func (m *maker) flatten(n *yaml.Node, depth int) (merged, own []pair, err error) {
	if m.nodes++; m.nodes > maxNodes || depth > maxDepth {
		return nil, nil, &parseError{n.Line, "nested too deep, or too many values"}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], deref(n.Content[i+1])
		if !isMerge(key) {
			own = append(own, pair{key, n.Content[i+1]})
			continue
		}
		if merged != nil {
			return nil, nil, &parseError{key.Line, "the key << stands twice"}
		}
		sources := []*yaml.Node{v}
		if v.Kind == yaml.SequenceNode {
			sources = v.Content
		}
		for i := len(sources) - 1; i >= 0; i-- {
			source := deref(sources[i])
			if source.Kind != yaml.MappingNode {
				return nil, nil, &parseError{key.Line, "<< needs a mapping"}
			}
			theirs, rest, err := m.flatten(source, depth+1)
			if err != nil {
				return nil, nil, err
			}
			merged = append(append(merged, theirs...), rest...)
			if m.nodes += len(merged); m.nodes > maxNodes {
				return nil, nil, &parseError{key.Line, "too many values"}
			}
		}
	}
	return merged, own, nil
}

func deref(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isMerge(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "<<" && isPlain(n) }

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func isPlain(n *yaml.Node) bool { return n.Style&(quoted|yaml.TaggedStyle) == 0 }

// explicit is the tag that the text gives; empty for none.
func explicit(n *yaml.Node) string {
	if n.Style&yaml.TaggedStyle == 0 {
		return ""
	}
	return n.ShortTag()
}

func (m *maker) scalar(n *yaml.Node) (value, error) {
	v, err := m.scalarValue(n)
	if err != nil {
		return nil, &parseError{n.Line, err.Error()}
	}
	return v, nil
}

func (m *maker) scalarValue(n *yaml.Node) (value, error) {
	text := n.Value
	switch tag := explicit(n); tag {
	case "":
		if n.Style&quoted != 0 {
			return text, nil
		}
		return plain(text, m.v11)
	case "!", "!!str":
		return text, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		if b, ok := boolean(strings.ToLower(text), true); ok {
			return b, nil
		}
	case "!!int":
		if text != "" && len(text) <= maxDigits {
			return integer(text, m.v11)
		}
	case "!!float":
		if text != "" && len(text) <= maxDigits {
			return float(text, m.v11)
		}
	case "!!timestamp":
		return instant(text)
	case "!!binary":
		if b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); err == nil {
			return "b" + strconv.Quote(string(b)), nil
		}
	default:
		return nil, errors.New("a value tagged " + tag)
	}
	return nil, errors.New("not what its tag says")
}
