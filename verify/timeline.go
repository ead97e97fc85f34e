package verify

import "time"

// Timeline is how the inputs that evidence pins changed, and which evidence pins
// which of their versions. It is a fact about history, not a verdict. Every string
// in it may be hostile, as in [Why].
type Timeline struct {
	// Head is the commit (40 hex digits) whose evidence and inputs are meant.
	Head string `json:"head"`
	// Commits made a version of an input, the oldest first. A commit stands after
	// all those that came before it in the history of any one input.
	Commits []TimelineCommit `json:"commits"`
	// Lanes are the inputs, sorted by path.
	Lanes []Lane `json:"lanes"`
	// Notes say what is missing, without a full stop.
	Notes []string `json:"notes,omitempty"`
}

// TimelineCommit is a commit of a [Timeline].
type TimelineCommit struct {
	Commit  string    `json:"commit"` // 40 lower-case hex digits
	Author  string    `json:"author"`
	Date    time.Time `json:"date"` // when it was committed, UTC
	Subject string    `json:"subject"`
}

// Lane is one input through time.
type Lane struct {
	// Input is its path at the head, or where evidence looks for it there.
	Input string `json:"input"`
	// Missing says that the head has no such file.
	Missing bool `json:"missing,omitempty"`
	// Versions are the oldest first. The last one is what the head has.
	Versions []LaneVersion `json:"versions"`
	// Pins are sorted by evidence, then by role.
	Pins []Pin `json:"pins"`
	// Note says why older versions may be missing, without a full stop; empty when
	// the whole history was read.
	Note string `json:"note,omitempty"`
}

// LaneVersion is a version of an input: what it held after a commit.
type LaneVersion struct {
	// Commit is the place in [Timeline.Commits] of the commit that made it.
	Commit int `json:"commit"`
	// Path is where the file lay, when that is not the lane's path.
	Path string `json:"path,omitempty"`
	// Deleted: the commit removed the file.
	Deleted bool `json:"deleted,omitempty"`
}

// Pin is evidence at the head that records a hash of an input.
type Pin struct {
	Evidence string `json:"evidence"`
	Role     string `json:"role"` // as [Input.Role]
	Hash     string `json:"hash"` // as recorded
	// Version is the place in [Lane.Versions] of the newest version with that hash, of
	// its bytes or of its parsed value; -1 when none was found.
	Version int `json:"version"`
	// Drift says that the input at the head no longer has the hash.
	Drift bool `json:"drift"`
}

// Drifts counts the pins whose input has moved on.
func (l *Lane) Drifts() int {
	n := 0
	for _, p := range l.Pins {
		if p.Drift {
			n++
		}
	}
	return n
}
