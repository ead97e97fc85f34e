package gate

import "github.com/replay-gate/replay-gate/gate/reason"

// Error is a run that could not be completed.
type Error = reason.Error

// The exit codes (DESIGN, section 4).
const (
	ExitIntact = reason.ExitIntact
	ExitDrift  = reason.ExitDrift
	ExitUsage  = reason.ExitUsage
	ExitInfra  = reason.ExitInfra
)
