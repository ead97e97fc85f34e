package decision

import (
	"fmt"
	"math"
	"strings"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// shownRows is where hosts cut the ranking that a trace records.
const shownRows = 10

// ranked judges the survivors in their order: each row of itself, and all of
// them against what the policy says without knowing the candidates.
func (j *judge) ranked(t *trace) {
	const field = "ranked"
	items, ok := j.elements(t.trace, field)
	if !ok {
		return
	}
	t.items, t.listed, t.total = items, true, len(items)
	if n, ok := t.trace.Get("ranked_total").Int(); ok && n > int64(t.total) {
		t.total = int(min(n, math.MaxInt32))
	}
	var bad findings
	for i, item := range items {
		row, broken, reason := rowOf(item)
		if reason == "" {
			if bad.n == 0 {
				t.rows = append(t.rows, row)
			}
			continue
		}
		if bad.room(item) {
			at, place := item, fmt.Sprintf("%s[%d]", field, i)
			if broken != "" {
				place += "." + broken
				if n := item.Get(broken); n != nil {
					at = n
				}
			}
			j.fail(place, at, "malformed-row", reason)
		}
	}
	j.rest(bad, field)

	whole := t.trace.Get(field)
	if !t.admitted {
		j.info(field, whole, "not-compared", "the order was not compared: no policy to hold it against")
		return
	}
	faults := sigmapol.CheckRanking(t.policy, t.rows, t.total)
	pinned := t.total == 1 && nothingRejected(t.trace)
	var against findings
	for _, fault := range faults {
		at, place, code := whole, field, "too-many-rows"
		if fault.Row >= 0 {
			at, place, code = items[fault.Row], fmt.Sprintf("%s[%d]", field, fault.Row), "rank-differs"
		}
		if !against.room(at) {
			continue
		}
		switch {
		case fault.Filter && pinned:
			j.warn(place, at, "filter-violated", fault.Reason+"; perhaps the request pinned it")
		case fault.Filter:
			j.fail(place, at, "filter-violated", fault.Reason)
		default:
			j.fail(place, at, code, fault.Reason)
		}
	}
	j.rest(against, field)
	if bad.n == 0 && len(faults) == 0 {
		j.ok(field, whole, "").Observed = count(len(items), "row")
	}
}

// rowOf reads a ranked row; broken is the member that is wrong, if it is one.
func rowOf(n *jsondoc.Node) (row sigmapol.Row, broken, reason string) {
	if !n.Is(jsondoc.Object) {
		return row, "", mustBe("an object", n)
	}
	for _, m := range []struct {
		name string
		into *string
	}{{"provider_id", &row.ProviderID}, {"model_family", &row.ModelFamily}, {"tier", &row.Tier}} {
		switch v := n.Get(m.name); {
		case v.Is(jsondoc.String):
			*m.into = v.Text()
		case v == nil && m.name == "provider_id" && n.Get("provider") != nil:
			return row, m.name, "is missing; a row with provider is that of a dry run, not of a trace"
		case v == nil:
			return row, m.name, "is missing"
		default:
			return row, m.name, mustBe("a string", v)
		}
	}
	v := n.Get("score")
	if !v.Is(jsondoc.Number) {
		return row, "score", mustBe("a number", v)
	}
	row.Score, _ = v.Float()
	if math.IsInf(row.Score, 0) {
		return row, "score", "the score is not a finite number"
	}
	return row, "", ""
}

func nothingRejected(trace *jsondoc.Node) bool {
	items, ok := list(trace.Get("rejected"))
	return ok && len(items) == 0
}

// rankedTotal judges the length of a ranking that was cut.
func (j *judge) rankedTotal(t *trace) {
	const field = "ranked_total"
	n := t.trace.Get(field)
	if absent(n) {
		return
	}
	total, whole := n.Int()
	switch {
	case !whole || total < 0:
		j.fail(field, n, "wrong-type", "must be a count")
	case total < int64(len(t.items)):
		j.fail(field, n, "too-small", fmt.Sprintf("is less than the %d rows that are listed", len(t.items)))
	case len(t.items) != shownRows:
		j.warn(field, n, "cut-list", fmt.Sprintf("cut list: hosts cut it to %d rows, here are %d", shownRows, len(t.items)))
	default:
		j.warn(field, n, "cut-list", fmt.Sprintf("cut list: only the first %d can be checked", shownRows))
	}
}

// rejected judges which rules dropped the other candidates.
func (j *judge) rejected(t *trace) {
	const field = "rejected"
	items, ok := j.elements(t.trace, field)
	if !ok {
		return
	}
	possible := make(map[string]bool)
	for _, reason := range sigmapol.PossibleReasons(t.policy) {
		possible[reason] = true
	}
	var bad, odd findings
	for i, item := range items {
		place := fmt.Sprintf("%s[%d]", field, i)
		reason := item.Get("reason")
		if !reason.Is(jsondoc.String) {
			if bad.room(item) {
				j.fail(place+".reason", item, "malformed-row", mustBe("a string", reason))
			}
			continue
		}
		text, documented := emitted(reason.Text())
		if text == sigmapol.ReasonPinNotFound {
			if (len(items) > 1 || t.total > 0) && bad.room(reason) {
				j.fail(place+".reason", reason, "impossible-reason", "a pinned request has this one row and ranks nothing")
			}
			continue
		}
		for _, name := range []string{"provider", "model"} {
			if n := item.Get(name); n == nil && item.Get("model_family") != nil {
				documented = true
			} else if !n.Is(jsondoc.String) && bad.room(item) {
				j.fail(place+"."+name, item, "malformed-row", mustBe("a string", n))
			}
		}
		switch {
		case t.admitted && !possible[text]:
			if bad.room(reason) {
				j.fail(place+".reason", reason, "impossible-reason", "no rule of this policy yields "+quote(reason.Text()))
			}
		case documented && odd.room(reason):
			j.warn(place+".reason", reason, "documentation-form", "documentation form, not what hosts emit")
		}
	}
	j.rest(bad, field)
	whole := t.trace.Get(field)
	switch {
	case bad.n > 0 || odd.n > 0:
	case !t.admitted && len(items) > 0:
		j.info(field, whole, "not-compared", "the reasons were not compared: no policy to hold them against")
	default:
		j.ok(field, whole, "").Observed = count(len(items), "row")
	}
}

// emitted gives the reason that a host emits for one in the form of the
// documentation, "cmp bench_intelligence ge 0.5" (Traces, rejected[]).
func emitted(reason string) (string, bool) {
	words := strings.Fields(reason)
	if len(words) < 2 {
		return reason, false
	}
	if words[0] == "cmp" && len(words) == 4 {
		words = words[:3] // the threshold is not emitted
	}
	return strings.Join(words, ":"), true
}

// count writes a number of things: "1 row", "5 rows".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
