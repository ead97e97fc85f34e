//go:build unix

package bundle

import (
	"io/fs"
	"syscall"
)

// owner returns who owns the file that info describes.
func owner(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}
