package repo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// maxIndex bounds the index: some 100 to 200 bytes for each tracked file.
const maxIndex = 128 << 20

// indexEntry is a tracked path as the index records it (gitformat-index(5)).
type indexEntry struct {
	path         string
	mode         filemode.FileMode
	id           plumbing.Hash
	changed      stamp
	modified     stamp
	size         uint32
	skipWorktree bool // left out by a sparse checkout
	unsettled    bool // in conflict, or added with --intent-to-add: id means nothing
}

// stamp is a time as the index stores it.
type stamp struct{ sec, nsec uint32 }

func stampOf(t time.Time) stamp { return stamp{uint32(t.Unix()), uint32(t.Nanosecond())} }

// index is the content of .git/index, and when it was written.
type index struct {
	entries []indexEntry // by path, each path once
	written stamp
}

var (
	errIndex      = errors.New("malformed index")
	errSplitIndex = unsupported("join the two halves: git update-index --no-split-index", "split index")
)

// readIndex reads the index of this work tree. There is none before the first
// git add. go-git's reader is not used: it knows no sparse index, and refuses
// one without a checksum (index.skipHash).
func (r *Repository) readIndex() (index, error) {
	name := filepath.Join(r.gitDir, "index")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return index{}, nil
	}
	if err != nil {
		return index{}, fmt.Errorf("reading the index: %w", err)
	}
	if info.Size() > maxIndex {
		return index{}, fmt.Errorf("reading the index: %w", ErrTooLarge)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return index{}, fmt.Errorf("reading the index: %w", err)
	}
	entries, err := parseIndex(content)
	if err != nil {
		return index{}, fmt.Errorf("reading the index: %w", err)
	}
	return index{entries, stampOf(info.ModTime())}, nil
}

// Flags of an index entry.
const (
	flagExtended     = 1 << 14
	flagStage        = 3 << 12
	flagName         = 1<<12 - 1
	flagSkipWorktree = 1 << 14 // in the extended flags
	flagIntentToAdd  = 1 << 13 // in the extended flags
)

// fixedSize is the length of an entry up to its flags.
const fixedSize = 62

func parseIndex(content []byte) ([]indexEntry, error) {
	if len(content) < 12+sha1.Size || string(content[:4]) != "DIRC" {
		return nil, errIndex
	}
	body, sum := content[:len(content)-sha1.Size], content[len(content)-sha1.Size:]
	if want := sha1.Sum(body); !bytes.Equal(sum, want[:]) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return nil, fmt.Errorf("%w: wrong checksum", errIndex)
	}
	version := binary.BigEndian.Uint32(body[4:])
	if version < 2 || version > 4 {
		return nil, unsupported("write the index in a form that can be read: git update-index --index-version 4", "index version %d", version)
	}
	count := int(binary.BigEndian.Uint32(body[8:]))
	if count > maxEntries {
		return nil, fmt.Errorf("%d files in the index: %w", count, ErrTooLarge)
	}
	entries := make([]indexEntry, 0, min(count, len(body)/fixedSize))
	rest := body[12:]
	previous, pathBytes := "", 0
	for range count {
		e, after, err := cutIndexEntry(rest, version, previous)
		if err != nil {
			return nil, err
		}
		if pathBytes += len(e.path); pathBytes > maxPathBytes {
			return nil, fmt.Errorf("path names in the index: %w", ErrTooLarge)
		}
		rest = after
		if e.path == "" {
			return nil, errSplitIndex // an entry that takes its name from the other half
		}
		if len(entries) > 0 && e.path <= previous {
			if e.path < previous || !e.unsettled {
				return nil, fmt.Errorf("%w: paths out of order", errIndex)
			}
			continue // another side of a conflict
		}
		entries = append(entries, e)
		previous = e.path
	}
	return entries, checkExtensions(rest)
}

func cutIndexEntry(b []byte, version uint32, previous string) (e indexEntry, rest []byte, err error) {
	if len(b) < fixedSize+2 {
		return e, nil, errIndex
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	e = indexEntry{
		changed:  stamp{word(0), word(4)},
		modified: stamp{word(8), word(12)},
		mode:     canonicalMode(word(24)),
		size:     word(36),
		id:       plumbing.Hash(b[40:60]),
	}
	flags := binary.BigEndian.Uint16(b[60:])
	e.unsettled = flags&flagStage != 0
	at := fixedSize
	if flags&flagExtended != 0 {
		extended := binary.BigEndian.Uint16(b[at:])
		e.skipWorktree = extended&flagSkipWorktree != 0
		e.unsettled = e.unsettled || extended&flagIntentToAdd != 0
		at += 2
	}
	keep := ""
	if version == 4 {
		// The path is what is left of the previous one, and a suffix.
		drop, n := uint64(0), 0
		for more := true; more; n++ {
			if at+n >= len(b) || n > 4 {
				return e, nil, errIndex
			}
			if n > 0 {
				drop++ // the offset encoding of gitformat-pack(5)
			}
			drop = drop<<7 | uint64(b[at+n]&0x7f)
			more = b[at+n]&0x80 != 0
		}
		at += n
		if drop > uint64(len(previous)) {
			return e, nil, errIndex
		}
		keep = previous[:len(previous)-int(drop)]
	}
	end := bytes.IndexByte(b[at:], 0)
	if end < 0 {
		return e, nil, errIndex
	}
	e.path = keep + string(b[at:at+end])
	if want := int(flags & flagName); want < flagName && want != len(e.path) {
		return e, nil, errIndex
	}
	next := at + end + 1
	if version < 4 {
		next = (at+end)/8*8 + 8 // at least one NUL, up to a multiple of eight
	}
	if next > len(b) {
		return e, nil, errIndex
	}
	return e, b[next:], nil
}

// checkExtensions makes sure that nothing after the entries changes their meaning.
// An extension in capitals is optional; "sdir" only says that entries may be folders.
func checkExtensions(b []byte) error {
	for len(b) >= 8 {
		name, size := string(b[:4]), binary.BigEndian.Uint32(b[4:])
		if uint64(size) > uint64(len(b)-8) {
			return errIndex
		}
		switch {
		case name == "link":
			return errSplitIndex
		case name[0] < 'A' || name[0] > 'Z':
			if name != "sdir" {
				return unsupported("write the index anew: rm .git/index && git reset", "index extension %q", name)
			}
		}
		b = b[8+size:]
	}
	if len(b) > 0 {
		return errIndex
	}
	return nil
}

// emptyBlob is the id of an empty file.
var emptyBlob = plumbing.NewHash("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")

// vouches reports whether a file is as it was when the index recorded it. A file that was
// modified no earlier than the index was written may have changed after it, within
// the same tick of the clock (git's "racy" entries): that has to be read.
func (x *index) vouches(old *indexEntry, info fs.FileInfo) bool {
	modified := stampOf(info.ModTime())
	racy := x.written.sec < modified.sec || x.written.sec == modified.sec && x.written.nsec <= modified.nsec
	if racy || old.unsettled || old.modified != modified || old.size != uint32(info.Size()) {
		return false
	}
	if sec, nsec, ok := changeTime(info); ok && old.changed != (stamp{}) && old.changed != (stamp{sec, nsec}) {
		return false
	}
	if old.size == 0 && old.id != emptyBlob {
		return false // git writes size 0 for an entry that was racy
	}
	return (old.mode == filemode.Symlink) == (info.Mode().Type() == fs.ModeSymlink)
}
