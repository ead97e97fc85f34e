package decision

import (
	"github.com/replay-gate/replay-gate/verify"
)

// document judges the text as JSON that holds a trace, and finds the trace.
func (j *judge) document() (found, bool) {
	const field = "document"
	root := j.doc.Root
	if err := j.doc.Err; err != nil {
		// Half a trace can't be judged: its lists may have gone on.
		j.r.Unchecked = verify.Shorten("is not valid JSON: "+err.Reason, verify.MaxValue)
		c := j.fail(field, nil, "broken-json", j.r.Unchecked)
		c.Location.Line, c.Location.Column = err.Line, err.Column
		j.base()
		return found{}, false
	}
	f, claimed := locate(root)
	switch {
	case f.trace != nil:
		c := j.ok(field, f.trace, "")
		c.Observed = f.shape
		if _, flows := f.kinds(); flows {
			c.Observed += " of a flow"
		}
		for _, p := range j.doc.Problems {
			name := p.Field
			if name == "" {
				name = field
			}
			c := j.fail(name, nil, p.Code, p.Reason)
			c.Location.Line, c.Location.Column = p.Line, p.Column
		}
		return f, true
	case claimed:
		j.r.Unchecked = "no decision trace in the file"
		j.fail(field, root, "no-decision-trace", j.r.Unchecked)
	default:
		if owner := j.owner(); owner != "" {
			j.info(field, nil, "input", "not evidence of its own: an input of "+owner)
		} else {
			j.info(field, nil, "not-recognised", "not recognised: no decision trace in the file")
		}
	}
	j.base()
	return found{}, false
}

// owner is the trace that the file is the snapshot or policy of, empty if
// there is none.
func (j *judge) owner() string {
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

// base fails a file that was a trace before the change, so that no trace can
// leave the gate's sight by losing its shape.
func (j *judge) base() {
	if j.e.Base == nil || j.e.BasePath == "" {
		return
	}
	before, err := open(j.e.Base, j.e.BasePath)
	if err != nil {
		return
	}
	if f, _ := locate(before.doc.Root); f.trace != nil {
		j.fail("base.document", nil, "trace-lost", "the base has a decision trace here, and this file has none")
	}
}
