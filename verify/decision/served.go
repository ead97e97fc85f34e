package decision

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const servedMember = "served_model_id"

// servedNode is a place at which the id of the model that served is recorded.
type servedNode struct {
	field string
	node  *jsondoc.Node
}

// servedNodes are the recorded ids: of what was chosen, and of what stands around the
// trace (Traces, chosen: "for the model that served the call").
func (t *trace) servedNodes() []servedNode {
	var nodes []servedNode
	if n := t.chosenNode().Get(servedMember); n != nil {
		nodes = append(nodes, servedNode{"chosen." + servedMember, n})
	}
	if n := t.around.Get(servedMember); n != nil && t.around != t.trace {
		nodes = append(nodes, servedNode{t.label() + servedMember, n})
	}
	return nodes
}

// served holds the id of the model that served against the candidate that answered.
// Providers spell a family in their own way, with a vendor before it or a date behind;
// what they call it, exactly, only a snapshot knows.
func (j *checker) served(t *trace) {
	if !t.walkable {
		return
	}
	answer := t.answer()
	if chosen := t.chosenNode(); answer != nil && chosen.Is(jsondoc.Object) && len(t.servedNodes()) == 0 {
		j.Warn("chosen."+servedMember, verify.Spot{Line: j.doc.Spot(chosen).Line}, "missing", "a model answered, and its id is not recorded")
	}
	for _, s := range t.servedNodes() {
		at := j.doc.Spot(s.node)
		switch id := s.node.Text(); {
		case absent(s.node) && answer == nil:
			j.OK(s.field, at, "").Recorded = "null"
		case absent(s.node):
			j.Warn(s.field, at, "missing", "a model answered, and its id is not recorded")
		case answer == nil:
			j.Fail(s.field, at, "not-the-answering-model", "names a model, and none answered")
		case !s.node.Is(jsondoc.String):
			j.Fail(s.field, at, "wrong-type", mustBe("a string", s.node))
		default:
			j.servedFits(t, s, id, answer)
		}
	}
}

func (j *checker) servedFits(t *trace, s servedNode, id string, answer *sigmapol.Event) {
	at := j.doc.Spot(s.node)
	if known := j.servedBy(answer); len(known) > 0 {
		c := j.OK(s.field, at, "as in the snapshot")
		if !slices.Contains(known, id) {
			c.Status, c.Code, c.Reason = verify.Fail, "served-model-differs", "is another model than the snapshot's candidate"
		}
		c.Observed, c.Input = kept(strings.Join(known, ", ")), j.snapshot.path
		return
	}
	var c *verify.Check
	switch other := t.otherFamily(id, answer.ModelFamily); {
	case other != "":
		c = j.Fail(s.field, at, "another-model", "is a model of "+quote(other)+", and "+candidate(answer.ProviderID, answer.ModelFamily)+" answered")
	case fits(words(id), answer.ModelFamily):
		c = j.OK(s.field, at, "a model of the family that answered")
	default:
		c = j.Fail(s.field, at, "another-model", "is no model of "+quote(answer.ModelFamily)+", which answered; only a snapshot could show that its provider calls it so")
	}
	c.Observed = kept(answer.ModelFamily)
}

// servedBy are the ids by which the snapshot calls the candidate that answered.
func (j *checker) servedBy(answer *sigmapol.Event) []string {
	if j.several || j.snapshot.why != "" {
		return nil
	}
	var known []string
	for _, c := range j.snapshot.value.Candidates {
		id, ok := c[servedMember].(string)
		if ok && c.Provider() == answer.ProviderID && c.Family() == answer.ModelFamily && !slices.Contains(known, id) {
			known = append(known, id)
		}
	}
	return known
}

// otherFamily is a family of the trace that an id fits better than its own.
func (t *trace) otherFamily(id, own string) string {
	best, score := "", 0
	have := words(id)
	if fits(have, own) {
		score = len(words(own))
	}
	tried := make(map[string]bool)
	try := func(family string) {
		if family == own || tried[family] {
			return
		}
		tried[family] = true
		if n := len(words(family)); n > score && fits(have, family) {
			best, score = family, n
		}
	}
	for _, row := range t.rows {
		try(row.ModelFamily)
	}
	rejected, _ := list(t.trace.Get("rejected"))
	for _, n := range rejected[:min(len(rejected), sigmapol.MaxCandidates)] {
		try(rejectionOf(n).family)
	}
	return best
}

// fits reports whether all words of a family are among those of an id, as in
// "anthropic/claude-opus-4.8" those of "claude-opus-4-8".
func fits(id []string, family string) bool {
	have := slices.Clone(id)
	for _, w := range words(family) {
		i := slices.Index(have, w)
		if i < 0 {
			return false
		}
		have = slices.Delete(have, i, i+1)
	}
	return true
}

// words are the runs of letters and digits of a name, in small letters.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(verify.Shorten(name, verify.MaxValue)), func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
	})
}
