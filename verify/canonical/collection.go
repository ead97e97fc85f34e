package canonical

import (
	"math"

	"gopkg.in/yaml.v3"
)

// item is a node that has been read.
type item struct {
	value Value // NaN and the infinities still stand for themselves
	kind  itemKind
	alias string // the name, if an alias stands for the item
	// written is a collection in place of a key, as the reference writes it.
	written string
}

type itemKind uint8

const (
	scalarItem     itemKind = iota
	collectionItem          // also Set and Map objects, which show no properties
	opaqueItem              // a Buffer or a Date
	mergeItem               // the symbol that !!merge gives
)

// json is what JSON.stringify sees.
func (it item) json() Value {
	if it.kind == mergeItem {
		return nil // a symbol: null in a list, and left out of an object
	}
	if f, ok := it.value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil
	}
	return it.value
}

// sequence reads a block or flow sequence.
func (w *walker) sequence(n *yaml.Node, c context, tag string) (item, error) {
	values := make([]Value, 0, len(n.Content))
	add := func(child *yaml.Node, it item) (err error) {
		v := it.json()
		if tag == coreTag+"pairs" {
			if v, err = w.asPair(child, it); err != nil {
				return err
			}
		}
		values = append(values, v)
		w.expanded += 2
		return nil
	}
	var err error
	if n.Style&yaml.FlowStyle != 0 {
		err = w.flowSequence(n, c, add)
	} else {
		err = w.blockSequence(n, c, add)
	}
	if err != nil {
		return item{}, err
	}
	return w.taggedSequence(n, tag, values)
}

func (w *walker) mapping(n *yaml.Node, c context, tag string) (item, error) {
	b := &mapBuilder{w: w, object: new(Object)}
	var err error
	switch {
	case n.Style&yaml.FlowStyle == 0:
		err = w.blockMapping(n, b)
	case w.at('{'):
		err = w.flowMapping(n, c, b)
	default:
		err = w.pair(n, c, b)
	}
	if err != nil {
		return item{}, err
	}
	return w.taggedMapping(n, tag, b)
}
