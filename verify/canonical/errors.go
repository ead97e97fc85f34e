package canonical

import "fmt"

// NotValidError says that the reference rejects the text too: it is not one
// YAML document. No hash of it can have been recorded.
type NotValidError struct {
	// Line and Column count from 1. Column is 0 when only the line is known,
	// and Line is 0 when the parser named no place.
	Line, Column int
	// Reason is a short phrase for a person. It may quote yaml.v3, never the
	// text itself.
	Reason string
}

func (e *NotValidError) Error() string {
	switch {
	case e.Line == 0:
		return "not valid YAML: " + e.Reason
	case e.Column == 0:
		return fmt.Sprintf("not valid YAML: %s, line %d", e.Reason, e.Line)
	}
	return fmt.Sprintf("not valid YAML: %s, line %d, column %d", e.Reason, e.Line, e.Column)
}

// CannotJudgeError says that the text holds a construct for which this package
// can't promise the reference's value. It is not a verdict on the text, and it
// must never count as a pass.
type CannotJudgeError struct {
	// Line counts from 1. It is 0 when the construct is the whole text.
	Line int
	// Construct names what was met, such as collectionKey.
	Construct string
}

func (e *CannotJudgeError) Error() string {
	if e.Line == 0 {
		return "cannot be canonicalised: " + e.Construct
	}
	return fmt.Sprintf("cannot be canonicalised: %s, line %d", e.Construct, e.Line)
}
