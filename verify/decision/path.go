package decision

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// path holds the attempts against the ones that the policy's fail plan
// prescribes for the errors that they met.
func (j *judge) path(t *trace) {
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
			j.fail(place, step, "malformed-event", reason)
		}
	}
	j.rest(bad, field)
	if bad.n > 0 {
		return
	}
	t.events, t.walkable = events, true
	whole := t.trace.Get(field)
	if !t.admitted || !t.listed {
		j.info(field, whole, "not-compared", "the path was not walked: no policy or no ranking to walk it by")
		return
	}
	t.walked = sigmapol.Walk(t.policy, t.rows, t.total, events)
	switch d := t.walked.Divergence; {
	case d != nil && d.Recorded == nil:
		c := j.fail(field, whole, "path-differs", d.String())
		c.Observed = clip(d.Expected.String())
	case d != nil:
		c := j.fail(fmt.Sprintf("%s[%d]", field, d.Index), steps[d.Index], "path-differs", d.String())
		c.Recorded = clip(d.Recorded.String())
		if d.Expected != nil {
			c.Observed = clip(d.Expected.String())
		}
	case !t.walked.Complete:
		c := j.info(field, whole, "cut-list", "the path goes on to candidates that the list does not show")
		c.Observed = fmt.Sprintf("%d of %s checked", t.walked.Checked, count(len(steps), "event"))
	default:
		j.ok(field, whole, "").Observed = count(len(steps), "event")
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
func (j *judge) latency(t *trace) {
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
			j.warn(field, t.steps[i], "missing", fmt.Sprintf("event %d is an attempt without its time", i+1))
			return
		case *e.LatencyMS < 0:
			j.warn(field, t.steps[i].Get("latency_ms"), "negative", fmt.Sprintf("event %d takes less than no time", i+1))
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
	case !ok:
		c = j.warn(field, whole, "no-total", "no total_latency_ms to hold the attempts against")
	case sum >= total+1: // the total is in whole milliseconds
		c = j.warn(field, whole, "longer-than-total", "attempts take longer than the total")
	default:
		c = j.ok(field, whole, "")
	}
	c.Observed = fmt.Sprintf("%.15g ms", sum)
}
