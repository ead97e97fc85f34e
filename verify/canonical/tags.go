package canonical

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// taggedScalar gives the value of a scalar with its full tag, "" for none
// (rules 23 to 29). A tag that the core schema doesn't know leaves the text.
func (w *walker) taggedScalar(text, tag string, plain bool) (item, error) {
	it := item{value: text}
	name, core := strings.CutPrefix(tag, coreTag)
	switch {
	case tag == "" && plain:
		if it.value = coreValue(text); w.exact {
			it.value = exactScalar(text, it.value)
		}
	case !core:
	case name == "null" && isNull(text):
		it.value = nil
	case name == "bool":
		if v, ok := boolValue(text); ok {
			it.value = v
		}
	case name == "int":
		if v, ok := intValue(text); ok {
			it.value = v
		}
	case name == "float":
		if v, ok := floatValue(text); ok {
			it.value = v
		}
	case name == "binary":
		return w.binary(text)
	case name == "timestamp":
		if !timestamp.MatchString(text) {
			return it, w.notValid("a !!timestamp that is no date")
		}
		it = item{value: new(Object), kind: opaqueItem}
	case name == "merge":
		it = item{kind: mergeItem}
	}
	return it, nil
}

// timestamp is the date syntax of the !!timestamp tag: YAML 1.1, section
// "Timestamp Language-Independent Type".
var timestamp = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}` +
	`(?:(?:[tT]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:[ \t]*(?:Z|[-+][012]?[0-9](?::?[0-9]{2})?))?)?$`)

// maxBinary bounds what !!binary may hold: each byte becomes a property.
const maxBinary = 1 << 14

// binary decodes base64 as Buffer.from does: both alphabets, everything else
// skipped, a = ends it. JSON shows the bytes as properties.
func (w *walker) binary(text string) (item, error) {
	if len(text) > maxBinary {
		return item{}, w.cannotJudge("a !!binary value larger than 16 KiB")
	}
	text, padding, _ := strings.Cut(text, "=")
	if strings.Trim(padding, "= \t\n") != "" || strings.ContainsFunc(text, func(r rune) bool { return r > 0x7F }) {
		// Node reads on behind a = in the middle, and takes the low byte of a
		// character for the character.
		return item{}, w.cannotJudge("an unusual !!binary")
	}
	object := new(Object)
	bits, held := uint32(0), 0
	for i := range len(text) {
		b := text[i]
		var v byte
		switch {
		case b >= 'A' && b <= 'Z':
			v = b - 'A'
		case b >= 'a' && b <= 'z':
			v = b - 'a' + 26
		case b >= '0' && b <= '9':
			v = b - '0' + 52
		case b == '+' || b == '-':
			v = 62
		case b == '/' || b == '_':
			v = 63
		default:
			continue
		}
		bits, held = bits<<6|uint32(v), held+6
		if held >= 8 {
			held -= 8
			object.Set(decimal(object.Len()), float64(bits>>held&0xFF))
			w.expanded += 12
		}
	}
	return item{value: object, kind: opaqueItem}, nil
}

// taggedSequence gives the value of a sequence: !!omap becomes a Map, of which
// JSON shows nothing; !!pairs has been dealt with entry by entry; other tags
// leave a sequence as it is.
func (w *walker) taggedSequence(n *yaml.Node, tag string, values []Value) (item, error) {
	if tag != coreTag+"omap" {
		return item{value: values, kind: collectionItem}, nil
	}
	seen := map[string]string{}
	for _, child := range n.Content {
		key := child
		if child.Kind == yaml.MappingNode {
			if len(child.Content) != 2 {
				return item{}, w.notValid("an !!omap entry that is not one pair")
			}
			key = child.Content[0]
		}
		if key.Kind != yaml.ScalarNode {
			return item{}, w.cannotJudge("an unusual !!omap")
		}
		switch kind, repeated := seen[key.Value]; {
		case repeated && kind == key.Tag:
			return item{}, w.notValid("an !!omap with a repeated key")
		case repeated:
			return item{}, w.cannotJudge("an unusual !!omap")
		}
		seen[key.Value] = key.Tag
	}
	return item{value: new(Object), kind: collectionItem}, nil
}

// asPair gives an entry of !!pairs: a mapping of one pair stays, anything else
// becomes the key of one.
func (w *walker) asPair(n *yaml.Node, it item) (Value, error) {
	if n.Kind == yaml.MappingNode {
		if len(n.Content) != 2 {
			return nil, w.notValid("a !!pairs entry that is not one pair")
		}
		return it.value, nil
	}
	b := &mapBuilder{w: w, object: new(Object)}
	if err := b.key(n, it); err != nil {
		return nil, err
	}
	if err := b.add(n, item{}); err != nil {
		return nil, err
	}
	return b.object, nil
}

// taggedMapping gives the value of a mapping: !!set becomes a Set, of which
// JSON shows nothing, and takes null values only; other tags leave it.
func (w *walker) taggedMapping(n *yaml.Node, tag string, b *mapBuilder) (item, error) {
	if tag != coreTag+"set" {
		return item{value: b.object, kind: collectionItem}, nil
	}
	for i := 1; i < len(n.Content); i += 2 {
		value := n.Content[i]
		switch {
		case b.values:
			return item{}, w.notValid("a !!set with values")
		case !isEmpty(value) || value.Style != 0 || value.Anchor != "" || n.Content[i-1].Kind != yaml.ScalarNode:
			return item{}, w.cannotJudge("an unusual !!set")
		}
	}
	if b.comments {
		return item{}, w.cannotJudge("an unusual !!set")
	}
	return item{value: new(Object), kind: collectionItem}, nil
}
