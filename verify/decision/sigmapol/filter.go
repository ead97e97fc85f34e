package sigmapol

// refusal says why a candidate fails a test. The zero refusal means that it passes. Where the engine walks a set in no
// particular order, also holds the other reasons it could have met first.
type refusal struct {
	reason string
	also   []string
}

func refuseIf(failed bool, reason string) refusal {
	if failed {
		return refusal{reason: reason}
	}
	return refusal{}
}

// test applies a predicate to candidate i (SIGMA-POL §5). Of a conjunction the first failing part gives the reason.
func (e *evaluator) test(p *node, i int) refusal {
	c := e.pool[i]
	switch p.op.name {
	case "bot":
		return refusal{reason: "bot"}
	case "and":
		for _, arg := range p.args {
			if r := e.test(arg.(*node), i); r.reason != "" {
				return r
			}
		}
	case "or":
		for _, arg := range p.args {
			if e.passes(arg.(*node), i) {
				return refusal{}
			}
		}
		return refusal{reason: "or"}
	case "not":
		return refuseIf(e.passes(p.term(0), i), "not")
	case "meets_req":
		return e.meetsRequirements(i)
	case "scope_matches":
		return refuseIf(c["scope"] != nil && !same(c["scope"], e.ctx.Request["scope"]), "scope")
	case "is":
		return refuseIf(!truthy(e.observe(p.str(0), i)), ownReason(p))
	case "cmp":
		return refuseIf(!holds(e.number(p.str(0), i), p.str(1), p.num(2)), ownReason(p))
	case "tier_eq":
		return refuseIf(c.Tier() != p.str(0), ownReason(p))
	case "min_tier":
		return refuseIf(e.world.tiers[c.Tier()] < e.world.tiers[p.str(0)], ownReason(p))
	case "family_eq":
		return refuseIf(c.Family() != p.str(0), ownReason(p))
	case "provider_eq":
		return refuseIf(c.Provider() != p.str(0), ownReason(p))
	case "served_by_eq":
		return refuseIf(c.ServedBy() != p.str(0), ownReason(p))
	case "has_cap":
		return refuseIf(!truthy(table(c["capabilities"])[p.str(0)]), ownReason(p))
	}
	return refusal{}
}

func (e *evaluator) passes(p *node, i int) bool { return e.test(p, i).reason == "" }

// ownReason is the reason that a test gives which has only one, and "" for all other predicates.
func ownReason(p *node) string {
	switch p.op.name {
	case "bot", "or", "not", "min_tier":
		return p.op.name
	case "scope_matches":
		return "scope"
	case "is":
		return "is:" + p.str(0)
	case "cmp":
		return "cmp:" + p.str(0) + ":" + p.str(1)
	case "tier_eq":
		return "tier"
	case "family_eq":
		return "model_family"
	case "provider_eq":
		return "provider_id"
	case "served_by_eq":
		return "served_by"
	case "has_cap":
		return missingCapability + p.str(0)
	}
	return ""
}

const missingCapability = "missing_capability:"

func holds(a float64, relation string, b float64) bool {
	switch relation {
	case "lt":
		return a < b
	case "le":
		return a <= b
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "ge":
		return a >= b
	}
	return a > b
}

// capabilityOf maps what a request can need to the capability that serves it, in the order of the names.
var capabilityOf = [...]struct{ need, capability string }{
	{"json_mode", "supports_json_mode"},
	{"seed", "supports_seed"},
	{"tools", "supports_tools"},
	{"vision", "supports_vision"},
}

// requirementReasons are the reasons of meets_req other than missing capabilities.
var requirementReasons = []string{"min_context", "model_family", "tier", "tee_required", "no_log", "min_quality", "min_tok_s"}

// meetsRequirements checks the request's requirements in the order of SIGMA-POL §5.1: what it needs, then what it asks
// of the candidate.
func (e *evaluator) meetsRequirements(i int) refusal {
	if r := e.lacks(i); r.reason != "" {
		return r
	}
	c, req := e.pool[i], e.ctx.requirements()
	other := func(name string) bool { return truthy(req[name]) && !same(req[name], c[name]) }
	switch {
	case e.below(i, "min_context", table(c["capabilities"])["context"]):
		return refusal{reason: "min_context"}
	case other("model_family"):
		return refusal{reason: "model_family"}
	case other("tier"):
		return refusal{reason: "tier"}
	}
	if r := private(req["privacy"], c); r.reason != "" {
		return r
	}
	switch {
	case e.below(i, "min_quality", c["quality_hint"]):
		return refusal{reason: "min_quality"}
	case e.below(i, "min_tok_s", c["tok_s"]):
		return refusal{reason: "min_tok_s"}
	}
	return refusal{}
}

// lacks refuses a candidate without a capability that the request needs. Which of several is named is not defined.
func (e *evaluator) lacks(i int) refusal {
	capabilities := table(e.pool[i]["capabilities"])
	var missing []string
	for _, n := range capabilityOf {
		if e.needs()[n.need] && !truthy(capabilities[n.capability]) {
			missing = append(missing, missingCapability+n.need)
		}
	}
	if len(missing) == 0 {
		return refusal{}
	}
	return refusal{reason: missing[0], also: missing[1:]}
}

// below reports whether a value of a candidate is less than the request requires.
func (e *evaluator) below(i int, requirement string, value any) bool {
	wanted := e.ctx.requirements()[requirement]
	if !truthy(wanted) {
		return false
	}
	if value == nil {
		value = 0.0
	}
	a, isNum := value.(float64)
	b, wantsNum := wanted.(float64)
	if !isNum || !wantsNum {
		e.fail("candidate %d: %s compares something that is not a number", i, requirement)
	}
	return a < b
}

// private refuses a candidate that does not keep the privacy that the request requires.
func private(privacy any, c Candidate) refusal {
	hasTEE := truthy(c["has_tee"])
	switch {
	case same(privacy, "tee_required") && !hasTEE:
		return refusal{reason: "tee_required"}
	case same(privacy, "no_log") && !hasTEE && !truthy(c["no_log"]):
		return refusal{reason: "no_log"}
	}
	return refusal{}
}

// needs gives what the request declares to need, and what its contents show. It is worked out once: a hostile request
// can declare a great many.
func (e *evaluator) needs() map[string]bool {
	if e.needed != nil {
		return e.needed
	}
	filled := func(key string) bool {
		list, _ := e.ctx.Request[key].([]any)
		return len(list) > 0
	}
	e.needed = map[string]bool{
		"vision":    filled("images"),
		"tools":     filled("tools"),
		"json_mode": same(table(e.ctx.Request["response_format"])["type"], "json_object"),
	}
	declared, _ := e.ctx.requirements()["needs"].([]any)
	for _, need := range declared {
		if name, ok := need.(string); ok {
			e.needed[name] = true
		}
	}
	return e.needed
}
