package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// replay makes the decision again from the snapshot and compares.
func (j *judge) replay(t *trace) {
	const field = "snapshot"
	s := j.snapshot
	note := func(status verify.Status, code, reason string) {
		j.check(status, field, nil, code, reason).Input = s.path
	}
	switch {
	case !s.exists:
		note(verify.Info, "not-recomputed", "decision not recomputed: no catalog snapshot")
		return
	case s.why != "":
		note(verify.Fail, "unusable-snapshot", s.why)
		return
	case !t.admitted:
		note(verify.Info, "not-recomputed", "decision not recomputed: no policy to decide by")
		return
	}
	policy, err := sigmapol.Parse(j.doc.Raw(t.trace.Get("policy_term")), s.value.Schema)
	if err != nil {
		note(verify.Fail, "not-admissible", "the policy is not admissible under the snapshot's declarations: "+err.Error())
		return
	}
	d, err := sigmapol.Decide(policy, s.value.Candidates, s.value.Context)
	if err != nil {
		note(verify.Warn, "not-recomputed", "decision not recomputed, the snapshot leaves it open: "+err.Error())
		return
	}
	from := len(j.r.Checks)
	j.replayRejected(t, d)
	j.replayRanked(t, d)
	agrees := true
	for _, c := range j.r.Checks[from:] {
		agrees = agrees && c.Status != verify.Fail
	}
	j.replayPrice(t, d, agrees)
	for i := range j.r.Checks[from:] {
		j.r.Checks[from+i].Input = s.path
	}
}

// candidate writes one for people.
func candidate(provider, family string) string {
	return quote(provider) + " " + quote(family)
}

// rejection is one recorded row of the rejected.
type rejection struct {
	provider, family, reason string
	anyProvider              bool // the documentation's form names none
}

func rejectionOf(n *jsondoc.Node) rejection {
	r := rejection{provider: n.Get("provider").Text(), family: n.Get("model").Text()}
	if n.Get("model") == nil {
		r.family, r.anyProvider = n.Get("model_family").Text(), n.Get("provider") == nil
	}
	r.reason, _ = emitted(n.Get("reason").Text())
	return r
}

// replayRejected compares who was rejected, and why. One candidate can be in
// the pool several times, so rows that agree are paired before others.
func (j *judge) replayRejected(t *trace, d sigmapol.Decision) {
	const field = "snapshot.rejected"
	whole := t.trace.Get("rejected")
	items, ok := list(whole)
	if !ok {
		return
	}
	if len(items) > sigmapol.MaxCandidates {
		j.fail(field, whole, "rejected-differs", fmt.Sprintf("%d rows are more than the snapshot's %s", len(items), count(len(j.snapshot.value.Candidates), "candidate")))
		return
	}
	pool := j.snapshot.value.Candidates
	open := make(map[string][]int) // of d.Rejected, by family
	for i, r := range d.Rejected {
		family := ""
		if r.Index >= 0 {
			family = pool[r.Index].Family()
		}
		open[family] = append(open[family], i)
	}
	// take removes the first open rejection that r can be, and returns it.
	take := func(r rejection, sameReason bool) int {
		for k, i := range open[r.family] {
			want := d.Rejected[i]
			if want.Index >= 0 && !r.anyProvider && pool[want.Index].Provider() != r.provider {
				continue
			}
			if sameReason && r.reason != want.Reason && !slices.Contains(want.Also, r.reason) {
				continue
			}
			open[r.family] = slices.Delete(open[r.family], k, k+1)
			return i
		}
		return -1
	}
	var unpaired []int
	last, inOrder := -1, true
	for i, item := range items {
		place := take(rejectionOf(item), true)
		if place < 0 {
			unpaired = append(unpaired, i)
			continue
		}
		inOrder = inOrder && place > last
		last = place
	}
	var bad findings
	for _, i := range unpaired {
		r := rejectionOf(items[i])
		expected := "no rejection"
		if place := take(r, false); place >= 0 {
			expected = quote(d.Rejected[place].Reason)
		}
		if bad.room(items[i]) {
			j.fail(fmt.Sprintf("%s[%d]", field, i), items[i], "rejected-differs",
				fmt.Sprintf("candidate %s: expected %s, recorded %s", candidate(r.provider, r.family), expected, quote(r.reason)))
		}
	}
	missing := 0
	for i, r := range d.Rejected {
		family, provider := "", ""
		if r.Index >= 0 {
			family, provider = pool[r.Index].Family(), pool[r.Index].Provider()
		}
		if len(open[family]) == 0 || open[family][0] != i {
			continue
		}
		open[family] = open[family][1:]
		if bad.room(whole) {
			j.fail(fmt.Sprintf("%s.missing[%d]", field, missing), whole, "rejected-differs",
				fmt.Sprintf("candidate %s: expected %s, recorded no rejection", candidate(provider, family), quote(r.Reason)))
		}
		missing++
	}
	j.rest(bad, field)
	switch {
	case bad.n > 0:
	case !inOrder:
		j.warn(field, whole, "order-differs", "the same rejections, not in the order of the snapshot's candidates")
	default:
		j.ok(field, whole, "").Observed = count(len(d.Rejected), "row")
	}
}

