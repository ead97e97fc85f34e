package verify

import "fmt"

// Status is the result of one check, in exactly the words that people read.
type Status string

// The four statuses. Their spelling and case are a contract (DESIGN, section 1).
const (
	OK   Status = "ok"   // the recorded value holds
	Fail Status = "FAIL" // it does not hold, or it can't be judged
	Warn Status = "warn" // it holds, but something about it deserves a look
	Info Status = "info" // a fact worth knowing; neither good nor bad
)

// Check is what was found about one field of one piece of evidence.
type Check struct {
	// Field names the thing that was checked, as the evidence spells it:
	// "token.hash", "sampling.n", "models[0].id".
	Field string `json:"field"`
	// Status says whether the recorded value holds.
	Status Status `json:"status"`
	// Code is a stable, machine-readable word for the reason, such as
	// "hash-differs". It is empty when there is nothing to say.
	Code string `json:"code,omitempty"`
	// Reason is one sentence for a person, without a full stop.
	Reason string `json:"reason,omitempty"`
	// Recorded is the value in the evidence, as text; never longer than
	// [MaxValue] bytes.
	Recorded string `json:"recorded,omitempty"`
	// Observed is what the tree says instead, or confirms; as Recorded.
	Observed string `json:"observed,omitempty"`
	// Hint is the one next step that the evidence itself suggests, such as the
	// place a missing input moved to. It is advice, not part of the verdict:
	// a replay of the verdict ignores it, because it may rest on files that
	// no bundle carries.
	Hint string `json:"hint,omitempty"`
	// Command is the command of the hint, one element a word; nil when the hint is
	// advice without one. Nobody runs it unasked.
	Command []string `json:"command,omitempty"`
	// Unproven says that the row does not tell whether the value holds, for want of files
	// that nobody has to commit. Where it held on the base, it is taken to hold no longer.
	Unproven bool `json:"-"`
	// Follows is what a FAIL means beyond its field, in a sentence without a full stop, such as
	// the results that still show the old run. A cause says it once for all of its rows.
	Follows string `json:"-"`
	// Input is the path of the input this check is about, or empty.
	Input string `json:"input,omitempty"`
	// Location is where the field stands in the evidence.
	Location Location `json:"location"`
}

// Location is a place in a file of the tree. Line and Column count from 1, in
// lines ended by LF and in Unicode characters; 0 means that there is no better
// place than the file as a whole.
type Location struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String gives "path:line:column", leaving out what is 0.
func (l Location) String() string {
	switch {
	case l.Line == 0:
		return l.Path
	case l.Column == 0:
		return fmt.Sprintf("%s:%d", l.Path, l.Line)
	}
	return fmt.Sprintf("%s:%d:%d", l.Path, l.Line, l.Column)
}

// MaxValue bounds a recorded or observed value in a check, in bytes. A 5 MB
// argv must not travel through every rendering.
const MaxValue = 1024
