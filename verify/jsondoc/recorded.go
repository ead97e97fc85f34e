package jsondoc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Spot is where n stands, with its text when it is a scalar, for a row about it.
func (d *Document) Spot(n *Node) verify.Spot {
	if d == nil || n == nil {
		return verify.Spot{}
	}
	line, column := d.Position(n)
	return verify.Spot{Line: line, Column: column, Text: n.Text()}
}

// maxRecorded bounds the values that are compared of one document.
const maxRecorded = 100_000

// Recorded lists the scalars below n, and the lists and objects that are empty, each with
// the path that leads to it, sorted by path. weigh says what a change of the value at a
// path means; ok is false for one that is not compared.
func (d *Document) Recorded(n *Node, weigh func(path string) (w verify.Weight, ok bool)) []verify.Value {
	var all []verify.Value
	var visit func(n *Node, path string)
	visit = func(n *Node, path string) {
		if len(all) >= maxRecorded {
			return
		}
		switch {
		case n.Is(Object) && len(n.Members()) > 0:
			seen := make(map[string]bool)
			for _, m := range slices.Backward(n.Members()) {
				if !seen[m.Name] { // the last of equal names counts
					seen[m.Name] = true
					visit(m.Value, join(path, m.Name))
				}
			}
			return
		case n.Is(Array) && len(n.Items()) > 0:
			for i, item := range n.Items() {
				visit(item, path+"["+strconv.Itoa(i)+"]")
			}
			return
		}
		w, ok := weigh(path)
		if !ok {
			return
		}
		spot := d.Spot(n)
		all = append(all, verify.Value{
			Path: path, Text: canonicalText(n), Shown: strings.Clone(verify.Shorten(shownText(n), verify.MaxValue)),
			Weight: w, Line: spot.Line, Column: spot.Column,
		})
	}
	visit(n, "")
	slices.SortFunc(all, func(a, b verify.Value) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func join(path, name string) string {
	if strings.ContainsAny(name, ".[]\"") || name == "" {
		return path + "[" + strconv.Quote(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// canonicalText is equal for two nodes of the same value: numbers are compared as the
// doubles that every reader of JSON in JavaScript makes of them.
func canonicalText(n *Node) string {
	switch n.Kind() {
	case Number:
		if f, ok := n.Float(); ok {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return strings.Clone(n.Text())
	case String:
		return strconv.Quote(n.Text())
	}
	return shownText(n)
}

func shownText(n *Node) string {
	switch n.Kind() {
	case Array:
		return "[]"
	case Object:
		return "{}"
	}
	return n.Text()
}
