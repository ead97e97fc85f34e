package canonical

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestLimits holds the bounds against hostile input: each is an error of the
// right kind, and quick enough that the test needs no clock.
func TestLimits(t *testing.T) {
	bomb := "a: &a [x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	for _, c := range []struct {
		what, text string
		construct  string // of the refusal; "" for a rejection
	}{
		{"one byte too many", strings.Repeat(" ", MaxSize+1), "larger than 1 MiB"},
		{"flow nesting", strings.Repeat("[", 501) + strings.Repeat("]", 501), tooDeep},
		{"flow nesting far beyond yaml.v3's own limit", strings.Repeat("[", 100_000), tooDeep},
		{"block nesting", strings.Repeat("- ", 501) + "a", tooDeep},
		{"an alias bomb", bomb, ""},
		{"a large value under the alias limit", "a: &a " + strings.Repeat("x", 900_000) + "\nb: [" + strings.Repeat("*a, ", 90) + "]", "aliases that expand too far"},
		{"aliases to nothing, nested", "a: &a []\nb: &b [" + strings.Repeat("*a, ", 50_000) + "]\nc: [" + strings.Repeat("*b, ", 50_000) + "]", "aliases that expand too far"},
		{"a large !!binary", "!!binary " + strings.Repeat("A", maxBinary+1), "a !!binary value larger than 16 KiB"},
	} {
		_, err := Parse([]byte(c.text))
		var refusal *CannotJudgeError
		switch {
		case c.construct == "" && !errors.As(err, new(*NotValidError)):
			t.Errorf("%s: %v; want a NotValidError", c.what, err)
		case c.construct != "" && (!errors.As(err, &refusal) || refusal.Construct != c.construct):
			t.Errorf("%s: %v; want %q", c.what, err, c.construct)
		}
	}
	if got, err := outcome(strings.Repeat("[", 500) + strings.Repeat("]", 500)); err != nil || len(got) != 1000 {
		t.Errorf("500 levels: %v", err)
	}
	if _, err := Parse([]byte(strings.Repeat(" ", MaxSize))); err != nil {
		t.Errorf("exactly MaxSize bytes: %v", err)
	}
}

// TestErrorText is what a person reads.
func TestErrorText(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: {{ ~ }}\n":               "cannot be canonicalised: a collection as a key, line 2",
		"a: 1\n\"b\": 2\na: 3\n":           "not valid YAML: a repeated key, line 3, column 1",
		"a: 1\n---\nb: 2\n":                "not valid YAML: more than one document, line 2, column 1",
		"a: 1\n b: 2\n":                    "not valid YAML: yaml.v3: mapping values are not allowed in this context, line 2",
		strings.Repeat("x", MaxSize+1):     "cannot be canonicalised: larger than 1 MiB",
		"a: *" + strings.Repeat("x", 1000): "not valid YAML: yaml.v3: unknown anchor",
	} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("Parse(%.40q): %v\nwant %s", text, err, want)
		}
	}
}
