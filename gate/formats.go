package gate

import (
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// Formats returns every kind of evidence that the gate knows, in the order in
// which they claim a file. It is the one list: a new kind is a line here.
func Formats() []verify.Format {
	return []verify.Format{
		ahd.Format{},
	}
}
