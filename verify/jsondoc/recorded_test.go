package jsondoc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Every scalar, and what is empty, with the path that leads to it, its place, and a text that
// is equal for equal values.
func TestRecorded(t *testing.T) {
	t.Parallel()
	doc := Parse([]byte(`{"n": 1.50e2, "s": "a\tb", "": {"a.b": true}, "o": {}, "l": [[], null, {"x": 1}], "n": 150, "no": 1}`))
	var got []string
	for _, v := range doc.Recorded(doc.Root, func(path string) (verify.Weight, bool) { return verify.Noted, path != "no" }) {
		got = append(got, fmt.Sprintf("%s = %s, %q at %d", v.Path, v.Text, v.Shown, v.Column))
		if v.Weight != verify.Noted || v.Line != 1 {
			t.Errorf("%+v", v)
		}
	}
	want := []string{
		`[""]["a.b"] = true, "true" at 40`, `l[0] = [], "[]" at 62`, `l[1] = null, "null" at 66`, `l[2].x = 1, "1" at 78`,
		`n = 150, "150" at 88`, `o = {}, "{}" at 52`, `s = "a\tb", "a\tb" at 20`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is compared of one document is bounded.
func TestRecordedIsBounded(t *testing.T) {
	t.Parallel()
	doc := Parse([]byte("[" + strings.Repeat("0,", maxRecorded) + "0]"))
	all := func(string) (verify.Weight, bool) { return verify.Claimed, true }
	if n := len(doc.Recorded(doc.Root, all)); n != maxRecorded {
		t.Errorf("%d values", n)
	}
}

// What is not there has no place, in a document and in none.
func TestSpotOfNothing(t *testing.T) {
	t.Parallel()
	doc := Parse([]byte(`{"a": "b"}`))
	for _, got := range []verify.Spot{doc.Spot(nil), (*Document)(nil).Spot(doc.Root), (*Document)(nil).Spot(nil)} {
		if got != (verify.Spot{}) {
			t.Errorf("%+v", got)
		}
	}
	if got := doc.Spot(doc.Root.Get("a")); got != (verify.Spot{Line: 1, Column: 7, Text: "b"}) {
		t.Errorf("%+v", got)
	}
}

// Escapes are decoded in names and values, with invalid UTF-8 about or without.
func TestStringsAreDecoded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"\u0061A": "x\n\ud800", "b": "plain"}`, "{\"\\u0061A\": \"x\\n\\ud800\", \"b\": \"plain\", \"c\": \"\xff\"}"} {
		doc := Parse([]byte(text))
		if doc.Err != nil || doc.Root.Get("aA").Text() != "x\n\ufffd" || doc.Root.Get("b").Text() != "plain" {
			t.Errorf("%v, %q, %q", doc.Err, doc.Root.Get("aA").Text(), doc.Root.Get("b").Text())
		}
	}
}
