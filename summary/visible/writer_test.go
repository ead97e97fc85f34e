package visible

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"
)

// lines are what a runner, or the page that shows its log, would act upon, and what they
// become.
var lines = map[string]string{
	"all 12 fields hold ✓\n\tat a::b, #3 [x]\n": "all 12 fields hold ✓\n\tat a::b, #3 [x]\n",
	"::error::x":             `:\:error::x`,
	" \u00a0::error::x":      ` \u00a0::error::x`,
	": :":                    ": :",
	"a ##[error]x":           `a ##\[error]x`,
	"###[a]":                 `###\[a]`,
	"# #[a]":                 "# #[a]",
	"one\r\ntwo":             "one\\r\ntwo",
	"\x1b[31mred":            `\x1b[31mred`,
	":\u200b:error::x":       `:\u200b:error::x`,
	"\xff\xe2\x80":           `\xff\xe2\x80`,
	"safe \u202egpj.exe":     `safe \u202egpj.exe`,
	"zwj \u200d vs \ufe0f x": `zwj \u200d vs \ufe0f x`,
}

func TestLines(t *testing.T) {
	t.Parallel()
	for in, want := range lines {
		if got := Lines(in); got != want {
			t.Errorf("Lines(%q) = %q, want %q", in, got, want)
		}
	}
}

// Cutting a text anywhere between two writes changes nothing.
func TestWriterAcrossWrites(t *testing.T) {
	t.Parallel()
	text := strings.Join(slices.Sorted(maps.Keys(lines)), "\n") + "✓"
	want := Lines(text)
	var b bytes.Buffer
	n := NewWriter(&b)
	for i := range len(text) {
		if c, err := n.Write([]byte(text[i : i+1])); c != 1 || err != nil {
			t.Fatalf("Write = %d, %v", c, err)
		}
	}
	n.Close()
	if b.String() != want {
		t.Errorf("byte by byte:\n%q\nwant\n%q", b.String(), want)
	}
	if _, err := NewWriter(iotest.TruncateWriter(errWriter{}, 0)).Write([]byte("x")); err != nil {
		t.Errorf("a writer that takes nothing in silence: %v", err)
	}
	if _, err := NewWriter(errWriter{}).Write([]byte("x")); !errors.Is(err, errFull) {
		t.Errorf("err = %v, want the writer's own", err)
	}
}

var errFull = errors.New("disk full")

type errWriter struct{}

func (errWriter) Write([]byte) (int, error) { return 0, errFull }

// No line is a command in either syntax, by ordinal or by cultural comparison,
// and nothing invisible is left.
func FuzzLines(f *testing.F) {
	for s := range lines {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Lines(s)
		for line := range strings.Lines(got) {
			if strings.Contains(line, "##[") || strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") {
				t.Errorf("%q holds the start of a command", line)
			}
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("%q holds a control character at %d", got, i)
		}
		if strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("%q has other lines than %q", got, s)
		}
	})
}
