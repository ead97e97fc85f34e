package gate

import (
	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
	"github.com/replay-gate/replay-gate/verify/aos"
	"github.com/replay-gate/replay-gate/verify/decision"
	"github.com/replay-gate/replay-gate/verify/dvc"
	"github.com/replay-gate/replay-gate/verify/evalkit"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// Formats returns every kind of evidence that the gate knows, in the order in
// which they claim a file. It is the one list: a new kind is a line here.
func Formats() []verify.Format {
	return []verify.Format{
		ahd.Format{},
		evalkit.Format{},
		aos.Format{},
		decision.Format{},
		dvc.Format{},
		pin.Format{},
		pin.Promptfoo{},
		bundle.Format{},
	}
}

// formats are those kinds, with what the options say of some.
func (o Options) formats() []verify.Format {
	formats := Formats()
	for i, f := range formats {
		switch f := f.(type) {
		case evalkit.Format:
			f.StrictFixtures = o.StrictFixtures
			formats[i] = f
		case aos.Format:
			f.GoldenSecret = o.GoldenSecret
			formats[i] = f
		}
	}
	return formats
}
