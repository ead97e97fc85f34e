package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// shape says which keys a mapping may hold; nil is a value of any form, which
// decoding judges.
type shape map[string]shape

// list marks a shape that stands for each element of a list.
const list = "[]"

// shapeOf is the shape of the whole file: what is the same for every kind, and what each
// kind's own schema says of its settings.
func shapeOf(formats []verify.Format) (shape, error) {
	byKind := shape{}
	whole := shape{"evidence": byKind, "fail-on": byKind, "moved": nil}
	for _, f := range formats {
		byKind[f.Kind()] = nil
		c, ok := f.(verify.Configurable)
		if !ok {
			continue
		}
		key, text := c.Settings()
		var s keySchema
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return nil, &Error{Reason: fmt.Sprintf("internal error: the schema of %s: %v", key, err)}
		}
		whole[key] = s.shape()
	}
	return whole, nil
}

// keySchema is as much of a JSON Schema as says which keys there are.
type keySchema struct {
	Properties map[string]keySchema `json:"properties"`
	Items      *keySchema           `json:"items"`
}

func (s *keySchema) shape() shape {
	switch {
	case s.Items != nil && len(s.Items.Properties) > 0:
		return shape{list: s.Items.shape()}
	case len(s.Properties) == 0:
		return nil
	}
	sh := shape{}
	for name, p := range s.Properties {
		sh[name] = p.shape()
	}
	return sh
}

// checkKeys refuses keys that sh does not know, and lists those that are set.
func checkKeys(n *yaml.Node, path string, sh shape, set *[]string) error {
	if each, ok := sh[list]; ok {
		if n.Kind != yaml.SequenceNode {
			return at(n, path+" must be a list")
		}
		*set = append(*set, path)
		for i, item := range n.Content {
			var inner []string
			if err := checkKeys(item, fmt.Sprintf("%s[%d]", path, i), each, &inner); err != nil {
				return err
			}
		}
		return nil
	}
	if sh == nil {
		*set = append(*set, path)
		return nil
	}
	if n.Kind != yaml.MappingNode {
		if path == "" {
			return at(n, "must be a mapping")
		}
		return at(n, path+" must be a mapping")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		full := key.Value
		if path != "" {
			full = path + "." + key.Value
		}
		inner, known := sh[key.Value]
		if !known {
			return at(key, unknown(full, key.Value, sh))
		}
		if err := checkKeys(value, full, inner, set); err != nil {
			return err
		}
	}
	return nil
}

func unknown(full, key string, sh shape) string {
	return UnknownKey(full, key, slices.Sorted(maps.Keys(sh)))
}

// UnknownKey words the refusal of a key, with the one of names that was probably
// meant. full is the key with the path to it.
func UnknownKey(full, key string, names []string) string {
	near := Near(key, names, 1)
	if len(near) == 0 {
		return fmt.Sprintf("unknown key %q; known are %q", full, names)
	}
	return fmt.Sprintf("unknown key %q; did you mean %q?", full, near[0])
}

// Near are those of names that word was probably meant to be, the nearest first, at most so
// many.
func Near(word string, names []string, most int) []string {
	far := func(name string) int { return editDistance(word, name) }
	var near []string
	for _, name := range names {
		if d := far(name); d < 4 && 2*d <= max(len(word), 2) {
			near = append(near, name)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return far(a) - far(b) })
	return near[:min(most, len(near))]
}

// editDistance counts the characters to insert, delete or replace. Long words
// are far from everything.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
