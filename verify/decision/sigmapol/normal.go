package sigmapol

import (
	"bytes"
	"maps"
	"slices"
)

// Normalize gives the normal form of a term: the one that stands for all terms equal to it under the laws of the
// language (SIGMA-POL §4). It does no arithmetic, so nested scales stay nested.
func Normalize(t Term) Term {
	if t.root == nil {
		return t
	}
	return t.sub(normalize(t.root))
}

func normalize(n *node) *node {
	if n.op.variadic {
		return normalizeVariadic(n)
	}
	out := &node{op: n.op, args: make([]any, len(n.args))}
	for i, arg := range n.args {
		if sub, ok := arg.(*node); ok {
			arg = normalize(sub)
		}
		out.args[i] = arg
	}
	switch n.op.name {
	case "not":
		switch p := out.term(0); p.op.name {
		case "not":
			return p.term(0)
		case "top":
			return leaf("bot")
		case "bot":
			return leaf("top")
		}
	case "scale":
		switch weight, s := out.num(0), out.term(1); {
		case weight == 0 || s.is("zero"):
			return leaf("zero")
		case weight == 1:
			return s
		}
	case "gate":
		switch p, s := out.term(0), out.term(1); {
		case p.is("top"):
			return s
		case p.is("bot") || s.is("zero"):
			return leaf("zero")
		}
	case "normalize":
		if s := out.term(0); s.is("normalize") {
			return s
		}
	case "override":
		return normalizePlan(out)
	}
	return out
}

// normalizeVariadic merges nested terms of the same operation, drops units, lets an absorbing argument take over, and
// sorts what remains by its bytes where order doesn't matter. Duplicates stay.
func normalizeVariadic(n *node) *node {
	var kept []*node
	for _, arg := range n.arguments() {
		arg = normalize(arg)
		if n.op.absorb != "" && arg.is(n.op.absorb) {
			return arg
		}
		kept = append(kept, parts(arg, n.op.name, n.op.unit)...)
	}
	switch len(kept) {
	case 0:
		return leaf(n.op.unit)
	case 1:
		return kept[0]
	}
	if !n.op.ordered {
		kept = sortByEncoding(kept)
	}
	out := &node{op: n.op, args: make([]any, len(kept))}
	for i, k := range kept {
		out.args[i] = k
	}
	return out
}

func sortByEncoding(ns []*node) []*node {
	type keyed struct {
		key []byte
		*node
	}
	ks := make([]keyed, len(ns))
	for i, n := range ns {
		ks[i] = keyed{appendNode(nil, n), n}
	}
	slices.SortFunc(ks, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	sorted := make([]*node, len(ks))
	for i, k := range ks {
		sorted[i] = k.node
	}
	return sorted
}

// normalizePlan rebuilds a fail plan as its base and one override for each reason that differs from the base, the
// smallest reason innermost. The outermost override of a reason is the one that counts.
func normalizePlan(n *node) *node {
	overrides := make(map[string]Action)
	for n.is("override") {
		if _, taken := overrides[n.str(1)]; !taken {
			overrides[n.str(1)] = n.action(2)
		}
		n = n.term(0)
	}
	base := appendValue(nil, n.args[0])
	for _, reason := range slices.Sorted(maps.Keys(overrides)) {
		record := map[string]any(overrides[reason])
		if !bytes.Equal(appendValue(nil, record), base) {
			n = &node{op: signature["override"], args: []any{n, reason, record}}
		}
	}
	return n
}
