//go:build !linux

package repo

import "io/fs"

// nonblock is left out: the file's kind is checked before it is opened.
const nonblock = 0

// changeTime is known on Linux only; elsewhere size and modification time decide.
func changeTime(fs.FileInfo) (sec, nsec uint32, ok bool) { return 0, 0, false }
