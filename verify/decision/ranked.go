package decision

import (
	"fmt"
	"math"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// shownRows is where hosts cut the ranking that a trace records.
const shownRows = 10

// ranked judges the survivors in their order: each row of itself, and all of
// them against the policy. An engine that knew no such profile ranked nothing.
func (j *checker) ranked(t *trace) {
	const field = "ranked"
	if why := t.around.Get("error"); t.failedEarly() {
		j.Info(field, j.doc.Spot(why), "nothing-ranked", "the engine failed before it ranked anything")
		return
	}
	items, ok := j.elements(t.trace, field)
	if !ok {
		return
	}
	t.items, t.listed, t.total = items, true, len(items)
	if n, ok := t.trace.Get("ranked_total").Int(); ok && n > int64(t.total) {
		t.total = int(min(n, math.MaxInt32))
	}
	wellFormed := j.rankedRows(t)
	whole := t.trace.Get(field)
	if !t.admitted {
		j.Info(field, j.doc.Spot(whole), "not-compared", "the order was not compared: no policy to hold it against")
	} else if j.rankedOrder(t) && wellFormed {
		j.OK(field, j.doc.Spot(whole), "").Observed = count(len(items), "row")
	}
}

// failedEarly says that an engine's result is that of a failure before any ranking: no
// such profile.
func (t *trace) failedEarly() bool {
	path, _ := list(t.trace.Get("decision_path"))
	return t.trace.Get("ranked") == nil && t.trace.Get("policy_term") == nil && len(path) == 0 &&
		t.around.Get("error").Is(jsondoc.String) && t.around.Get("ok").Text() == "false"
}

// rankedRows reads the rows up to the first that is none, and reports whether all are.
func (j *checker) rankedRows(t *trace) bool {
	const field = "ranked"
	var bad findings
	var documented *jsondoc.Node
	for i, item := range t.items {
		row, broken, reason := rowOf(item)
		if reason == "" {
			if bad.n == 0 {
				t.rows = append(t.rows, row)
			}
			if documented == nil && item.Get("provider_id") == nil {
				documented = item
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
			j.Fail(place, j.doc.Spot(at), "malformed-row", reason)
		}
	}
	j.rest(bad, field)
	if documented != nil {
		j.Info(field, j.doc.Spot(documented), "documentation-form", "rows with provider, as the page \"Traces & replay\" has them; hosts write provider_id")
	}
	return bad.n == 0
}

// rankedOrder holds the rows against what the policy says without knowing the candidates,
// and reports whether they can be its.
func (j *checker) rankedOrder(t *trace) bool {
	const field = "ranked"
	whole := t.trace.Get(field)
	faults := sigmapol.CheckRanking(t.policy, t.rows, t.total)
	pinned := t.total == 1 && nothingRejected(t.trace)
	var against findings
	for _, fault := range faults {
		at, place, code := whole, field, "too-many-rows"
		if fault.Row >= 0 {
			at, place, code = t.items[fault.Row], fmt.Sprintf("%s[%d]", field, fault.Row), "rank-differs"
		}
		if !against.room(at) {
			continue
		}
		switch {
		case fault.Filter && pinned:
			j.Warn(place, j.doc.Spot(at), "filter-violated", fault.Reason+"; perhaps the request pinned it")
		case fault.Filter:
			j.Fail(place, j.doc.Spot(at), "filter-violated", fault.Reason)
		default:
			j.Fail(place, j.doc.Spot(at), code, fault.Reason)
		}
	}
	j.rest(against, field)
	return len(faults) == 0
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
		case v == nil && m.name == "provider_id" && n.Get("provider").Is(jsondoc.String):
			*m.into = n.Get("provider").Text() // the documentation's row (Traces, ranked[])
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
func (j *checker) rankedTotal(t *trace) {
	const field = "ranked_total"
	n := t.trace.Get(field)
	if absent(n) {
		return
	}
	total, whole := n.Int()
	switch {
	case !whole || total < 0:
		j.Fail(field, j.doc.Spot(n), "wrong-type", "must be a count")
	case total < int64(len(t.items)):
		j.Fail(field, j.doc.Spot(n), "too-small", fmt.Sprintf("is less than the %d rows that are listed", len(t.items)))
	case len(t.items) != shownRows:
		j.Warn(field, j.doc.Spot(n), "cut-list", fmt.Sprintf("cut list: hosts cut it to %d rows, here are %d", shownRows, len(t.items)))
	default:
		j.Warn(field, j.doc.Spot(n), "cut-list", fmt.Sprintf("cut list: only the first %d can be checked", shownRows))
	}
}
