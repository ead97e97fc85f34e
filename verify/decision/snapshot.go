package decision

import (
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

// maxSnapshot bounds a snapshot, in bytes. The largest pool that can be
// decided on, [sigmapol.MaxCandidates] of common size, takes half of it.
const maxSnapshot = 4 << 20

// snapshot is what a decision was made from, if that was saved beside it.
type snapshot struct {
	path   string
	exists bool
	value  sigmapol.Snapshot
	why    string // the file can't be used
}

func readSnapshot(tree *verify.Tree, name string) snapshot {
	s := snapshot{path: name, exists: tree.Exists(name)}
	if !s.exists {
		return s
	}
	data, err := tree.ReadFile(name, maxSnapshot)
	if err != nil {
		s.why = "the snapshot could not be read: " + verify.ReadReason(err)
		return s
	}
	if s.value, err = sigmapol.DecodeSnapshot(data); err != nil {
		s.why = err.Error()
	}
	return s
}
