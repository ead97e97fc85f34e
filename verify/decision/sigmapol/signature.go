package sigmapol

import "slices"

// Version is the tag of the language, which starts every canonical encoding.
const Version = "sigma-pol/v2"

// Sort is the sort of a term: what position of another term it can fill.
type Sort string

// The sorts of terms.
const (
	Pred     Sort = "Pred"     // a test on one candidate
	Scorer   Sort = "Scorer"   // a number for each candidate, relative to all of them
	Selector Sort = "Selector" // an order of the scored candidates
	Xform    Sort = "Xform"    // a change to the request
	FailPlan Sort = "FailPlan" // what to do after an error of a kind
	Policy   Sort = "Policy"   // one of each
)

// The sorts of parameters: plain values, which the operation and never the value tells apart from terms.
const (
	num        Sort = "Num"
	count      Sort = "Count"
	rel        Sort = "Rel"
	numField   Sort = "NumField"
	boolField  Sort = "BoolField"
	tier       Sort = "Tier"
	family     Sort = "Family"
	provider   Sort = "Provider"
	servedBy   Sort = "ServedBy"
	capability Sort = "Capability"
	paramName  Sort = "ParamName"
	scalar     Sort = "Scalar"
	sym        Sort = "Sym"
	failReason Sort = "FailReason"
	action     Sort = "Action"
	recipe     Sort = "Recipe"
	chain      Sort = "Chain"
)

func (s Sort) isTerm() bool {
	return slices.Contains([]Sort{Pred, Scorer, Selector, Xform, FailPlan, Policy}, s)
}

// operation is one line of the signature. An operation takes either a fixed list of arguments, or one or more terms of
// its own sort, and then has laws that the normal form applies.
type operation struct {
	name     string
	out      Sort
	args     []Sort
	variadic bool
	ordered  bool   // the order of the arguments matters
	unit     string // dropped among the arguments
	absorb   string // one argument like this makes the whole term like this
}

// signature holds the 42 operations of sigma-pol/v2.
var signature = func() map[string]*operation {
	ops := make(map[string]*operation)
	for _, op := range []operation{
		{name: "top", out: Pred},
		{name: "bot", out: Pred},
		{name: "and", out: Pred, variadic: true, unit: "top", absorb: "bot"},
		{name: "or", out: Pred, variadic: true, unit: "bot", absorb: "top"},
		{name: "not", out: Pred, args: []Sort{Pred}},
		{name: "meets_req", out: Pred},
		{name: "scope_matches", out: Pred},
		{name: "is", out: Pred, args: []Sort{boolField}},
		{name: "cmp", out: Pred, args: []Sort{numField, rel, num}},
		{name: "tier_eq", out: Pred, args: []Sort{tier}},
		{name: "min_tier", out: Pred, args: []Sort{tier}},
		{name: "family_eq", out: Pred, args: []Sort{family}},
		{name: "provider_eq", out: Pred, args: []Sort{provider}},
		{name: "served_by_eq", out: Pred, args: []Sort{servedBy}},
		{name: "has_cap", out: Pred, args: []Sort{capability}},

		{name: "zero", out: Scorer},
		{name: "add", out: Scorer, variadic: true, unit: "zero"},
		{name: "scale", out: Scorer, args: []Sort{num, Scorer}},
		{name: "gate", out: Scorer, args: []Sort{Pred, Scorer}},
		{name: "neg", out: Scorer, args: []Sort{Scorer}},
		{name: "normalize", out: Scorer, args: []Sort{Scorer}},
		{name: "clamp", out: Scorer, args: []Sort{num, num, Scorer}},
		{name: "field", out: Scorer, args: []Sort{numField}},
		{name: "lit", out: Scorer, args: []Sort{num}},

		{name: "argmax", out: Selector},
		{name: "ordered", out: Selector},
		{name: "sample", out: Selector, args: []Sort{num}},
		{name: "chain", out: Selector, args: []Sort{chain}},
		{name: "top_k", out: Selector, args: []Sort{count, Selector}},

		{name: "id", out: Xform},
		{name: "seq", out: Xform, variadic: true, ordered: true, unit: "id"},
		{name: "set_param", out: Xform, args: []Sort{paramName, scalar}},
		{name: "inject_seed", out: Xform, args: []Sort{paramName}},
		{name: "clamp_param", out: Xform, args: []Sort{paramName, num, num}},
		{name: "jitter", out: Xform, args: []Sort{paramName, num}},
		{name: "filter_text", out: Xform, args: []Sort{recipe}},
		{name: "filter_image", out: Xform, args: []Sort{recipe}},
		{name: "custom", out: Xform, args: []Sort{sym}},
		{name: "when", out: Xform, args: []Sort{Pred, Xform}},

		{name: "always", out: FailPlan, args: []Sort{action}},
		{name: "override", out: FailPlan, args: []Sort{FailPlan, failReason, action}},

		{name: "policy", out: Policy, args: []Sort{Pred, Scorer, Selector, Xform, FailPlan}},
	} {
		ops[op.name] = &op
	}
	return ops
}()

// evidenceOps and removedOps are the operations of sigma-pol/v1 that v2 dropped: the terms of its evidence slot, and
// its composite scorers. No later v2 engine brings them back, so they are not merely unknown.
var (
	evidenceOps = []string{"ev_zero", "ev_add", "ev_scale", "decay", "from_prov"}
	removedOps  = []string{"quality", "speed", "cost", "free_credit", "partner"}
)
