package sigmapol

import (
	"fmt"
	"math"
)

// Decision is what a policy makes of a pool of candidates.
type Decision struct {
	Survivors []Scored    // those that pass the filter, in the order of the pool, as the scorer scores them
	Ranked    []Scored    // as the selector orders them; a chain replaces the scores by places
	Rejected  []Rejection // in the order of the pool

	// Ties are the places in Ranked, from 0, that share a score, each set in ascending order. Their order among
	// themselves follows the order of the pool, or under a chain nothing at all: a trace that has them the other
	// way round doesn't contradict the policy unless the order of the pool was saved with it.
	Ties [][]int

	// Pinned is set when the request names its one candidate, which then skips the filter.
	Pinned bool
}

// Rejection is one candidate that the filter dropped.
type Rejection struct {
	Index  int // of the candidate in the pool; -1 when the request pins a candidate that isn't there
	Reason string

	// Also lists the reasons that could as well have been recorded: the engine checks the request's needs in an
	// undefined order, and stops at the first one that isn't met.
	Also []string
}

// ReasonPinNotFound is the reason of the one rejection when the request pins a candidate that isn't in the pool.
const ReasonPinNotFound = "pin_not_found"

// Decide filters, scores and ranks a pool under a policy, the way the engine does when a request arrives (SIGMA-POL
// §5). It evaluates the normal form. An error means that the decision can't be computed from what is given: a value of
// the wrong kind, a field without value and default, a score that is not a number, a seed beyond 2^53.
func Decide(policy Term, pool []Candidate, ctx Context) (Decision, error) {
	if policy.Sort() != Policy {
		return Decision{}, fmt.Errorf("deciding takes a term of sort Policy, not %q", policy.Sort())
	}
	if len(pool) > MaxCandidates {
		return Decision{}, fmt.Errorf("%d candidates are more than %d", len(pool), MaxCandidates)
	}
	for i, c := range pool {
		for _, key := range []string{"provider_id", "model_family"} {
			if _, ok := c[key].(string); !ok {
				return Decision{}, fmt.Errorf("candidate %d has no %s", i, key)
			}
		}
	}
	policy = Normalize(policy)

	var d Decision
	var kept []int
	if pin := ctx.requirements()["pin"]; truthy(pin) {
		d.Pinned = true
		kept, d.Rejected = pinned(table(pin), pool)
	} else {
		filter := evaluator{world: policy.world, pool: pool, ctx: ctx}
		for i := range pool {
			if r := filter.test(policy.slotOf(Pred), i); r.reason != "" {
				d.Rejected = append(d.Rejected, Rejection{Index: i, Reason: r.reason, Also: r.also})
			} else {
				kept = append(kept, i)
			}
		}
		if filter.err != nil {
			return Decision{}, fmt.Errorf("filtering: %w", filter.err)
		}
	}

	rank := evaluator{world: policy.world, ctx: ctx}
	for _, i := range kept {
		rank.pool = append(rank.pool, pool[i])
	}
	scores := rank.score(policy.slotOf(Scorer))
	scored := make([]Scored, len(kept))
	for i, v := range scores {
		if math.IsNaN(v) {
			rank.fail("the score of candidate %d is not a number, which leaves the order undefined", kept[i])
		}
		scored[i] = Scored{Index: i, Score: v}
		d.Survivors = append(d.Survivors, Scored{kept[i], v})
	}
	for _, s := range rank.sel(policy.slotOf(Selector), scored) {
		d.Ranked = append(d.Ranked, Scored{kept[s.Index], s.Score})
	}
	if rank.err != nil {
		return Decision{}, fmt.Errorf("ranking: %w", rank.err)
	}
	d.Ties = ties(d.Ranked)
	return d, nil
}

func pinned(pin map[string]any, pool []Candidate) ([]int, []Rejection) {
	for i, c := range pool {
		if same(pin["provider"], c["provider_id"]) && same(pin["model"], c["model_family"]) {
			return []int{i}, nil
		}
	}
	return nil, []Rejection{{Index: -1, Reason: ReasonPinNotFound}}
}

// ties groups the places of equal score, in the order in which the groups begin.
func ties(ranked []Scored) [][]int {
	places := make(map[float64][]int)
	for i, s := range ranked {
		places[s.Score] = append(places[s.Score], i)
	}
	var groups [][]int
	for i, s := range ranked {
		if group := places[s.Score]; len(group) > 1 && group[0] == i {
			groups = append(groups, group)
		}
	}
	return groups
}
