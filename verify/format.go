package verify

import (
	"context"
	"sync/atomic"
	"time"
)

// Format is one kind of evidence. Implementations hold no state: one value
// serves many goroutines and many trees.
//
// These methods are what every kind must say. What a kind may say in addition has an
// interface of its own: [Recorder], [Configurable]. All else that engine, report,
// bundle and settings need stands in the [Result].
type Format interface {
	// Kind is the stable, lower-case name of this kind, such as "ahd".
	Kind() string
	// Title names this kind for people, such as "AHD replay sidecar".
	Title() string
	// Patterns are the globs (doublestar syntax, slash-separated) of the paths
	// at which evidence of this kind lies by default.
	Patterns() []string
	// Marks reports whether data, the content of the file at path, has what marks
	// evidence of this kind, however damaged: conflict markers, a byte order mark, a
	// text that breaks off. A file without it, at a default glob, is some other tool's.
	// It is called for each file at a glob and looks at bytes; it must be cheap.
	Marks(path string, data []byte) bool
	// Verify judges e. It never fails: what can't be checked is a check. A result
	// without checks is one that nothing was checked in, and the engine says so.
	Verify(ctx context.Context, e *Evidence) Result
}

// Evidence is one piece of evidence in one tree, with all that judging it may
// depend on.
type Evidence struct {
	Path string
	Tree *Tree
	// Now is the time against which recorded times are judged.
	Now *Now
	// Strict makes unknown fields fail.
	Strict bool
	// NoHints says that nobody will read hints, so that no file need be read to
	// find one.
	NoHints bool
}

// Now is a time that notes whether anybody asked for it: a verdict that did not is the
// same tomorrow.
type Now struct {
	at    time.Time
	asked atomic.Bool
}

// At returns a [Now] that stands at t.
func At(t time.Time) *Now { return &Now{at: t} }

// Time is the time. The nil *Now is the zero time.
func (n *Now) Time() time.Time {
	if n == nil {
		return time.Time{}
	}
	n.asked.Store(true)
	return n.at
}

// Asked reports whether Time was called.
func (n *Now) Asked() bool { return n != nil && n.asked.Load() }

// Configurable is a [Format] with settings of its own in .replay-gate.yml.
type Configurable interface {
	Format
	// Settings names the key of the file under which the kind's settings stand, and
	// gives the JSON Schema of its value.
	Settings() (key, schema string)
	// Configure returns the format with the settings that decode puts into a struct
	// with yaml tags. An error says which setting is wrong, in words that follow the key.
	Configure(decode func(into any) error) (Format, error)
}

// Recorder is a [Format] whose evidence records runs that have an identity, or at
// least values that a hand may have changed since (DESIGN, section 1: run identity).
type Recorder interface {
	Format
	// Record reads what the evidence records. It is called for evidence that a change
	// touches, on both sides; evidence that can't be read records nothing.
	Record(e *Evidence) Record
}

// Record is what evidence recorded of its run, for comparison with another version of
// it. The zero Record is that of a kind, or of a file, that has none.
type Record struct {
	// Identity names the run: start time and command, seed, recording time. It is empty
	// for evidence that names none: then nothing is compared.
	Identity string
	// Subject is what the evidence is about wherever it lies, such as suite and case of
	// a fixture, by which it is found again after a move. Empty: its path alone.
	Subject string
	// Traces are what only one run can have left: provider request ids, hashes of
	// outputs, recorded responses (as hashes, never as they are). Sorted.
	Traces []string
	// Unique says that no second run can have any of Traces, however deterministic it is:
	// provider request ids. Others may come again when nothing that was pinned changed.
	Unique bool
	// Values are what was recorded, sorted by path, each path once.
	Values []Value
}

// Value is one recorded value.
type Value struct {
	// Path leads to the value: "token.hash", "models[0].n".
	Path string
	// Text is its canonical text, whole; two values are the same if their texts are.
	Text string
	// Shown is the text for a reader, shortened; empty where it must not be shown.
	Shown  string
	Weight Weight
	// Line and Column are its place in the evidence, from 1; 0 if unknown.
	Line, Column int
}

// Weight is what it means that a recorded value is another one than on the base, for the
// same run.
type Weight uint8

// The weights.
const (
	// Claimed: the evidence claims or pins it. Another value, or none, was not recorded
	// by that run.
	Claimed Weight = iota
	// Noted: the kind's specification forbids it to matter (latency, messages).
	Noted
	// Placed: the path of an input. It may change while it leads to the same content.
	Placed
	// Naming: a part of what names the run, in whole or in part: another one is another
	// run's. Of the same run only its spelling can differ, or a secret in it be masked.
	Naming
)

// Recaller is a [Format] that records of its inputs more than the hashes that package
// verify knows (see [Hashes], [Input.Value]), and can tell whether another version of one is the recorded
// one: for its history to be searched.
type Recaller interface {
	Format
	// Recall gives what tells of the content of a version of in, an input of e that names
	// the field it is for, whether the field would hold with it; nil where nothing can.
	Recall(e *Evidence, in Input) (holds func(content []byte) bool)
}

// FolderRecaller is a [Format] that records folders as a whole, by a hash of the list of
// their files, and can tell whether another state of one is the recorded one: for its history
// to be searched.
type FolderRecaller interface {
	Format
	// RecallFolder gives what tells of a tree whether row, one of e's about the folder that
	// it names as its input, would hold in it; nil where nothing can.
	RecallFolder(e *Evidence, row Check) (holds func(t *Tree) bool)
}

// SubjectComparer is a [Format] that can tell what an edit of a file means that its
// evidence vouches for (see [Input.Subject]), such as a number replaced in a report.
type SubjectComparer interface {
	Format
	// CompareSubject compares the file at path before and after a change that left the
	// recorded run as it was. It returns a row for each edit that matters, without a
	// [Location.Path]; none for one that does not.
	CompareSubject(path string, before, after []byte) []Check
}

// Placer is a [Format] whose evidence lies where a file of the tree says, besides its
// default globs: in the folder that a tool's own configuration names.
type Placer interface {
	Format
	// PatternsIn gives the globs that t adds to [Format.Patterns].
	PatternsIn(t *Tree) []string
}

// Awaiter is a [Format] that can tell whether evidence that is gone is still asked for, as
// the case of a fixture is while a configuration lists it.
type Awaiter interface {
	Format
	// Awaited names what in t still asks for the evidence that lay at path; empty for
	// nothing.
	Awaited(path string, t *Tree) (by string)
}

// Vouched is a [Format] that can tell of a file that evidence belongs beside it, by what
// the file itself holds: a report that carries the replay block of a run.
type Vouched interface {
	Format
	// VouchedPatterns are the globs of such files.
	VouchedPatterns() []string
	// VoucherOf gives the path at which the evidence of the file at path belongs; empty
	// for a file that does not speak of any.
	VoucherOf(path string, data []byte) string
}
