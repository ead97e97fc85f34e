package decision

import (
	"strings"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// prices are the members that hold the price of the answering candidate, or
// what it was made from.
var prices = []string{"price_in", "price_out", "raw_price_in", "raw_price_out", "price_multiplier"}

// replayPrice compares the reported price with that of the candidate that
// answered. rankedAgrees says that the ranking is the snapshot's, so that the
// rank tells which of several candidates of one name it was.
func (j *checker) replayPrice(t *trace, d sigmapol.Decision, rankedAgrees bool) {
	candidates := j.answering(t, d, rankedAgrees)
	if len(candidates) == 0 {
		return
	}
	for _, source := range []struct {
		field string
		node  *jsondoc.Node
	}{{"snapshot.price", t.chosenNode()}, {"snapshot.x_router.price", t.routerNode()}} {
		var recorded []string
		for _, name := range prices {
			if source.node.Get(name).Is(jsondoc.Number) {
				recorded = append(recorded, name)
			}
		}
		if len(recorded) == 0 {
			continue
		}
		var best []string // the members that differ from the candidate that fits best
		for i, c := range candidates {
			var differ []string
			for _, name := range recorded {
				want, known := j.price(c, name)
				if got, _ := source.node.Get(name).Float(); known && !near(got, want) {
					differ = append(differ, name)
				}
			}
			if i == 0 || len(differ) < len(best) {
				best = differ
				candidates[0], candidates[i] = candidates[i], candidates[0]
			}
		}
		if len(best) > 0 {
			j.Fail(source.field, j.doc.Spot(source.node.Get(best[0])), "price-differs", "price differs from the snapshot")
			recorded = best
		} else {
			j.OK(source.field, j.doc.Spot(source.node), "")
		}
		var got, want []string
		for _, name := range recorded {
			if v, known := j.price(candidates[0], name); known {
				got = append(got, name+" "+shown(source.node.Get(name)))
				want = append(want, name+" "+number(v))
			}
		}
		c := &j.Checks[len(j.Checks)-1]
		c.Recorded, c.Observed = kept(strings.Join(got, ", ")), kept(strings.Join(want, ", "))
	}
}

// routerNode is the x_router that names prices, nil if there is none.
func (t *trace) routerNode() *jsondoc.Node {
	if !t.router {
		return nil
	}
	return t.around
}

// price is what the snapshot has for a member of a candidate. A price that the
// candidate lacks is that of the averages (SIGMA-POL §3).
func (j *checker) price(c sigmapol.Candidate, member string) (float64, bool) {
	if v, ok := c[member].(float64); ok {
		return v, true
	}
	averages, _ := j.snapshot.value.Context.State["ema"].(map[string]any)
	own, _ := averages[c.Provider()+"|"+c.Family()].(map[string]any)
	v, ok := own[member].(float64)
	return v, ok
}

// answering are the candidates that the answering one can be.
func (j *checker) answering(t *trace, d sigmapol.Decision, rankedAgrees bool) []sigmapol.Candidate {
	answer := t.answer()
	if answer == nil {
		return nil
	}
	is := func(c sigmapol.Candidate) bool {
		return c.Provider() == answer.ProviderID && c.Family() == answer.ModelFamily
	}
	pool := j.snapshot.value.Candidates
	var found []sigmapol.Candidate
	if place := t.place(); rankedAgrees && place >= 0 && place < len(d.Ranked) {
		for _, s := range d.Ranked {
			if s.Score == d.Ranked[place].Score && is(pool[s.Index]) {
				found = append(found, pool[s.Index])
			}
		}
		return found
	}
	for _, c := range pool {
		if is(c) {
			found = append(found, c)
		}
	}
	return found
}
