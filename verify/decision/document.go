package decision

import (
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// document judges the text as JSON that holds decisions, and finds them.
func (j *checker) document() []part {
	const field = "document"
	// Half a trace can't be judged: its lists may have gone on.
	if damage := j.doc.Damage(); damage.Code != "" {
		j.unreadable("evidence", damage.Spot(), damage.Code, "the file "+damage.Reason)
		return nil
	}
	all := parts(j.doc.Root)
	found := slices.ContainsFunc(all, func(p part) bool { return p.trace != nil })
	switch owner := j.owner(); {
	case found:
		j.shape(all)
		return all
	case slices.ContainsFunc(all, func(p part) bool { return p.claimed }):
		j.unreadable(field, j.doc.Spot(j.doc.Root), "no-decision-trace", "no decision trace in the file")
	case owner != "":
		j.Info(field, verify.Spot{}, "input", "not evidence of its own: an input of "+owner)
	default:
		j.unreadable(field, verify.Spot{}, "not-recognised", "is not recognised: no decision trace in the file")
	}
	return nil
}

// shape says what the file is, and what of its text is amiss.
func (j *checker) shape(all []part) {
	const field = "document"
	if list := j.doc.Root; list.Is(jsondoc.Array) {
		j.OK(field, j.doc.Spot(list), "").Observed = "a list of " + count(len(list.Items()), "decision")
		if len(list.Items()) > maxParts {
			j.Fail(field, j.doc.Spot(list.Items()[maxParts]), "too-many-decisions", fmt.Sprintf("more than %d decisions in one file: the rest is not checked", maxParts))
		}
	} else {
		c := j.OK(field, j.doc.Spot(all[0].trace), "")
		c.Observed = all[0].shape
		if _, flows := all[0].kinds(); flows {
			c.Observed += " of a flow"
		}
	}
	for _, p := range j.doc.Problems {
		name := p.Field
		if name == "" {
			name = field
		}
		j.Fail(name, verify.Spot{Line: p.Line, Column: p.Column}, p.Code, p.Reason)
	}
}

// unreadable says that the file as a whole can't be judged.
func (j *checker) unreadable(field string, at verify.Spot, code, reason string) {
	j.r.Unchecked = kept(reason)
	j.Fail(field, at, code, reason)
}

// owner is the trace that the file is the snapshot or policy of, empty if
// there is none.
func (j *checker) owner() string {
	stem, is := companion(j.e.Path)
	if !is {
		return ""
	}
	for _, ending := range []string{decisionEnding, routerEnding, jsonEnding} {
		if j.e.Tree.Exists(stem + ending) {
			return stem + ending
		}
	}
	return ""
}
