package decision

import (
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// pairing pairs the recorded rejections with those that the policy makes.
type pairing struct {
	pool []sigmapol.Candidate
	made []sigmapol.Rejection
	open map[string][]int // those of made that have no recorded one yet, by family
}

func newPairing(pool []sigmapol.Candidate, made []sigmapol.Rejection) *pairing {
	p := &pairing{pool, made, make(map[string][]int)}
	for i := range made {
		_, family := p.names(i)
		p.open[family] = append(p.open[family], i)
	}
	return p
}

// names are the provider and the family of a rejection; none for a pin that is not found.
func (p *pairing) names(i int) (provider, family string) {
	if k := p.made[i].Index; k >= 0 {
		return p.pool[k].Provider(), p.pool[k].Family()
	}
	return "", ""
}

// take removes the first open rejection that r can be, and returns it; -1 if there is
// none.
func (p *pairing) take(r rejection, sameReason bool) int {
	for k, i := range p.open[r.family] {
		made := p.made[i]
		if provider, _ := p.names(i); made.Index >= 0 && !r.anyProvider && provider != r.provider {
			continue
		}
		if sameReason && r.reason != made.Reason && !slices.Contains(made.Also, r.reason) {
			continue
		}
		p.open[r.family] = slices.Delete(p.open[r.family], k, k+1)
		return i
	}
	return -1
}

// left are the rejections that nothing was paired with, in order.
func (p *pairing) left() []int {
	var left []int
	for _, open := range p.open {
		left = append(left, open...)
	}
	slices.Sort(left)
	return left
}

// replayRejected compares who was rejected, and why. One candidate can be in
// the pool several times, so rows that agree are paired before others.
func (j *checker) replayRejected(t *trace, d sigmapol.Decision) {
	const field = "snapshot.rejected"
	whole := t.trace.Get("rejected")
	items, ok := list(whole)
	if !ok {
		return
	}
	pool := j.snapshot.value.Candidates
	if len(items) > sigmapol.MaxCandidates {
		j.Fail(field, j.doc.Spot(whole), "rejected-differs", fmt.Sprintf("%d rows are more than the snapshot's %s", len(items), count(len(pool), "candidate")))
		return
	}
	pairs := newPairing(pool, d.Rejected)
	var unpaired []int
	last, inOrder := -1, true
	for i, item := range items {
		place := pairs.take(rejectionOf(item), true)
		if place < 0 {
			unpaired = append(unpaired, i)
			continue
		}
		inOrder = inOrder && place > last
		last = place
	}
	switch {
	case j.unpaired(pairs, items, unpaired, whole):
	case !inOrder:
		j.Warn(field, j.doc.Spot(whole), "order-differs", "the same rejections, not in the order of the snapshot's candidates")
	default:
		j.OK(field, j.doc.Spot(whole), "").Observed = count(len(d.Rejected), "row")
	}
}

// unpaired fails the recorded rows that the policy does not make, and the rows that it
// makes and nobody recorded; it reports whether there are any.
func (j *checker) unpaired(pairs *pairing, items []*jsondoc.Node, unpaired []int, whole *jsondoc.Node) bool {
	const field = "snapshot.rejected"
	var bad findings
	for _, i := range unpaired {
		r := rejectionOf(items[i])
		expected := "no rejection"
		if place := pairs.take(r, false); place >= 0 {
			expected = quote(pairs.made[place].Reason)
		}
		if bad.room(items[i]) {
			j.Fail(fmt.Sprintf("%s[%d]", field, i), j.doc.Spot(items[i]), "rejected-differs",
				fmt.Sprintf("candidate %s: expected %s, recorded %s", candidate(r.provider, r.family), expected, quote(r.reason)))
		}
	}
	for missing, i := range pairs.left() {
		if bad.room(whole) {
			j.Fail(fmt.Sprintf("%s.missing[%d]", field, missing), j.doc.Spot(whole), "rejected-differs",
				fmt.Sprintf("candidate %s: expected %s, recorded no rejection", candidate(pairs.names(i)), quote(pairs.made[i].Reason)))
		}
	}
	j.rest(bad, field)
	return bad.n > 0
}
