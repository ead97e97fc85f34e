package verify

import "testing"

// A file with its kind's marks that can't be read as such is named as what it is
// (issue 10: conflict markers, BOM, truncated, empty, LFS pointer).
func TestDamageOf(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for _, tc := range []struct {
		data, code string
		line       int
	}{
		{"", "empty", 1},
		{" \r\n\t\n", "empty", 1},
		{pointer, "lfs-pointer", 1},
		{"version https://hawser.github.com/spec/v1\noid sha256:00\n", "lfs-pointer", 1},
		{"version https://git-lfs.example.com/\n", "", 0},
		{"\ufeff{}", "byte-order-mark", 1},
		{"\xff\xfe{\x00}\x00", "byte-order-mark", 1},
		{"\xfe\xff\x00{\x00}", "byte-order-mark", 1},
		{"{\n<<<<<<< HEAD\n \"a\": 1\n=======\n \"a\": 2\n>>>>>>> topic\n}\n", "conflict-markers", 2},
		{"\ufeff<<<<<<< HEAD\n1\n=======\n", "conflict-markers", 3}, // what a person has to settle first
		{"{\r\n=======\r\n}\r\n", "conflict-markers", 2},
		{"{\n  \"a\": 2\n>>>>>>> topic", "conflict-markers", 3},
		{"||||||| 1234567\n", "conflict-markers", 1},
		{`{"a": "<<<<<<< HEAD"}`, "", 0},
		{"Title\n========\n", "", 0},
		{"{}\n", "", 0},
	} {
		got := DamageOf([]byte(tc.data))
		if got.Code != tc.code || got.Line != tc.line || (got.Reason == "") != (tc.code == "") || got.Spot() != (Spot{Line: tc.line, Column: min(tc.line, 1)}) {
			t.Errorf("%q: %+v, want %q on line %d", tc.data, got, tc.code, tc.line)
		}
	}
}
