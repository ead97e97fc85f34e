package ahd

import (
	"strings"
	"testing"
)

// A file without its kind's marks is some other tool's; one with them that can't be read
// is FAIL, not passed over (issue 10).
func TestMarks(t *testing.T) {
	conflict := strings.Replace(valid, `  "kind"`, "<<<<<<< HEAD\n  \"kind\"", 1)
	for name, tc := range map[string]struct {
		text string
		want bool
	}{
		"a sidecar":             {valid, true},
		"a byte order mark":     {"\ufeff" + valid, true},
		"UTF-16":                {"\xff\xfe{\x00\n\x00", true},
		"conflict markers":      {conflict, true},
		"a conflict throughout": {"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", true},
		"empty":                 {"", true},
		"blank":                 {"\n", true},
		"a pointer of Git LFS":  {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", true},
		"null":                  {"null", true},
		"nothing in it":         {"{}", true},
		"a later version":       {`{"schema_version": 2, "ahd_version": "2.0.0"}`, true},
		"spelt with escapes":    {`{"ahd\u005fversion": "1"}`, true},
		"the first field":       {`{"schema_version": 1, "kind": "eval-`, true},
		"a name that breaks":    {`{"schema_ver`, true},
		"recorded steps":        {`{"title": "Checkout", "steps": [{"type": "navigate"}]}`, false},
		"session events":        {`[{"type": 4, "data": {}}]`, false},
		"events that break off": {`{"events": [{"type": 4, "da`, false},
		"common names alone":    {`{"schema_version": 3, "kind": "match", "models": []}`, false},
	} {
		if got := (Format{}).Marks(sidecarPath, []byte(tc.text)); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for n := range len(valid) {
		if !(Format{}).Marks(sidecarPath, []byte(valid[:n])) {
			t.Fatalf("a sidecar that breaks off after %d bytes is passed over", n)
		}
	}
}
