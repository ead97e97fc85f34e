package decision

import (
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// trace is one decision, as far as it has been read.
type trace struct {
	found

	policy   sigmapol.Term // in normal form
	encoded  []byte        // its canonical bytes
	admitted bool          // policy is one
	unknown  bool          // policy may be a good one for a newer engine

	rows   []sigmapol.Row  // well-formed ranked rows, up to the first that isn't
	items  []*jsondoc.Node // all of them
	listed bool            // there is a list of them
	total  int             // length of the whole ranking, of which rows is the beginning

	events   []sigmapol.Event // the whole decision path
	steps    []*jsondoc.Node  // its elements
	walkable bool             // events could be read
	walked   sigmapol.Walked
}

// label starts the names of fields that stand around the trace.
func (t *trace) label() string {
	if t.router {
		return "x_router."
	}
	return ""
}

// answer is the last attempt without an error; nil if there is none.
func (t *trace) answer() *sigmapol.Event {
	for i := len(t.events) - 1; i >= 0; i-- {
		if e := &t.events[i]; e.Event == sigmapol.Attempted && e.ErrorKind == nil {
			return e
		}
	}
	return nil
}

// place is the rank, from 0, of the candidate that answered; -1 if none did or
// it isn't among the rows.
func (t *trace) place() int {
	answer := t.answer()
	if answer == nil {
		return -1
	}
	if t.walked.Answered >= 0 {
		return t.walked.Answered
	}
	for i, row := range t.rows {
		if row.ProviderID == answer.ProviderID && row.ModelFamily == answer.ModelFamily {
			return i
		}
	}
	return -1
}