// replayRanked compares order and scores. Candidates of one score may have
// changed places: no trace defines their order.
func (j *judge) replayRanked(t *trace, d sigmapol.Decision) {
	const field = "snapshot.ranked"
	whole := t.trace.Get("ranked")
	if len(t.rows) < len(t.items) || whole == nil {
		return
	}
	pool := j.snapshot.value.Candidates
	rowAt := func(i int) sigmapol.Row {
		c := pool[d.Ranked[i].Index]
		return sigmapol.Row{ProviderID: c.Provider(), ModelFamily: c.Family(), Tier: c.Tier()}
	}
	var bad findings
	if t.total != len(d.Ranked) && bad.room(whole) {
		j.fail(field, whole, "ranked-differs", fmt.Sprintf("expected %s, recorded %d", count(len(d.Ranked), "survivor"), t.total))
	}
	// The candidates of each score that several share, without their scores.
	tie := make(map[int]map[sigmapol.Row]int)
	for _, places := range d.Ties {
		members := make(map[sigmapol.Row]int)
		for _, i := range places {
			members[rowAt(i)]++
			tie[i] = members
		}
	}
	swapped := -1
	for i, got := range t.rows[:min(len(t.rows), len(d.Ranked))] {
		want, score := rowAt(i), d.Ranked[i].Score
		same := sigmapol.Row{ProviderID: got.ProviderID, ModelFamily: got.ModelFamily, Tier: got.Tier}
		fits := same == want
		if members := tie[i]; members != nil {
			fits = members[same] > 0
			members[same]--
			if fits && same != want && swapped < 0 {
				swapped = i
			}
		}
		if fits && near(got.Score, score) || !bad.room(t.items[i]) {
			continue
		}
		c := j.fail(fmt.Sprintf("%s[%d]", field, i), t.items[i], "ranked-differs", fmt.Sprintf("rank %d: expected %s (%s), recorded %s (%s)", i+1,
			described(want, got), number(score), described(got, want), number(got.Score)))
		c.Recorded, c.Observed = number(got.Score), number(score)
	}
	j.rest(bad, field)
	if bad.n == 0 {
		j.ok(field, whole, "").Observed = count(len(t.rows), "row")
	}
	if swapped >= 0 {
		j.warn("snapshot.ties", t.items[swapped], "tie-order", "tie order not defined by the trace")
	}
}

// described names a row, with its tier if that is what tells it from another.
func described(r, other sigmapol.Row) string {
	s := candidate(r.ProviderID, r.ModelFamily)
	if r.ProviderID == other.ProviderID && r.ModelFamily == other.ModelFamily && r.Tier != other.Tier {
		s += " of tier " + quote(r.Tier)
	}
	return s
}

// near compares scores and prices as the language's golden vectors do.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b))
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
