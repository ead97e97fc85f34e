package dvc

import (
	"bytes"
	"path"
	"regexp"
	"strconv"

	"github.com/replay-gate/replay-gate/verify"
)

// lockName is the name of every lock; its pipeline lies beside it.
const (
	lockName     = "dvc.lock"
	pipelineName = "dvc.yaml"
)

// shortest is the size up to which a file of the lock's own name needs no mark: one that
// is empty, or breaks off, has none left.
const shortest = 256

// marks are lines that a lock of either version has, as far as the whole key.
var marks = regexp.MustCompile(`(?m)^(?:\x{FEFF})?(?:schema:|stages:|[ \t]+(?:cmd|deps|outs|params):|[ \t]+(?:- )?md5: *'?[0-9a-f]{8})`)

// isLock reports whether data has what marks a lock. A file named dvc.lock is no other
// tool's, so that one is only let go when it is long and has none of the marks.
func isLock(name string, data []byte) bool {
	return marks.Match(data) || path.Base(name) == lockName && (len(data) <= shortest || verify.DamageOf(data).Code != "")
}

// damaged is what has become of a pipeline or a file of parameters, if anything. DVC
// reads one that starts with a byte order mark.
func damaged(data []byte) error {
	switch d := verify.DamageOf(data); d.Code {
	case "conflict-markers", "lfs-pointer":
		return &parseError{d.Line, d.Reason}
	}
	return nil
}

// pointer is the start of a Git LFS pointer (its specification, version 1).
var pointerStart = []byte("version https://git-lfs.github.com/spec/v1")

func isPointer(data []byte) bool { return len(data) < 1024 && bytes.HasPrefix(data, pointerStart) }

var pointerSize = regexp.MustCompile(`(?m)^size ([0-9]{1,18})\r?$`)

// sizeOfPointer is the size of the file that a pointer stands for; -1 if it does not say.
func sizeOfPointer(data []byte) int64 {
	if m := pointerSize.FindSubmatch(data); m != nil {
		n, err := strconv.ParseInt(string(m[1]), 10, 64)
		if err == nil {
			return n
		}
	}
	return -1
}
