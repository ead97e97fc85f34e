package gate

import (
	"errors"
	"fmt"
	"io/fs"
)

// Exit codes (DESIGN, section 4). A usage error never looks like drift.
const (
	ExitIntact = 0 // intact, or nothing affected, or nothing the policy fails on
	ExitDrift  = 1 // drift that the policy fails on
	ExitUsage  = 2 // usage, configuration, unreadable or unsupported evidence
	ExitInfra  = 3 // network, API, disk
)

// Reason codes: the stable, machine-readable cause of a non-zero exit. Those
// that Assay knows keep Assay's spelling (Replay Bundle v1, section 5.3).
const (
	ReasonDrift       = "E_REPLAY_DRIFT"
	ReasonUnchecked   = "E_EVIDENCE_UNCHECKED"
	ReasonInvalidArgs = "E_INVALID_ARGS"
	ReasonNoRepo      = "E_NOT_A_REPOSITORY"
	ReasonNoRevision  = "E_UNKNOWN_REVISION"
	ReasonTrigger     = "E_UNTRUSTED_TRIGGER"
	ReasonEvent       = "E_EVENT_UNREADABLE"
	ReasonParse       = "E_CFG_PARSE"
	ReasonLimit       = "E_REPLAY_LIMIT_EXCEEDED"
	ReasonMissing     = "E_REPLAY_MISSING_DEPENDENCY"
	ReasonIO          = "E_IO"
	ReasonNetwork     = "E_NETWORK_ERROR"
	ReasonInterrupted = "E_INTERRUPTED"
	// An input requires a check run or an artifact, and the token may not make
	// it, or it is not to be had here for another reason.
	ReasonPermission = "E_PERMISSION_DENIED"
	ReasonRequired   = "E_REQUIRED_UNAVAILABLE"
)

// Error is a run that could not be completed: what to exit with, why, and the
// one next step.
type Error struct {
	Exit     int
	Reason   string
	NextStep string
	Err      error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func usageError(reason, next, format string, args ...any) *Error {
	return &Error{Exit: ExitUsage, Reason: reason, NextStep: next, Err: fmt.Errorf(format, args...)}
}

func infraError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	next := "check that the disk has room and that the repository is complete (git fsck), then run again"
	if errors.Is(err, fs.ErrPermission) {
		next = "run it as a user who may read and write the repository; a container runs as root unless --user says otherwise"
	}
	return &Error{Exit: ExitInfra, Reason: ReasonIO, Err: err, NextStep: next}
}
