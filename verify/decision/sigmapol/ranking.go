package sigmapol

import (
	"fmt"
	"math"
)

// RankingFault is one way in which recorded rows contradict their policy. The reason may quote the policy; escape it
// before showing it.
type RankingFault struct {
	Row    int  // from 0; -1 if the fault is of the list as a whole
	Filter bool // the row fails a part of the filter, which the one row of a pinned request may rightly do
	Reason string
}

// maxFaults is how many faults are collected: a hostile trace can have as many as rows times tests, each quoting its
// part of the policy.
const maxFaults = 64

// CheckRanking checks recorded rows against all that a policy says of them without knowing the candidates: scores are
// finite, don't rise under argmax, and are the negative places of the chain under chain; no more rows than top_k lets
// through; and no row's provider, family or tier fails a part of the filter. ranked may be cut short; total is the
// length of the whole ranking. The first 64 faults are returned, and of the rows the first [MaxCandidates] are checked.
func CheckRanking(policy Term, ranked []Row, total int) []RankingFault {
	c := rankingCheck{policy: Normalize(policy)}
	selector := c.lengths(ranked, total)
	if len(ranked) > MaxCandidates {
		c.report(-1, "%d rows are more than %d: the rest is not checked", len(ranked), MaxCandidates)
		ranked = ranked[:MaxCandidates]
	}
	var places map[string]int
	if selector != nil && selector.is("chain") {
		places = priorities(selector)
	}
	falling := selector != nil && (selector.is("argmax") || selector.is("chain"))
	for i, row := range ranked {
		if len(c.faults) == maxFaults {
			break
		}
		if math.IsNaN(row.Score) || math.IsInf(row.Score, 0) {
			c.report(i, "the score is not a finite number")
		}
		if falling && i > 0 && row.Score > ranked[i-1].Score {
			c.report(i, "rank %d scores above rank %d", i+1, i)
		}
		if places != nil {
			c.onChain(i, row, places)
		}
		c.passes(i, row)
	}
	return c.faults
}

// rankingCheck collects the faults of one ranking.
type rankingCheck struct {
	policy Term
	faults []RankingFault
}

func (c *rankingCheck) report(row int, format string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, RankingFault{Row: row, Reason: fmt.Sprintf(format, args...)})
	}
}

// lengths checks what top_k lets through, and returns the selector behind it.
func (c *rankingCheck) lengths(ranked []Row, total int) *node {
	selector := c.policy.slotOf(Selector)
	for selector != nil && selector.is("top_k") {
		if k := selector.num(0); float64(max(total, len(ranked))) > k {
			c.report(-1, "%d candidates are ranked, the policy lets %g through", max(total, len(ranked)), k)
		}
		selector = selector.term(1)
	}
	return selector
}

// onChain checks that a row scores what its place on the chain gives.
func (c *rankingCheck) onChain(i int, row Row, places map[string]int) {
	place, listed := places[row.ProviderID+"|"+row.ModelFamily]
	switch {
	case !listed:
		c.report(i, "rank %d is not on the chain", i+1)
	case row.Score != -float64(place):
		c.report(i, "rank %d scores %g, its place on the chain gives %d", i+1, row.Score, -place)
	}
}

// passes checks that a row fails none of the filter's tests that it tells enough for.
func (c *rankingCheck) passes(i int, row Row) {
	filter := c.policy.slotOf(Pred)
	if filter == nil {
		return
	}
	for _, part := range filter.conjuncts() {
		if len(c.faults) < maxFaults && c.policy.world.judge(part, row) == no {
			c.report(i, "rank %d violates %s", i+1, appendNode(nil, part))
			c.faults[len(c.faults)-1].Filter = true
		}
	}
}

// verdict is a truth value of a test on a row, which tells only provider, family and tier.
type verdict int

const (
	unsure verdict = iota
	yes
	no
)

func judged(ok bool) verdict {
	if ok {
		return yes
	}
	return no
}

func (v verdict) not() verdict {
	return [...]verdict{unsure: unsure, yes: no, no: yes}[v]
}

func (w *world) judge(p *node, row Row) verdict {
	tier := row.Tier
	if tier == "" {
		tier = "fallback"
	}
	switch p.op.name {
	case "top":
		return yes
	case "bot":
		return no
	case "not":
		return w.judge(p.term(0), row).not()
	case "and":
		return w.fold(p, row, no)
	case "or":
		return w.fold(p, row, yes)
	case "tier_eq":
		return judged(tier == p.str(0))
	case "min_tier":
		return judged(w.tiers[tier] >= w.tiers[p.str(0)])
	case "family_eq":
		return judged(row.ModelFamily == p.str(0))
	case "provider_eq":
		return judged(row.ProviderID == p.str(0))
	}
	return unsure
}

// fold combines the arguments of and, or of or: one argument that is decisive settles it, one that is unsure leaves it
// open.
func (w *world) fold(p *node, row Row, decisive verdict) verdict {
	result := decisive.not()
	for _, arg := range p.arguments() {
		switch w.judge(arg, row) {
		case decisive:
			return decisive
		case unsure:
			result = unsure
		}
	}
	return result
}
