package decision

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const notTheOne = "reported model is not the one that answered"

// reported judges the provider and model that stand around the trace: those of
// the last attempt without an error, null if there was none.
func (j *checker) reported(t *trace) {
	if !t.walkable || t.around == t.trace || t.around.Get("provider") == nil && t.around.Get("model_family") == nil {
		return
	}
	answer := t.answer()
	for _, name := range []string{"provider", "model_family"} {
		n := t.around.Get(name)
		if n == nil && !t.router {
			continue // a node of a flow has no model_family
		}
		j.report(t.label()+name, n, answer, name)
	}
}

// report compares one name that a reader gets with the answering attempt's.
func (j *checker) report(field string, n *jsondoc.Node, answer *sigmapol.Event, name string) {
	c := j.OK(field, j.doc.Spot(n), "")
	if absent(n) {
		c.Recorded = "null"
	}
	c.Observed = "null"
	agrees := absent(n)
	if answer != nil {
		want := answer.ProviderID
		if name == "model_family" {
			want = answer.ModelFamily
		}
		c.Observed = kept(want)
		agrees = n.Is(jsondoc.String) && n.Text() == want
	}
	if !agrees {
		c.Status, c.Code, c.Reason = verify.Fail, "not-the-answering-model", notTheOne
	}
}

// chosen judges the model that is named beside the ranking or, in an engine's
// result, beside the trace. No host emits it within the trace (Traces, chosen).
func (j *checker) chosen(t *trace) {
	const field = "chosen"
	n := t.chosenNode()
	if n == nil || !t.walkable {
		return
	}
	answer := t.answer()
	if absent(n) || len(n.Members()) == 0 {
		c := j.OK(field, j.doc.Spot(n), "")
		if answer != nil {
			c.Status, c.Code, c.Reason = verify.Fail, "not-the-answering-model", notTheOne
			c.Observed = kept(answer.ProviderID + " " + answer.ModelFamily)
		}
		return
	}
	judged := false
	for _, m := range [][2]string{{"provider_id", "provider"}, {"provider", "provider"}, {"model_family", "model_family"}} {
		if v := n.Get(m[0]); v != nil {
			judged = true
			j.report(field+"."+m[0], v, answer, m[1])
		}
	}
	if !judged {
		j.Fail(field, j.doc.Spot(n), "missing", "names neither provider_id nor model_family")
	}
}

func (t *trace) chosenNode() *jsondoc.Node {
	if n := t.trace.Get("chosen"); n != nil {
		return n
	}
	return t.around.Get("chosen")
}

// outcome judges the error with which an engine's result ends.
func (j *checker) outcome(t *trace) {
	n := t.around.Get("error")
	if !n.Is(jsondoc.String) || !t.walked.Complete {
		return
	}
	want := t.walked.Error
	reason := "expected " + quote(want) + ", recorded " + quote(n.Text())
	if want == "" {
		reason = "an attempt succeeded, so there is no error"
	}
	j.compare("error", n, n.Text(), want, "error-differs", reason)
}

// fallback says which of the ranked answered.
func (j *checker) fallback(t *trace) {
	if place := t.place(); place == 0 {
		j.OK("ranked[0]", j.doc.Spot(t.items[0]), "the first choice answered")
	} else if place > 0 {
		c := j.Info("ranked[0]", j.doc.Spot(t.items[0]), "fallback", fmt.Sprintf("served by fallback #%d", place))
		c.Observed = kept(t.rows[place].ProviderID + " " + t.rows[place].ModelFamily)
	}
}

// notVerifiable names what no file can show.
func (j *checker) notVerifiable(f found) {
	j.Info("started_at_ms", j.doc.Spot(f.trace.Get("started_at_ms")), "not-verifiable", "not verifiable, nor are the providers' answers")
	if cost := f.around.Get("cost_usd"); !absent(cost) {
		j.Info("x_router.cost_usd", j.doc.Spot(cost), "not-verifiable", "not verifiable")
	}
}
