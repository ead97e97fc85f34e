package decision

import (
	"fmt"
	"math"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// path holds the attempts against the ones that the policy's fail plan
// prescribes for the errors that they met.
func (j *checker) path(t *trace) {
	const field = "decision_path"
	steps, ok := j.elements(t.trace, field)
	if !ok {
		return
	}
	t.steps = steps
	var bad findings
	events := make([]sigmapol.Event, len(steps))
	for i, step := range steps {
		var broken, reason string
		if events[i], broken, reason = eventOf(step); reason != "" && bad.room(step) {
			place := fmt.Sprintf("%s[%d]", field, i)
			if broken != "" {
				place += "." + broken
			}
			j.Fail(place, j.doc.Spot(step), "malformed-event", reason)
		}
	}
	j.rest(bad, field)
	if bad.n > 0 {
		return
	}
	t.events, t.walkable = events, true
	whole := t.trace.Get(field)
	j.families(t)
	if !t.admitted || !t.listed {
		j.cascade(t)
		return
	}
	t.walked = sigmapol.Walk(t.policy, t.rows, t.total, events)
	switch d := t.walked.Divergence; {
	case d != nil && d.Recorded == nil:
		c := j.Fail(field, j.doc.Spot(whole), "path-differs", d.String())
		c.Observed = kept(d.Expected.String())
	case d != nil:
		c := j.Fail(fmt.Sprintf("%s[%d]", field, d.Index), j.doc.Spot(steps[d.Index]), "path-differs", d.String())
		c.Recorded = kept(d.Recorded.String())
		if d.Expected != nil {
			c.Observed = kept(d.Expected.String())
		}
	case !t.walked.Complete:
		c := j.Info(field, j.doc.Spot(whole), "cut-list", "the path goes on to candidates that the list does not show")
		c.Observed = fmt.Sprintf("%d of %s checked", t.walked.Checked, count(len(steps), "event"))
	default:
		j.OK(field, j.doc.Spot(whole), "").Observed = count(len(steps), "event")
	}
}

// families fills in the family of an event in the form of the documentation, which names
// only the provider (Traces, decision_path[]), where the ranking has one family of it.
func (j *checker) families(t *trace) {
	var first *jsondoc.Node
	for i := range t.events {
		e := &t.events[i]
		if e.ModelFamily != "" || e.Event == sigmapol.ProviderDisabled || t.steps[i].Get("model_family") != nil {
			continue
		}
		family := ""
		for _, row := range t.rows {
			if row.ProviderID == e.ProviderID && family != row.ModelFamily {
				if family != "" {
					return // the provider alone does not tell
				}
				family = row.ModelFamily
			}
		}
		if e.ModelFamily = family; family != "" && first == nil {
			first = t.steps[i]
		}
	}
	if first != nil {
		j.Info("decision_path", j.doc.Spot(first), "documentation-form", "events without model_family, as the page \"Traces & replay\" has them; hosts name it")
	}
}

// cascade judges the attempts by the ranking alone ("The first is the pick; the rest are
// the cascade", Traces, ranked[]): each is of a ranked candidate, the first of the first.
func (j *checker) cascade(t *trace) {
	const field = "decision_path"
	whole := t.trace.Get(field)
	if !t.listed || len(t.rows) < len(t.items) {
		j.Info(field, j.doc.Spot(whole), "not-compared", "the path was not walked: no policy and no ranking to walk it by")
		return
	}
	ranked := func(e sigmapol.Event) int {
		return slices.IndexFunc(t.rows, func(r sigmapol.Row) bool {
			return r.ProviderID == e.ProviderID && (r.ModelFamily == e.ModelFamily || e.ModelFamily == "")
		})
	}
	var bad findings
	first := true
	for i, e := range t.events {
		if e.Event != sigmapol.Attempted && e.Event != sigmapol.Skipped {
			continue
		}
		place := ranked(e)
		at := fmt.Sprintf("%s[%d]", field, i)
		switch name := candidate(e.ProviderID, e.ModelFamily); {
		case place < 0 && t.total == len(t.rows):
			if bad.room(t.steps[i]) {
				j.Fail(at, j.doc.Spot(t.steps[i]), "not-ranked", "an attempt of "+name+", which is not among the ranked")
			}
		case first && place != 0 && bad.room(t.steps[i]):
			j.Fail(at, j.doc.Spot(t.steps[i]), "not-the-first", "the first attempt is of "+name+", and not of the first ranked")
		}
		first = false
	}
	j.rest(bad, field)
	if bad.n == 0 {
		j.Info(field, j.doc.Spot(whole), "not-walked", "each attempt is of a ranked candidate; without a policy the order of the others is open")
	}
}

// eventOf reads an event; broken is the member that is wrong, if it is one.
func eventOf(n *jsondoc.Node) (e sigmapol.Event, broken, reason string) {
	if !n.Is(jsondoc.Object) {
		return e, "", mustBe("an object", n)
	}
	for _, m := range []struct {
		name     string
		into     *string
		required bool
	}{{"event", &e.Event, true}, {"provider_id", &e.ProviderID, true}, {"model_family", &e.ModelFamily, false}, {"reason", &e.Reason, false}} {
		switch v := n.Get(m.name); {
		case v.Is(jsondoc.String):
			*m.into = v.Text()
		case !absent(v) || m.required:
			return e, m.name, mustBe("a string", v)
		}
	}
	for _, m := range []struct {
		name string
		into **float64
	}{{"attempt", &e.Attempt}, {"backoff_ms", &e.BackoffMS}, {"latency_ms", &e.LatencyMS}} {
		switch v := n.Get(m.name); {
		case v.Is(jsondoc.Number):
			f, _ := v.Float()
			*m.into = &f
		case !absent(v):
			return e, m.name, mustBe("a number", v)
		}
	}
	switch v := n.Get("error_kind"); {
	case v.Is(jsondoc.String):
		kind := v.Text()
		e.ErrorKind = &kind
	case !absent(v):
		return e, "error_kind", mustBe("a string", v)
	}
	return e, "", ""
}

// latency judges whether the attempts fit into the recorded total.
func (j *checker) latency(t *trace) {
	const field = "decision_path[].latency_ms"
	if !t.walkable {
		return
	}
	whole := t.trace.Get("total_latency_ms")
	var sum float64
	for i, e := range t.events {
		switch {
		case e.Event != sigmapol.Attempted:
		case e.LatencyMS == nil:
			j.Warn(field, j.doc.Spot(t.steps[i]), "missing", fmt.Sprintf("event %d is an attempt without its time", i+1))
			return
		case *e.LatencyMS < 0:
			j.Warn(field, j.doc.Spot(t.steps[i].Get("latency_ms")), "negative", fmt.Sprintf("event %d takes less than no time", i+1))
			return
		default:
			sum += *e.LatencyMS
		}
		if e.BackoffMS != nil {
			sum += *e.BackoffMS
		}
	}
	total, ok := whole.Float()
	var c *verify.Check
	switch {
	case !absent(whole) && (!ok || math.IsInf(total, 0)):
		c = j.Fail("total_latency_ms", j.doc.Spot(whole), "wrong-type", "must be a number of milliseconds")
	case !ok:
		c = j.Warn(field, j.doc.Spot(whole), "no-total", "no total_latency_ms to hold the attempts against")
	case sum >= total+1: // the total is in whole milliseconds
		c = j.Warn(field, j.doc.Spot(whole), "longer-than-total", "attempts take longer than the total")
	default:
		c = j.OK(field, j.doc.Spot(whole), "")
	}
	c.Observed = fmt.Sprintf("%.15g ms", sum)
}
