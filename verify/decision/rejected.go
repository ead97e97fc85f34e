package decision

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// rejected judges which rules dropped the other candidates.
func (j *checker) rejected(t *trace) {
	const field = "rejected"
	items, ok := j.elements(t.trace, field)
	if !ok {
		return
	}
	possible := make(map[string]bool)
	for _, reason := range sigmapol.PossibleReasons(t.policy) {
		possible[reason] = true
	}
	var bad findings
	var documented *jsondoc.Node
	for i, item := range items {
		r := rejectionOf(item)
		if r.documented && documented == nil {
			documented = item
		}
		broken, code, reason := j.rejectedRow(t, item, r, possible)
		if reason == "" || !bad.room(item) {
			continue
		}
		at := item.Get(broken)
		if at == nil {
			at = item
		}
		j.Fail(fmt.Sprintf("%s[%d].%s", field, i, broken), j.doc.Spot(at), code, reason)
	}
	j.rest(bad, field)
	whole := t.trace.Get(field)
	if documented != nil {
		j.Info(field, j.doc.Spot(documented), "documentation-form", "rows and reasons as the page \"Traces & replay\" has them; hosts write provider, model and cmp:field:relation")
	}
	switch {
	case bad.n > 0:
	case !t.admitted && len(items) > 0:
		j.Info(field, j.doc.Spot(whole), "not-compared", "the reasons were not compared: no policy to hold them against")
	default:
		j.OK(field, j.doc.Spot(whole), "").Observed = count(len(items), "row")
	}
}

// rejectedRow says what is wrong with one row, and in which member; nothing if reason is
// empty.
func (j *checker) rejectedRow(t *trace, item *jsondoc.Node, r rejection, possible map[string]bool) (broken, code, reason string) {
	n := item.Get("reason")
	if !n.Is(jsondoc.String) {
		return "reason", "malformed-row", mustBe("a string", n)
	}
	if r.reason == sigmapol.ReasonPinNotFound {
		if len(t.trace.Get("rejected").Items()) > 1 || t.total > 0 {
			return "reason", "impossible-reason", "a pinned request has this one row and ranks nothing"
		}
		return "", "", ""
	}
	for _, name := range []string{"provider", "model"} {
		m := item.Get(name)
		if !m.Is(jsondoc.String) && (m != nil || item.Get("model_family") == nil) {
			return name, "malformed-row", mustBe("a string", m)
		}
	}
	switch {
	case !t.admitted:
	case !possible[r.reason]:
		return "reason", "impossible-reason", "no rule of this policy yields " + quote(n.Text())
	case r.threshold != nil && !sigmapol.HasThreshold(t.policy, r.field, r.relation, *r.threshold):
		return "reason", "another-threshold", "this policy compares with another number: " + quote(n.Text())
	}
	return "", "", ""
}

// rejection is one recorded row of the rejected.
type rejection struct {
	provider, family, reason string
	anyProvider              bool // the documentation's form names none
	documented               bool // the row or its reason is in that form

	field, relation string   // of a documented comparison,
	threshold       *float64 // and its number, which hosts leave out
}

func rejectionOf(n *jsondoc.Node) rejection {
	r := rejection{provider: n.Get("provider").Text(), family: n.Get("model").Text(), reason: n.Get("reason").Text()}
	if n.Get("model") == nil && n.Get("model_family") != nil {
		r.family, r.anyProvider, r.documented = n.Get("model_family").Text(), n.Get("provider") == nil, true
	}
	words := strings.Fields(r.reason)
	if len(words) < 2 {
		return r
	}
	// "cmp bench_intelligence ge 0.5" (Traces, rejected[]); hosts emit it without the
	// threshold, and with colons.
	r.documented = true
	if words[0] == "cmp" && len(words) == 4 {
		if f, err := strconv.ParseFloat(words[3], 64); err == nil {
			r.field, r.relation, r.threshold = words[1], words[2], &f
		}
		words = words[:3]
	}
	r.reason = strings.Join(words, ":")
	return r
}
