package gate

import (
	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
	"github.com/replay-gate/replay-gate/verify/aos"
	"github.com/replay-gate/replay-gate/verify/decision"
	"github.com/replay-gate/replay-gate/verify/evalkit"
)

// Formats returns every kind of evidence that the gate knows, in the order in
// which they claim a file. It is the one list: a new kind is a line here.
func Formats(s config.Settings) []verify.Format {
	return []verify.Format{
		ahd.Format{},
		evalkit.Format{Config: s.Evalkit},
		aos.Format{Config: s.AOS},
		decision.Format{Config: s.Decision},
		bundle.Format{},
	}
}
