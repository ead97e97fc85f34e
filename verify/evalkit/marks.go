package evalkit

import (
	"bytes"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxLook bounds how much of a file is parsed to see whose it is, in bytes.
const maxLook = 64 << 10

// Marks reports whether a file in a folder of fixtures is one, however damaged. The
// folder's name says much, so only lines that are clearly something else are not.
func (Format) Marks(_ string, data []byte) bool {
	for _, m := range []string{`"_meta"`, `"configHash"`, `"recordedAt"`} {
		if bytes.Contains(data, []byte(m)) {
			return true
		}
	}
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), "\r\n")
	first, _, _ := bytes.Cut(data, []byte("\n"))
	root := jsondoc.Parse(first[:min(len(first), maxLook)]).Root
	for _, name := range []string{"_meta", "output"} {
		if root.Get(name) != nil {
			return true
		}
	}
	return len(root.Members()) == 0 && len(root.Items()) == 0
}
