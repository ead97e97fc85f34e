package canonical

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Value is a JavaScript value as JSON can show it: nil, bool, float64, string,
// []Value or *Object. A string is WTF-8: UTF-8 in which a lone surrogate
// stands as its three-byte form. [ParseExact] has one type more, [Spelled].
type Value any

// Object is a JavaScript object with string keys. The zero value is an empty
// object ready to use.
type Object struct {
	entries []entry
	index   map[string]int // nil while entries are few
}

type entry struct {
	key   string
	value Value
}

// indexFrom is the number of entries from which a map beats looking at each.
const indexFrom = 12

// Len returns the number of own properties.
func (o *Object) Len() int { return len(o.entries) }

// Get returns the value of an own property.
func (o *Object) Get(key string) (Value, bool) {
	if i := o.find(key); i >= 0 {
		return o.entries[i].value, true
	}
	return nil, false
}

// Set adds or replaces an own property. A replaced property keeps its place,
// as in JavaScript.
func (o *Object) Set(key string, v Value) {
	if i := o.find(key); i >= 0 {
		o.entries[i].value = v
		return
	}
	o.entries = append(o.entries, entry{key, v})
	switch {
	case o.index != nil:
		o.index[key] = len(o.entries) - 1
	case len(o.entries) >= indexFrom:
		o.index = make(map[string]int, 2*indexFrom)
		for i, e := range o.entries {
			o.index[e.key] = i
		}
	}
}

// Keys returns the own property keys in the order in which JavaScript
// enumerates them: array indexes by number, then the rest as they were added.
func (o *Object) Keys() []string {
	keys := make([]string, 0, len(o.entries))
	for key := range o.All() {
		keys = append(keys, key)
	}
	return keys
}

// All iterates over the own properties in the order of [Object.Keys].
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, e := range enumerated(o.entries) {
			if !yield(e.key, e.value) {
				return
			}
		}
	}
}

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.entries {
		if o.entries[i].key == key {
			return i
		}
	}
	return -1
}

// canonical returns the properties as the canonical JSON shows them: sorted
// (the contract), copied into a fresh object by assignment (which for __proto__
// sets a prototype, and that is no property), and enumerated again (which puts array indexes first).
func (o *Object) canonical() []entry {
	sorted := make([]entry, 0, len(o.entries))
	for _, e := range o.entries {
		if e.key != "__proto__" {
			sorted = append(sorted, e)
		}
	}
	slices.SortFunc(sorted, func(a, b entry) int { return CompareKeys(a.key, b.key) })
	return enumerated(sorted)
}

// enumerated returns the entries with array indexes first, by number
// (ECMAScript, OrdinaryOwnPropertyKeys). It returns its argument if there are
// none.
func enumerated(entries []entry) []entry {
	isIndex := func(e entry) bool { _, ok := ArrayIndex(e.key); return ok }
	if !slices.ContainsFunc(entries, isIndex) {
		return entries
	}
	ordered := slices.Clone(entries)
	slices.SortStableFunc(ordered, func(a, b entry) int {
		i, aIndex := ArrayIndex(a.key)
		j, bIndex := ArrayIndex(b.key)
		switch {
		case aIndex && bIndex:
			return cmp.Compare(i, j)
		case aIndex:
			return -1
		case bIndex:
			return 1
		}
		return 0
	})
	return ordered
}

// ArrayIndex reports whether key is the canonical form of an integer from 0 to
// 4294967294, which JavaScript enumerates before all other keys
// (ECMAScript, array index), and returns it.
func ArrayIndex(key string) (uint32, bool) {
	if key == "" || len(key) > 10 || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	var n uint64
	for i := range len(key) {
		if key[i] < '0' || key[i] > '9' {
			return 0, false
		}
		n = n*10 + uint64(key[i]-'0')
	}
	return uint32(n), n <= 4294967294
}

// CompareKeys compares two WTF-8 strings by UTF-16 code units, as
// Array.prototype.sort does. It returns -1, 0 or +1.
func CompareKeys(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) || a[n] < 0xE0 && b[n] < 0xE0 && !midRune(a, n) {
		return strings.Compare(a[n:], b[n:])
	}
	for n > 0 && a[n]&0xC0 == 0x80 {
		n-- // back to the start of the character in which they part
	}
	return compareUnits(a[n:], b[n:])
}

// midRune reports whether s[i] continues a multi-byte character.
func midRune(s string, i int) bool { return s[i]&0xC0 == 0x80 }

func compareUnits(a, b string) int {
	var ua, ub [2]uint16
	for a != "" && b != "" {
		ra, na := decodeWTF8(a)
		rb, nb := decodeWTF8(b)
		xa, xb := appendUnits(ua[:0], ra), appendUnits(ub[:0], rb)
		for i := 0; i < len(xa) && i < len(xb); i++ {
			if c := cmp.Compare(xa[i], xb[i]); c != 0 {
				return c
			}
		}
		if len(xa) != len(xb) {
			return compareTails(xa, xb, a[na:], b[nb:])
		}
		a, b = a[na:], b[nb:]
	}
	return cmp.Compare(len(a), len(b))
}

// compareTails goes on after a lone surrogate met the first half of a pair:
// from there the two strings are out of step, so the units are spelled out.
func compareTails(xa, xb []uint16, a, b string) int {
	ra, rb := slices.Clone(xa), slices.Clone(xb)
	for a != "" {
		r, n := decodeWTF8(a)
		ra, a = appendUnits(ra, r), a[n:]
	}
	for b != "" {
		r, n := decodeWTF8(b)
		rb, b = appendUnits(rb, r), b[n:]
	}
	return slices.Compare(ra, rb)
}
