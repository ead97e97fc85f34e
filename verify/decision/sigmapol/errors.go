package sigmapol

import (
	"errors"
	"fmt"
)

// ErrVersion1 marks an [*AdmissionError] for a term that is not damaged but belongs to sigma-pol/v1: a policy of six
// slots, the first of which is evidence, or an operation that v2 removed.
var ErrVersion1 = errors.New("a sigma-pol/v1 term")

// AdmissionError says why a term is not admissible under sigma-pol/v2, and where.
type AdmissionError struct {
	Path    string // from the root, for example "$.policy[1].and[2]"; arguments count from 1
	Message string // in the words of the reference engine; may quote the term, so escape it before showing it
	cause   error
}

func (e *AdmissionError) Error() string { return e.Path + ": " + e.Message }

// Unwrap gives [ErrVersion1] for a term of that version, and otherwise nil.
func (e *AdmissionError) Unwrap() error { return e.cause }

// UnknownOperationError says that a term uses an operation this package does not know. Operations are only ever added
// within a major version, so the term may be a good one for a newer engine: it can't be verified, but it isn't wrong.
type UnknownOperationError struct {
	Path      string
	Operation string // as written in the term; escape it before showing it
}

func (e *UnknownOperationError) Error() string {
	return fmt.Sprintf("%s: unknown op '%s'", e.Path, e.Operation)
}
