package jsondoc

import (
	"fmt"
	"strings"
	"testing"
)

// What a text is can be told however damaged it is.
func TestOutline(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{`{"a": 1, "b": {"c": [{"d": 1}]}, "e": "x"}`, "[[a b e]]"},
		{`[{"a": 1}, {"b": {"c": 1}}, 7, {"d": 1}]`, "[[a] [b]]"},
		{"\ufeff\n{\"a\"\n:1}", "[[a]]"},
		{"{\n<<<<<<< HEAD\n\"a\": {\n=======\n\"b\": {\n>>>>>>> x\n\"c\": 1}}", "[[a]]"},
		{"}}{\"a\": 1}", "[]"},
		{`{"a": "x\"}", "b`, "[[a]]"},
		{"{\"a\": \"x\n\"b\": 1}", "[[a b]]"},
		{`{"a\u0062": 1, "a" "b": 1}`, `[[a\u0062 b]]`},
		{`["a", ["b"], {"c": 1}]`, "[[c]]"},
		{`"a": 1`, "[]"},
		{``, "[]"},
		{`null`, "[]"},
	} {
		if got := fmt.Sprint(Outline([]byte(tc.text), 2)); got != tc.want {
			t.Errorf("%q: %s, want %s", tc.text, got, tc.want)
		}
		for i := range tc.text {
			Outline([]byte(tc.text[:i]), 2)
		}
	}
	if got := Outline([]byte(strings.Repeat(`[{"a":1},`, 1000)), 10); len(got) != 1 {
		t.Errorf("%d elements", len(got))
	}
}
