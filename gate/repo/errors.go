package repo

import (
	"errors"
	"fmt"
)

var (
	// ErrNotRepository: no folder at or above the given one holds a usable .git.
	ErrNotRepository = errors.New("not a git work tree")
	// ErrUnsupported: the repository uses a format that this package cannot read.
	ErrUnsupported = errors.New("unsupported git repository")
	// ErrNoCommits: HEAD names a branch that has no commit yet.
	ErrNoCommits = errors.New("the current branch has no commits yet")
	// ErrNoRevision is what every [*RevisionError] is, for [errors.Is].
	ErrNoRevision = errors.New("no such revision")
	// ErrNoMergeBase: the commits that are in this repository have no ancestor in common.
	ErrNoMergeBase = errors.New("no common ancestor")
	// ErrMissingObject: a tree names an object that is not in this repository,
	// as happens in partial clones (--filter=blob:none).
	ErrMissingObject = errors.New("the object is not in this repository")
	// ErrCorruptObject: git has the object and it can't be read: its file is empty, cut off
	// or holds something else than its id says.
	ErrCorruptObject = errors.New("the object is damaged in this repository")
	// ErrSubmodule: the path is, or lies below, a submodule whose files are not at hand.
	// Nobody knows whether it is there.
	ErrSubmodule = errors.New("in a submodule whose files are not at hand (with actions/checkout: submodules: true)")
	// ErrEscapes: a symbolic link leads out of the tree, or into .git.
	ErrEscapes = error(unusable("symbolic link leaves the repository"))
	// ErrNotRegular: the path is a named pipe, socket or device.
	ErrNotRegular = error(unusable("not a regular file"))
	// ErrTooLarge: an object, or the number of files, is over the bounds of this package:
	// 64 MiB for one file, 1,000,000 entries, 64 MiB of path names and 256 folders inside one another for one tree.
	ErrTooLarge = error(unusable("too large"))
)

// RevisionError says that a revision names no commit of this repository.
type RevisionError struct {
	Rev     string // as it was asked for
	Shallow bool   // the clone is shallow: fetching more history may bring it
	Reason  string // optional, for example "ambiguous"
}

func (e *RevisionError) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = "no such commit in this repository"
	}
	if e.Shallow {
		reason += "; the clone is shallow, fetch more history (with actions/checkout: fetch-depth: 0)"
	}
	return fmt.Sprintf("revision %q: %s", e.Rev, reason)
}

// Is makes every RevisionError an [ErrNoRevision].
func (e *RevisionError) Is(target error) bool { return target == ErrNoRevision }

// unusable is an error about a file as it is: trying again, or fetching more, does not help.
// Any other error may.
type unusable string

func (e unusable) Error() string { return string(e) }

// Unusable tells such an error from one of disk, network or a missing object.
func (e unusable) Unusable() bool { return true }

// form is an error about the form that a repository has, with the one thing to do about it.
type form struct {
	error
	next    string
	unknown bool // this package can't read it: fetching more does not help
}

func (f *form) Unwrap() error { return f.error }

// NextStep is the one thing to do about it.
func (f *form) NextStep() string { return f.next }

// Unsupported tells a form that can't be read from one that lacks something.
func (f *form) Unsupported() bool { return f.unknown }

// unsupported is an [ErrUnsupported] that names the form, and says what to do.
func unsupported(next, format string, args ...any) error {
	return &form{fmt.Errorf("%w: "+format, append([]any{ErrUnsupported}, args...)...), next, true}
}
