package sigmapol

import (
	"cmp"
	"slices"
)

// Scored is one candidate with its score.
type Scored struct {
	Index int // of the candidate in the pool
	Score float64
}

// sel orders the scored candidates, which come in the order of the pool; chain and top_k also drop some.
func (e *evaluator) sel(s *node, scored []Scored) []Scored {
	switch s.op.name {
	case "argmax":
		return descending(scored)
	case "sample":
		return e.sample(s.num(0), descending(scored))
	case "chain":
		return e.chain(priorities(s), scored)
	case "top_k":
		ranked := e.sel(s.term(1), scored)
		if k := s.num(0); float64(len(ranked)) > k {
			ranked = ranked[:int(k)]
		}
		return ranked
	}
	return scored // ordered
}

// descending sorts by score; candidates of equal score keep their order.
func descending(scored []Scored) []Scored {
	slices.SortStableFunc(scored, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return scored
}

// sample draws without replacement. The weight of a candidate depends on its rank alone: 1, q, q·q and so on with
// q = t/(t+1). Weights come from repeated multiplication, and sums run in the order of the pool that is left, since
// other orders give other last bits (SIGMA-POL §5.3).
func (e *evaluator) sample(temperature float64, pool []Scored) []Scored {
	t := max(temperature, 0)
	q := t / (t + 1)
	weights := make([]float64, len(pool))
	for i, w := 0, 1.0; i < len(pool); i++ {
		weights[i] = w
		w = float64(w * q)
	}
	rng := newRandom(e.seed())
	drawn := make([]Scored, 0, len(pool))
	for len(pool) > 0 {
		total := 0.0
		for _, w := range weights {
			total += w
		}
		r := float64(rng.next() * total)
		pick, sum := len(pool)-1, 0.0
		for i, w := range weights {
			sum += w
			if r <= sum {
				pick = i
				break
			}
		}
		drawn = append(drawn, pool[pick])
		pool = slices.Delete(pool, pick, pick+1)
		weights = slices.Delete(weights, pick, pick+1)
	}
	return drawn
}

// priorities gives the place of each provider|family of a chain, from 1; of duplicates the last counts.
func priorities(s *node) map[string]int {
	places := make(map[string]int)
	for i, entry := range s.args[0].([]any) {
		record := table(entry)
		provider, _ := first(record, "provider", "provider_id")
		model, _ := first(record, "model", "model_family")
		places[provider+"|"+model] = i + 1
	}
	return places
}

// chain keeps the candidates on the list and scores them by their place on it. The engine's order of two candidates in
// one place is undefined; here it is that of the pool.
func (e *evaluator) chain(places map[string]int, scored []Scored) []Scored {
	var kept []Scored
	for _, s := range scored {
		if place, listed := places[e.pool[s.Index].key()]; listed {
			kept = append(kept, Scored{s.Index, -float64(place)})
		}
	}
	return descending(kept)
}
