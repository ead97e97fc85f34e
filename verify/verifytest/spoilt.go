package verifytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// pointer is what Git LFS leaves of a file whose content it did not fetch.
const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// checkSpoilt tests that damaged evidence is never green: broken off at every byte, and as
// git, editors and shells leave files.
func (s *subject) checkSpoilt(t *testing.T, whole verify.Result) {
	data := s.data()
	for _, n := range cuts(len(data)) {
		r := s.spoil(data[:n])
		checkForm(t, fmt.Sprintf("broken off after %d bytes: ", n), r)
		if green(r) && !s.saysLess(r, whole, n) {
			t.Errorf("broken off after %d of %d bytes, and green", n, len(data))
		}
		s.format.Marks(s.path, data[:n])
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	middle := bytes.Join(lines[:len(lines)/2], nil)
	rest := data[len(middle):]
	merge := fmt.Sprintf("%s<<<<<<< HEAD\n%s=======\n%s>>>>>>> topic\n", middle, withEnd(rest), withEnd(rest))
	for what, text := range map[string]string{
		"empty":                "",
		"a line end":           "\n",
		"with byte order mark": "\ufeff" + string(data),
		"in UTF-16":            utf16le(data),
		"in a merge":           merge,
		"settled by half":      string(middle) + ">>>>>>> topic\n" + string(rest),
		"a pointer of Git LFS": pointer,
		"zeros":                strings.Repeat("\x00", len(data)),
		"null":                 "null",
		"a list":               "[]",
		"an object":            "{}",
		"a number":             "1e999",
		"a string":             `"x"`,
		"not UTF-8":            "\xff" + string(data),
	} {
		r := s.spoil([]byte(text))
		checkForm(t, what+": ", r)
		if green(r) {
			t.Errorf("%s, and green: %+v", what, r.Checks)
		}
		s.format.Marks(s.path, []byte(text))
		s.record(s.with(s.path, []byte(text)))
	}
}

// saysLess reports whether a text that breaks off may be green all the same: nothing but
// blanks are missing, or it is in a language in which half a text is a text, and less of
// it was checked.
func (s *subject) saysLess(r, whole verify.Result, n int) bool {
	data := s.data()
	if len(bytes.TrimSpace(data[n:])) == 0 {
		return true
	}
	return !json.Valid(data) && len(r.Checks) < len(whole.Checks)
}

// cuts are the lengths at which a text of size bytes breaks off: all of them, or where it
// is long those near its ends and some between.
func cuts(size int) []int {
	const near, between = 256, 256
	var all []int
	step := max(1, (size-2*near)/between)
	for n := 0; n < size; n++ {
		if n < near || n >= size-near || n%step == 0 {
			all = append(all, n)
		}
	}
	return all
}

func withEnd(text []byte) string { return strings.TrimSuffix(string(text), "\n") + "\n" }

// utf16le writes ASCII as some shells do.
func utf16le(data []byte) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range data {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}

// checkAgain tests that one verdict is like the other: in another tree, out of the tree's
// memory, and many at once.
func (s *subject) checkAgain(t *testing.T, whole verify.Result) {
	if other := s.judge(s.files); !same(whole, other) {
		t.Errorf("another tree, another verdict:\n%+v\n%+v", whole, other)
	}
	for i, r := range s.judgeIn(verify.NewTree(s.files), 16) {
		if !same(whole, r) {
			t.Fatalf("verdict %d of many at once:\n%+v\n%+v", i, whole, r)
		}
		if !reflect.DeepEqual(whole.Reads.All(), r.Reads.All()) {
			t.Fatalf("verdict %d of many at once read\n%+v\nand alone\n%+v", i, r.Reads.All(), whole.Reads.All())
		}
	}
}

// same compares all of two results but what was read.
func same(a, b verify.Result) bool {
	a.Reads, b.Reads = nil, nil
	return reflect.DeepEqual(a, b)
}
