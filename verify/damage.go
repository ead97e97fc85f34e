package verify

import (
	"bytes"
	"fmt"
)

// Damage says what has happened to a file as a whole, where its bytes show it without
// a look at what they mean. The zero Damage says that nothing has.
type Damage struct {
	// Code is a stable word: "empty", "lfs-pointer", "byte-order-mark",
	// "conflict-markers"; from a parser also "truncated" or "broken-json".
	Code string
	// Reason completes the sentence "the file …".
	Reason string
	// Line and Column are where it shows, from 1.
	Line, Column int
}

// Spot is where the damage shows, for a row about it.
func (d Damage) Spot() Spot { return Spot{Line: d.Line, Column: d.Column} }

// lfsPointer is how a pointer file of Git LFS begins, in each version of its format.
var lfsPointer = [][]byte{
	[]byte("version https://git-lfs.github.com/spec/"),
	[]byte("version https://hawser.github.com/spec/"),
}

// byteOrderMarks are those of UTF-8, and of UTF-16 in both orders.
var byteOrderMarks = [][]byte{{0xEF, 0xBB, 0xBF}, {0xFF, 0xFE}, {0xFE, 0xFF}}

// conflictMarkers start the lines that a merge leaves for a person to settle. The line
// between the two sides has nothing behind it.
var conflictMarkers = [][]byte{[]byte("<<<<<<< "), []byte("||||||| "), []byte(">>>>>>> ")}

// DamageOf recognises what has become of evidence on its way through git and editors:
// nothing left of it, the pointer of Git LFS in its place, a byte order mark in front, a
// merge that nobody finished. A text that breaks off is for its parser to find.
func DamageOf(data []byte) Damage {
	if len(bytes.TrimSpace(data)) == 0 {
		return Damage{Code: "empty", Reason: "is empty", Line: 1, Column: 1}
	}
	for _, p := range lfsPointer {
		if bytes.HasPrefix(data, p) {
			return Damage{Code: "lfs-pointer", Reason: "is a Git LFS pointer, not the content it stands for: run git lfs pull", Line: 1, Column: 1}
		}
	}
	if line, marker := conflictMarker(data); line > 0 {
		return Damage{
			Code: "conflict-markers", Line: line, Column: 1,
			Reason: fmt.Sprintf("holds the conflict markers of an unfinished merge: line %d starts with %s", line, marker),
		}
	}
	for _, mark := range byteOrderMarks {
		if bytes.HasPrefix(data, mark) {
			return Damage{Code: "byte-order-mark", Reason: "starts with a byte order mark; save it without", Line: 1, Column: 1}
		}
	}
	return Damage{}
}

// conflictMarker finds the first line that is a marker; its number is 0 for none.
func conflictMarker(data []byte) (line int, marker string) {
	for text := range bytes.Lines(data) {
		line++
		if len(text) < 7 || text[0] != text[6] { // most lines
			continue
		}
		if string(bytes.TrimRight(text, "\r\n")) == "=======" {
			return line, "======="
		}
		for _, m := range conflictMarkers {
			if bytes.HasPrefix(text, m) {
				return line, string(bytes.TrimSpace(m))
			}
		}
	}
	return 0, ""
}
