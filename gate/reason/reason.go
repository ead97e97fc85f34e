// Package reason says how a run ends: the exit codes, the machine-readable codes, and the
// error that carries both with the one next step.
//
// Every stage of the gate can end a run, and all of them say it alike:
//
//	return reason.Usage(reason.NoRevision, "check the spelling", "base: %w", err)
//
// A finding is never an error: it is a check, and the policy decides what it makes of the
// run.
package reason

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
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
	Drift        = "E_REPLAY_DRIFT"
	Unchecked    = "E_EVIDENCE_UNCHECKED"
	InvalidArgs  = "E_INVALID_ARGS"
	NoRepo       = "E_NOT_A_REPOSITORY"
	Unsupported  = "E_UNSUPPORTED_REPOSITORY"
	NoRevision   = "E_UNKNOWN_REVISION"
	Trigger      = "E_UNTRUSTED_TRIGGER"
	Event        = "E_EVENT_UNREADABLE"
	Parse        = "E_CFG_PARSE"
	Limit        = "E_REPLAY_LIMIT_EXCEEDED"
	Missing      = "E_REPLAY_MISSING_DEPENDENCY"
	IO           = "E_IO"
	Network      = "E_NETWORK_ERROR"
	Interruption = "E_INTERRUPTED"
	// An input requires a check run or an artifact, and the token may not make
	// it, or it is not to be had here for another reason.
	Permission = "E_PERMISSION_DENIED"
	Required   = "E_REQUIRED_UNAVAILABLE"
	// NoBase: an event names a base, it can't be had, and nothing fails without it.
	NoBase = "E_NO_BASE"
	// Lost: a file could not be had, so nobody knows whether evidence holds.
	Lost = "E_UNREADABLE"
	// Parts: the parts of a run on several machines are not all of one plan, each once.
	Parts = "E_PARTS_INCOMPLETE"
	// Changed: a file changed while the gate ran.
	Changed = "E_CHANGED_WHILE_RUNNING"
	Timeout = "E_TIMEOUT"
	// Differs: a replay does not come to the recorded verdict, or two bundles differ.
	Differs = "E_REPLAY_DIFFERS"
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

// Usage is an error of the call, of settings, or of files that a person has to mend.
func Usage(reason, next, format string, args ...any) *Error {
	return &Error{Exit: ExitUsage, Reason: reason, NextStep: next, Err: fmt.Errorf(format, args...)}
}

// Infra is an error of disk, network or repository, unless err says what it is already, or
// what to do (a repository of a form that can't be read, or that lacks something).
func Infra(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var form interface {
		NextStep() string
		Unsupported() bool
	}
	switch {
	case !errors.As(err, &form):
		return &Error{Exit: ExitInfra, Reason: IO, Err: err, NextStep: infraStep(err)}
	case form.Unsupported():
		return &Error{Exit: ExitUsage, Reason: Unsupported, Err: err, NextStep: form.NextStep()}
	}
	return &Error{Exit: ExitInfra, Reason: IO, Err: err, NextStep: form.NextStep()}
}

// infraStep is what to do about an error of the system.
func infraStep(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "run it as a user who may read and write the repository; a container runs as root unless --user says otherwise"
	case errors.Is(err, syscall.ENOSPC):
		return "make room on the disk, then run again"
	case errors.Is(err, syscall.EROFS):
		return "mount the repository so that it can be written, or check without leaving files: replay-gate verify"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "allow more open files (ulimit -n 1024), then run again"
	}
	return "check that the disk has room and that the repository is complete (git fsck), then run again"
}

// Interrupted is the error of a run whose context ended.
func Interrupted(err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Exit: ExitInfra, Reason: Timeout, Err: fmt.Errorf("time ran out: %w", err), NextStep: "give it more time with --timeout, or name the evidence to check with --evidence"}
	}
	return &Error{Exit: ExitInfra, Reason: Interruption, Err: fmt.Errorf("interrupted: %w", err), NextStep: "run it again"}
}
