package canonical

import (
	"math"
	"strconv"

	"gopkg.in/yaml.v3"
)

func decimal(i int) string { return strconv.Itoa(i) }

// mapBuilder collects the pairs of one mapping into an object.
type mapBuilder struct {
	w      *walker
	object *Object

	name    string // of the key whose value comes next
	merging bool   // that key is !!merge

	few  []Value            // resolved keys, to find repeats
	many map[Value]struct{} // the same, once they are many

	values   bool // a value other than null was met
	comments bool
}

// key takes the next key: a repeat fails (rules 37 to 39), then it becomes a
// string (rule 31).
func (b *mapBuilder) key(n *yaml.Node, it item) error {
	b.comments = b.comments || n.HeadComment != "" || n.LineComment != "" || n.FootComment != ""
	b.merging = it.kind == mergeItem
	if spelled, ok := it.value.(Spelled); ok {
		it.value = coreValue(string(spelled)) // a name is the reference's
	}
	switch {
	case b.merging && it.alias != "":
		return b.w.cannotJudge(oddMerge)
	case b.merging:
		return nil
	case it.kind == collectionItem && it.alias != "":
		b.name = "*" + it.alias // rule 40
	case it.written != "":
		b.name = it.written // rule 41; never a repeat, as rule 39 has it
	case it.kind == collectionItem:
		return b.w.cannotJudge(collectionKey)
	case it.kind == opaqueItem:
		return b.w.cannotJudge("!!binary or !!timestamp as a key")
	default:
		if it.alias == "" && b.repeats(it.value) {
			return &NotValidError{n.Line, n.Column, "a repeated key"}
		}
		b.name = keyString(it.value)
	}
	b.w.expanded += len(b.name) + 4
	if b.w.exact {
		return b.exactKey(n)
	}
	return nil
}

// add takes the value of the last key.
func (b *mapBuilder) add(n *yaml.Node, it item) error {
	b.comments = b.comments || n.HeadComment != "" || n.LineComment != "" || n.FootComment != ""
	b.values = b.values || it.value != nil || it.kind != scalarItem
	if b.merging {
		return b.merge(n, it)
	}
	if it.kind == mergeItem {
		if _, has := b.object.Get(b.name); has {
			return b.w.cannotJudge(oddMerge)
		}
		return nil
	}
	b.object.Set(b.name, it.json())
	return nil
}

// manyKeys is the number of keys from which a map beats looking at each.
const manyKeys = 12

// repeats reports whether a key of the same type and value was there before,
// and remembers this one. NaN equals nothing.
func (b *mapBuilder) repeats(key Value) bool {
	if b.many != nil {
		_, found := b.many[key]
		b.many[key] = struct{}{}
		return found
	}
	for _, k := range b.few {
		if k == key {
			return true
		}
	}
	if b.few = append(b.few, key); len(b.few) > manyKeys {
		b.many = make(map[Value]struct{}, 2*manyKeys)
		for _, k := range b.few {
			b.many[k] = struct{}{}
		}
	}
	return false
}

// merge adds the properties that the object doesn't have yet (rule 36).
func (b *mapBuilder) merge(n *yaml.Node, it item) error {
	source := n
	if n.Kind == yaml.AliasNode {
		a := b.w.aliases[n]
		source = a.node
		a.count-- // the reference counts conversions, and this is none
	}
	switch {
	case it.kind == scalarItem:
		return b.w.notValid("!!merge of something that is not a mapping")
	case source.Kind != yaml.MappingNode || !plainStrings(source):
		return b.w.cannotJudge(oddMerge)
	}
	from, ok := it.value.(*Object)
	if !ok {
		return b.w.cannotJudge(oddMerge)
	}
	for key, v := range from.All() {
		if _, has := b.object.Get(key); !has {
			b.object.Set(key, v)
		}
	}
	return nil
}

// plainStrings reports whether a mapping has nothing but string keys and
// scalar values.
func plainStrings(n *yaml.Node) bool {
	for i, child := range n.Content {
		if child.Kind != yaml.ScalarNode || child.Anchor != "" || i%2 == 0 && child.Tag != "!!str" {
			return false
		}
	}
	return n.Style&yaml.TaggedStyle == 0
}

// keyString is JavaScript's String() of a scalar, with "" for null.
func keyString(v Value) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		switch {
		case math.IsNaN(v):
			return "NaN"
		case math.IsInf(v, 1):
			return "Infinity"
		case math.IsInf(v, -1):
			return "-Infinity"
		}
		return string(AppendNumber(nil, v))
	case string:
		return v
	}
	return ""
}
