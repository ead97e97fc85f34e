package config

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// shape says which keys a mapping may hold; nil is a value of any form, which
// decoding judges.
type shape map[string]shape

// list marks a shape that stands for each element of a list.
const list = "[]"

func shapeOf(kinds []string) shape {
	byKind := shape{}
	for _, k := range kinds {
		byKind[k] = nil
	}
	return shape{
		"evidence": byKind,
		"fail-on":  byKind,
		"fixtures": {"folder": nil, "strict": nil, "suites": {list: {
			"name": nil, "target-version": nil, "ttl-days": nil, "strip-raw": nil, "cases": nil,
		}}},
		"aos":      {"budgets": nil},
		"decision": {"policies": nil},
	}
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
	best, distance := "", 4
	for _, name := range names {
		if d := editDistance(key, name); d < distance {
			best, distance = name, d
		}
	}
	if best == "" {
		return fmt.Sprintf("unknown key %q; known are %q", full, names)
	}
	return fmt.Sprintf("unknown key %q; did you mean %q?", full, best)
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
