package sigmapol

import "bytes"

// Term is an admitted term: [Parse] makes it, and nothing changes it afterwards. It remembers the declarations it was
// admitted under. The zero Term has no sort and no encoding.
type Term struct {
	root  *node
	world *world
}

// world is what the schema contributes to the meaning of a term.
type world struct {
	fields map[string]Field
	tiers  map[string]int
}

// node is one operation applied to arguments: *node where the signature wants a term, else a parameter, which is a
// float64, string, bool, []any or map[string]any. Admission makes sure of the types, so the accessors below rely on it.
type node struct {
	op   *operation
	args []any
}

func leaf(name string) *node { return &node{op: signature[name]} }

func (n *node) is(name string) bool { return n.op.name == name }
func (n *node) term(i int) *node    { return n.args[i].(*node) }
func (n *node) num(i int) float64   { return n.args[i].(float64) }
func (n *node) str(i int) string    { return n.args[i].(string) }
func (n *node) action(i int) Action { return n.args[i].(map[string]any) }
func (t Term) sub(n *node) Term     { return Term{n, t.world} }
func (t Term) slotOf(s Sort) *node  { return slotOf(t.root, s) }
func (n *node) conjuncts() []*node  { return parts(n, "and", "top") }
func (n *node) arguments() (ts []*node) {
	for _, a := range n.args {
		if t, ok := a.(*node); ok {
			ts = append(ts, t)
		}
	}
	return ts
}

// parts gives the arguments of a term of the operation op, none for its unit, and else the term alone.
func parts(n *node, op, unit string) []*node {
	switch {
	case n.is(op):
		return n.arguments()
	case n.is(unit):
		return nil
	}
	return []*node{n}
}

// slotOf finds the part of sort s: the term itself, or that slot of a policy; nil if it has none.
func slotOf(n *node, s Sort) *node {
	if n == nil || n.op.out == s {
		return n
	}
	if n.is("policy") {
		for _, slot := range n.arguments() {
			if slot.op.out == s {
				return slot
			}
		}
	}
	return nil
}

// Sort returns the sort of the term; a complete policy is of sort [Policy].
func (t Term) Sort() Sort {
	if t.root == nil {
		return ""
	}
	return t.root.op.out
}

// IsNormal reports whether the term is in normal form. Engines only ever emit normal forms, so a recorded term that
// isn't was edited afterwards.
func (t Term) IsNormal() bool {
	return bytes.Equal(Encode(t), Encode(Normalize(t)))
}
