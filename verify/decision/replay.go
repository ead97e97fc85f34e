package decision

import (
	"fmt"
	"math"
	"strconv"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

// replay makes the decision again from the snapshot and compares.
func (j *checker) replay(t *trace) {
	const field = "snapshot"
	s := j.snapshot
	note := func(status verify.Status, code, reason string) {
		j.Add(status, field, verify.Spot{}, code, reason).Input = s.path
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
	from := len(j.Checks)
	j.replayRejected(t, d)
	j.replayRanked(t, d)
	agrees := true
	for _, c := range j.Checks[from:] {
		agrees = agrees && c.Status != verify.Fail
	}
	j.replayPrice(t, d, agrees)
	for i := range j.Checks[from:] {
		j.Checks[from+i].Input = s.path
	}
}

// candidate writes one for people.
func candidate(provider, family string) string {
	return quote(provider) + " " + quote(family)
}

// replayRanked compares order and scores. Candidates of one score may have
// changed places: no trace defines their order.
func (j *checker) replayRanked(t *trace, d sigmapol.Decision) {
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
		j.Fail(field, j.doc.Spot(whole), "ranked-differs", fmt.Sprintf("expected %s, recorded %d", count(len(d.Ranked), "survivor"), t.total))
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
		c := j.Fail(fmt.Sprintf("%s[%d]", field, i), j.doc.Spot(t.items[i]), "ranked-differs", fmt.Sprintf("rank %d: expected %s (%s), recorded %s (%s)", i+1,
			described(want, got), number(score), described(got, want), number(got.Score)))

		c.Recorded, c.Observed = number(got.Score), number(score)
	}
	j.rest(bad, field)
	if bad.n == 0 {
		j.OK(field, j.doc.Spot(whole), "").Observed = count(len(t.rows), "row")
	}
	if swapped >= 0 {
		j.Warn("snapshot.ties", j.doc.Spot(t.items[swapped]), "tie-order", "tie order not defined by the trace")
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
