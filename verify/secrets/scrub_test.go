package secrets

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Issue "Cassette scrubbing destroys compact JSON": it works on decoded strings and
// stops at their ends.
func TestScrub(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("0abc", 6)
	for _, tc := range []struct {
		text, want string
		n          int
	}{
		{"", "", 0},
		{"Authorization: Bearer x\nkey: " + key + "\nsaid: the bearer of news\nbody: hello\n", "[REDACTED]\nkey: [REDACTED]\nsaid: the [REDACTED] news\nbody: hello\n", 3},
		{`{"h":"Bearer abc","body":"hello","n":1}`, `{"h":"[REDACTED]","body":"hello","n":1}`, 1},
		{`{"h":"Bearer abc ","b":["sk","` + key + `x"]}`, `{"h":"[REDACTED] ","b":["sk","[REDACTED]"]}`, 2},
		{`{"h":"Bearer\u0020abc\n","u":"\u00e9"}`, `{"h":"[REDACTED]\n","u":"\u00e9"}`, 1},
		{`{"a":"\u0073k-` + key[3:] + `"}`, `{"a":"[REDACTED]"}`, 1},
		{`{"a":"x\nAuthorization: Basic y\nz"}`, `{"a":"x\n[REDACTED]\nz"}`, 1},
		{`{"a":"the bearer ","b":"bearer"}`, `{"a":"the [REDACTED]","b":"bearer"}`, 1},
		{`{"a":"the bearer\t" , "b":1}`, `{"a":"the [REDACTED]" , "b":1}`, 1},
		{"{\"a\":1}\n{\"h\":\"bearer x\"}\n\n{\"b\":2}\n", "{\"a\":1}\n{\"h\":\"[REDACTED]\"}\n\n{\"b\":2}\n", 1},
		{`{"` + key + `":1,"` + key + `1":2}`, `{"[REDACTED]":1,"[REDACTED 2]":2}`, 2},
		{`{"headers":{"Authorization":["Basic eA==","x"],"cookie":"a=b","Host":"h"},"a":"x"}`, `{"headers":{"Authorization":["[REDACTED]","[REDACTED]"],"cookie":"[REDACTED]","Host":"h"},"a":"x"}`, 3},
		{`{"a":"[REDACTED]","authorization":"[REDACTED]","cookie":{"x":"y"}}`, `{"a":"[REDACTED]","authorization":"[REDACTED]","cookie":{"x":"y"}}`, 0},
		{`{"a":"bearer sk-` + strings.Repeat("x", 30) + ` y"}`, `{"a":"[REDACTED] y"}`, 1},
	} {
		clean, n := Scrub([]byte(tc.text))
		if string(clean) != tc.want || n != tc.n {
			t.Errorf("%s: got %s, %d, want %s, %d", tc.text, clean, n, tc.want, tc.n)
		}
	}
}

// Whatever is scrubbed passes Assay's scan; JSON stays JSON, and what changes in it
// are strings.
func FuzzScrub(f *testing.F) {
	key := "sk-" + strings.Repeat("0abc", 6)
	for _, s := range []string{
		"Authorization: x", "Bearer Bearer x", key + key, "\nAuthorization:\n\nAuthorization: y", `{"a":"bearer x","authorization":["y"]}`, `["bearer ","\ud800 bearer\u0020x"]`,
		`{"cookie":{"a":[{"b":"bearer x"}],"c":"d"}}`, "\"bearer \"\n1\n", `{"a\\":"\"bearer \\"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		clean, n := Scrub(data)
		if spans := assayMatches(clean); len(spans) > 0 {
			t.Errorf("%q is scrubbed to %q: %v", data, clean, spans)
		}
		if (n > 0) != !bytes.Equal(clean, data) {
			t.Errorf("%q is scrubbed to %q: %d", data, clean, n)
		}
		if !json.Valid(data) {
			return
		}
		var before, after any
		if err := json.Unmarshal(data, &before); err != nil {
			return // nested too deeply for it
		}
		if err := json.Unmarshal(clean, &after); err != nil {
			t.Fatalf("%q is scrubbed to %q: %v", data, clean, err)
		}
		if !sameShape(before, after) {
			t.Errorf("%q is scrubbed to %q", data, clean)
		}
	})
}

// sameShape reports whether two values differ in strings only.
func sameShape(a, b any) bool {
	switch a := a.(type) {
	case string:
		_, ok := b.(string)
		return ok
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameShape(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return ok && len(a) >= len(b) // a name that stood twice, or now does
		}
		for k := range a {
			if v, ok := b[k]; ok && !sameShape(a[k], v) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
