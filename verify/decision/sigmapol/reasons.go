package sigmapol

import (
	"maps"
	"slices"
)

// PossibleReasons lists, sorted, the reasons with which a policy, or a predicate alone, can reject a candidate. A
// recorded reason that isn't among them was not given by this policy.
func PossibleReasons(t Term) []string {
	set := make(map[string]bool)
	if p := Normalize(t).slotOf(Pred); p != nil {
		for _, part := range p.conjuncts() {
			if part.is("meets_req") {
				for _, n := range capabilityOf {
					set[missingCapability+n.need] = true
				}
				for _, r := range requirementReasons {
					set[r] = true
				}
			} else {
				set[ownReason(part)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// HasThreshold reports whether one of the tests that a policy, or a predicate alone, rejects by is cmp(field, relation,
// threshold). A reason does not name the threshold; where one is recorded beside it, it must be the policy's.
func HasThreshold(t Term, field, relation string, threshold float64) bool {
	p := Normalize(t).slotOf(Pred)
	return p != nil && slices.ContainsFunc(p.conjuncts(), func(part *node) bool {
		return part.is("cmp") && part.str(0) == field && part.str(1) == relation && part.num(2) == threshold
	})
}

// DifferingSlots compares a policy as its author wrote it with the one that a trace ran. It names the slots that differ,
// in the order of the policy: "filter", "scorer", "selector", "xform", "failplan". The filter may have grown, since
// hosts narrow it by an envelope of their own; it differs only if one of the author's tests is gone.
func DifferingSlots(written, ran Term) []string {
	written, ran = Normalize(written), Normalize(ran)
	var differ []string
	for _, slot := range []struct {
		name string
		sort Sort
	}{{"filter", Pred}, {"scorer", Scorer}, {"selector", Selector}, {"xform", Xform}, {"failplan", FailPlan}} {
		a, b := written.slotOf(slot.sort), ran.slotOf(slot.sort)
		equal := a == nil && b == nil
		if a != nil && b != nil {
			equal = string(appendNode(nil, a)) == string(appendNode(nil, b)) || slot.sort == Pred && narrows(a, b)
		}
		if !equal {
			differ = append(differ, slot.name)
		}
	}
	return differ
}

// narrows reports whether the predicate b is a and more: all its tests are there, or nothing passes b at all.
func narrows(a, b *node) bool {
	if b.is("bot") {
		return true
	}
	left := make(map[string]int)
	for _, part := range b.conjuncts() {
		left[string(appendNode(nil, part))]++
	}
	for _, part := range a.conjuncts() {
		key := string(appendNode(nil, part))
		if left[key] == 0 {
			return false
		}
		left[key]--
	}
	return true
}
