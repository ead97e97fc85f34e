package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// AddMoved returns data, the file's content, with the words that what lay at old lies at now.
// What was moved to old before leads to now as well. Comments and order stay: nothing is
// touched but those lines. It fails when the file can't be read, when it says already where
// old lies, and when it is not written in a form that lines can be added to.
func AddMoved(data []byte, old, now string, formats []verify.Format) ([]byte, error) {
	before, err := Parse(data, formats)
	if err != nil {
		return nil, err
	}
	if to, ok := before.Moved[old]; ok {
		return nil, &Error{Reason: fmt.Sprintf("moved says already that %s lies at %s", old, to)}
	}
	want := map[string]string{old: now}
	for from, to := range before.Moved {
		if want[from] = to; to == old {
			want[from] = now
		}
	}
	text, err := addMoved(data, old, now)
	if err == nil {
		var after Settings
		if after, err = Parse(text, formats); err == nil && (!maps.Equal(after.Moved, want) || !sameBut(data, text)) {
			err = errors.New("the result would say something else")
		}
	}
	if err != nil {
		return nil, &Error{Reason: fmt.Sprintf("is not written in a form that lines can be added to (%v); add this by hand below moved: %s", err, movedLine("", old, now))}
	}
	return text, nil
}

// addMoved edits the text.
func addMoved(data []byte, old, now string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(data), "\n")
	if last := lines[len(lines)-1]; last == "" {
		lines = lines[:len(lines)-1]
	} else {
		lines[len(lines)-1] = last + "\n"
	}
	key, moved := find(&doc)
	if moved == nil || len(moved.Content) == 0 {
		entry := movedLine("  ", old, now)
		if moved == nil {
			return []byte(strings.Join(lines, "") + "moved:\n" + entry), nil
		}
		if moved.Style&yaml.FlowStyle != 0 {
			return nil, errors.New("moved stands in braces")
		}
		return []byte(strings.Join(slices.Insert(lines, key.Line, entry), "")), nil
	}
	for i := 1; i < len(moved.Content); i += 2 {
		if v := moved.Content[i]; v.Value == old {
			line, at := lines[v.Line-1], v.Column-1
			raw := rawScalar(v)
			if at > len(line) || !strings.HasPrefix(line[at:], raw) {
				return nil, errors.New("a value is written in an unusual way")
			}
			lines[v.Line-1] = line[:at] + scalar(now) + line[at+len(raw):]
		}
	}
	indent := strings.Repeat(" ", moved.Content[0].Column-1)
	last := moved.Content[len(moved.Content)-1]
	return []byte(strings.Join(slices.Insert(lines, last.Line, movedLine(indent, old, now)), "")), nil
}

// find is the key moved of a document, and its value; nil where there is none.
func find(doc *yaml.Node) (key, value *yaml.Node) {
	if len(doc.Content) == 0 {
		return nil, nil
	}
	c := doc.Content[0].Content
	for i := 0; i+1 < len(c); i += 2 {
		if c[i].Value == "moved" {
			return c[i], c[i+1]
		}
	}
	return nil, nil
}

// sameBut reports whether two texts say the same about everything but what was moved.
func sameBut(a, b []byte) bool {
	var one, two map[string]any
	if yaml.Unmarshal(a, &one) != nil || yaml.Unmarshal(b, &two) != nil {
		return false
	}
	delete(one, "moved")
	delete(two, "moved")
	x, err1 := yaml.Marshal(one)
	y, err2 := yaml.Marshal(two)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func movedLine(indent, old, now string) string {
	return indent + scalar(old) + ": " + scalar(now) + "\n"
}

// rawScalar is how a scalar is written in the file, if it is written as this package does.
func rawScalar(n *yaml.Node) string {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return `"` + n.Value + `"`
	case n.Style&yaml.SingleQuotedStyle != 0:
		return "'" + n.Value + "'"
	}
	return n.Value
}

// scalar writes s so that YAML reads it back as the text s, on one line.
func scalar(s string) string {
	text, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s})
	line := strings.TrimRight(string(text), "\n")
	if err != nil || strings.Contains(line, "\n") || strings.HasPrefix(line, "?") {
		return fmt.Sprintf("%q", s)
	}
	return line
}
