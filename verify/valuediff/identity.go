package valuediff

import (
	"encoding/binary"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// identities numbers values so that two have the same number if and only if their
// canonical JSON is the same. Each collection is looked at once, however many
// aliases lead to it.
type identities struct {
	byText map[string]int // of scalars their JSON, of collections the numbers of what is in them
	known  map[any]int    // by *Object or array
}

// array is the identity of a slice in memory.
type array struct {
	first *canonical.Value
	n     int
}

func newIdentities() *identities {
	return &identities{byText: map[string]int{}, known: map[any]int{}}
}

func (ids *identities) of(v canonical.Value) int {
	var key any
	switch v := v.(type) {
	case []canonical.Value:
		if len(v) > 0 {
			key = array{&v[0], len(v)}
		}
	case *canonical.Object:
		key = v
	}
	if key != nil {
		if id, ok := ids.known[key]; ok {
			return id
		}
	}
	text := string(ids.text(v))
	id, ok := ids.byText[text]
	if !ok {
		id = len(ids.byText)
		ids.byText[text] = id
	}
	if key != nil {
		ids.known[key] = id
	}
	return id
}

func (ids *identities) text(v canonical.Value) []byte {
	switch v := v.(type) {
	case []canonical.Value:
		text := []byte{'['}
		for _, item := range v {
			text = binary.AppendUvarint(text, uint64(ids.of(item)))
		}
		return text
	case *canonical.Object:
		text := []byte{'{'}
		for _, key := range sortedKeys(v) {
			item, _ := v.Get(key)
			text = binary.AppendUvarint(text, uint64(len(key)))
			text = append(text, key...)
			text = binary.AppendUvarint(text, uint64(ids.of(item)))
		}
		return text
	}
	return canonical.AppendJSON(nil, v)
}
