package canonical

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxWritten bounds a collection in place of a key, in bytes, read or written. The
// reference breaks one of more than 80 characters into lines.
const maxWritten = 56

var (
	// bracketsAndWords is what such a collection may be made of.
	bracketsAndWords = regexp.MustCompile(`^[][{}, :A-Za-z0-9_.$()|/-]+$`)
	// plainWords is a plain scalar that needs no quotes anywhere, and plainInt a
	// number that is written as it was read.
	plainWords = regexp.MustCompile(`^(?:\.?[A-Za-z_$][A-Za-z0-9_.$()|/-]*(?: [A-Za-z0-9_.$()|/-]+)* ?)?[A-Za-z0-9_$)]$`)
	plainInt   = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,14})$`)
)

// collectionKey reads a collection in place of a key. The reference names the
// property by writing the collection out as YAML (rule 41), which is certain of a
// short line of plain words, as in the templates that people forget to quote:
// `{{ name }}` is an object with the property "{ name }". The rest is refused.
func (w *walker) collectionKey(key *yaml.Node, c context) (item, error) {
	refusal := w.cannotJudge(collectionKey)
	if !w.at('{') && !w.at('[') {
		return item{}, refusal
	}
	start := w.pos
	it, err := w.node(key, c)
	if err != nil {
		return item{}, refusal
	}
	source := w.src[start:w.pos]
	if len(source) > maxWritten || !bracketsAndWords.MatchString(source) {
		return item{}, refusal
	}
	pairs := strings.Contains(source, ":")
	if pairs && strings.LastIndexAny(source, "[{") > 0 {
		return item{}, refusal
	}
	text, ok := written(key, pairs)
	if !ok || len(text) > maxWritten {
		return item{}, refusal
	}
	it.written = text
	return it, nil
}

// written is n as the reference writes it. pairs says that all keys in n have a
// value, which must be a scalar; else none has one.
func written(n *yaml.Node, pairs bool) (string, bool) {
	var parts []string
	switch n.Kind {
	case yaml.ScalarNode:
		_, text := coreValue(n.Value).(string)
		return n.Value, n.Style == 0 && (text && plainWords.MatchString(n.Value) || plainInt.MatchString(n.Value))
	case yaml.SequenceNode:
		for _, child := range n.Content {
			text, ok := written(child, pairs)
			if !ok {
				return "", false
			}
			parts = append(parts, text)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			text, ok := written(key, pairs)
			if isCollection(key) {
				text = "? " + text
			}
			if pairs && ok {
				var of string
				of, ok = written(value, pairs)
				text += ": " + of
			}
			if !ok || !pairs && !isEmpty(value) {
				return "", false
			}
			parts = append(parts, text)
		}
	default:
		return "", false
	}
	open, end := "{", "}"
	if n.Kind == yaml.SequenceNode {
		open, end = "[", "]"
	}
	if len(parts) == 0 {
		return open + end, true
	}
	return open + " " + strings.Join(parts, ", ") + " " + end, true
}
