package ahd

import (
	"bytes"
	"slices"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// marks are members that no other tool's recordings have (AHD replay, Fields).
var marks = []string{"ahd_version", "ahd_commit", requestIDs}

// maxLook bounds how much of a file is parsed to see whose it is, in bytes.
const maxLook = 64 << 10

// Marks reports whether a file by the name of a sidecar is one, however damaged. The
// name says much, so only what is clearly another tool's is not: a recording of a
// browser session is an object too, and none of its members is a sidecar's own.
func (Format) Marks(_ string, data []byte) bool {
	for _, m := range marks {
		if bytes.Contains(data, []byte(`"`+m+`"`)) {
			return true
		}
	}
	doc := jsondoc.Parse(bytes.TrimPrefix(data[:min(len(data), maxLook)], []byte("\ufeff")))
	members := doc.Root.Members()
	if len(members) == 0 {
		return len(doc.Root.Items()) == 0 // empty, a pointer, a merge: nothing says whose it is
	}
	for _, m := range members {
		switch {
		case slices.Contains(marks, m.Name):
			return true // spelt with escapes
		case doc.Err == nil:
		case !slices.Contains(known[""], m.Name):
			return false
		}
	}
	return doc.Err != nil
}
