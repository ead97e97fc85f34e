package repo

import (
	"io/fs"
	"syscall"
)

// nonblock opens a named pipe without waiting for a writer.
const nonblock = syscall.O_NONBLOCK

// changeTime returns when the file or its attributes last changed, as the index
// records it. Unlike the modification time it can't be set back at will.
func changeTime(info fs.FileInfo) (sec, nsec uint32, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return uint32(s.Ctim.Sec), uint32(s.Ctim.Nsec), true
}
