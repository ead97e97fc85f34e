package canonical

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// anchor is a node that aliases may name.
type anchor struct {
	node     *yaml.Node
	item     item
	done     bool // item is complete: an alias inside it would be a cycle
	expanded int  // bytes of canonical JSON, about

	count  int // uses so far, the anchor itself included
	factor int // nested uses, once known
}

const (
	// maxAliases is the reference's maxAliasCount (rule 46).
	maxAliases = 100
	// maxSteps bounds the work of counting nested aliases.
	maxSteps = 1 << 24
)

// alias reads `*name`. An alias means the last anchor of its name before it
// (rule 43), and nothing on its line may be glued to the name (rule 51).
func (w *walker) alias(n *yaml.Node) (item, error) {
	if !w.at('*') {
		return item{}, w.disagree()
	}
	end := nameEnd(w.src, w.pos+1)
	name := w.src[w.pos+1 : end]
	a := w.anchors[name]
	switch {
	case a == nil:
		return item{}, w.notValid("an alias to an unknown anchor")
	case name != n.Value && !w.renamed(name, n.Value):
		return item{}, w.disagree()
	case !a.done && strings.HasPrefix(strings.TrimLeft(w.src[end:], " \t"), ":"):
		// As a key it is only a name, and no cycle.
		return item{}, w.cannotJudge(collectionKey)
	case !a.done:
		return item{}, w.notValid("an alias inside its own anchor")
	case strings.HasSuffix(name, ":"):
		return item{}, w.cannotJudge("an alias name that ends in a colon")
	}
	w.aliases[n] = a
	a.count++
	if a.factor == 0 {
		a.factor = w.factor(a.node)
	}
	if a.count*a.factor > maxAliases {
		return item{}, w.notValid("too many uses of one anchor")
	}
	if w.expanded += a.expanded; w.expanded > maxExpanded || w.steps > maxSteps {
		return item{}, w.cannotJudge("aliases that expand too far")
	}
	w.pos = end
	it := a.item
	it.alias = name
	return it, nil
}

// factor is the largest number of times that a use of n uses one anchor.
func (w *walker) factor(n *yaml.Node) int {
	w.steps++
	switch {
	case w.steps > maxSteps:
		return 0
	case n.Kind == yaml.AliasNode:
		if a := w.aliases[n]; a != nil {
			return a.count * a.factor
		}
		return 0
	case n.Kind == yaml.ScalarNode:
		return 1
	}
	most := 0
	for _, child := range n.Content {
		most = max(most, w.factor(child))
	}
	return most
}
