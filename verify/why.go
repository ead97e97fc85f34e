package verify

import "time"

// Why says how an input that drifted came to differ from what was recorded.
// Every string in it may be hostile: an author's name, a subject, a path, a
// value. Escape them where they are shown.
type Why struct {
	// Recorded is a version of the input that has the recorded hash; nil when
	// none was found.
	Recorded *Version `json:"recorded,omitempty"`
	// Since is the commit that last took the input away from the recorded hash;
	// nil when it could not be determined, and when no commit did it.
	Since *Version `json:"since,omitempty"`
	// Case is a stable word, one of the Case constants, for what is special;
	// empty when Since alone says it.
	Case string `json:"case,omitempty"`
	// Note says Case to a person, and what else is worth knowing, without a full
	// stop.
	Note string `json:"note,omitempty"`
	// Edits are what turns the recorded value into the present one, for an input
	// that was read as structured data; More is how many there are beyond them.
	Edits []Edit `json:"edits,omitempty"`
	More  int    `json:"more,omitempty"`
	// Unified is the difference of an input that was compared as text.
	Unified string `json:"unified,omitempty"`
	// HoldsAt is the recorded commit (40 hex digits) when the input had the
	// recorded hash there: what the evidence describes is not lost.
	HoldsAt string `json:"holds_at,omitempty"`
}

// The special cases of [Why]. Its Note says each in a sentence.
const (
	// CaseStaleFromBirth: the input had changed before the evidence was committed.
	CaseStaleFromBirth = "stale-from-birth"
	// CaseNeverMatched: no commit of the history has the recorded hash.
	CaseNeverMatched = "never-matched"
	// CaseUnavailable: "history not available (shallow clone: N commits)", or what
	// else keeps the history from being read in place of the shallow clone.
	CaseUnavailable = "history-unavailable"
	// CaseUndetermined: "not determined within N commits or T seconds".
	CaseUndetermined = "undetermined"
	// CaseUncommitted: the change is in the work tree only.
	CaseUncommitted = "uncommitted"
)

// Version is one version of an input: the file at a commit.
type Version struct {
	Commit string `json:"commit"` // 40 lower-case hex digits
	Path   string `json:"path"`   // where the file lay there
	// Author, Date (of the commit) and Subject are the commit's own.
	Author  string    `json:"author"`
	Date    time.Time `json:"date"`
	Subject string    `json:"subject"`
	// PullRequest is the number that the subject carries, or that of the merge
	// which brought the commit in; 0 when there is none.
	PullRequest int `json:"pull_request,omitempty"`
	// URL is the commit's page; empty where no server is known.
	URL string `json:"url,omitempty"`
}

// EditOp is what an [Edit] does.
type EditOp string

// The kinds of edit.
const (
	EditAdded   EditOp = "added"
	EditRemoved EditOp = "removed"
	EditChanged EditOp = "changed"
)

// Edit is one difference between two parsed values.
type Edit struct {
	// Path leads to the value: "palette.accent", "forbid[3]", `rules["a b"]`, "."
	// for the whole. Positions count from 0, in the recorded value for what was
	// removed and in the present one for everything else.
	Path string `json:"path"`
	Op   EditOp `json:"op"`
	// Count is how many neighbours in an array were added or removed together,
	// Path being that of the first; 0 means one value. Before or After is then the
	// array of them.
	Count int `json:"count,omitempty"`
	// Before and After are canonical JSON, shortened, or empty when there is no
	// such side.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}
