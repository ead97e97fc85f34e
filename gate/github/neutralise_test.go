package github

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"
)

// hostile are lines that a runner, or the page that shows its log, would act
// upon.
var hostile = []string{
	"::error::forged",
	"  ::set-output name=verdict::intact",
	"\u00a0\u2003\u3000::add-mask::e",
	"\u2028::error::after a line separator",
	"\u0085::error::after NEL",
	"text\r::error::after a bare CR",
	"text ##[set-output name=verdict;]intact",
	"##[group]", "###[error]x", "#\u200d#\u00ad[error]x", ":\u200b:error::x", "\u00ad::error::x",
	"\ufeff::stop-commands::x", "\u034f::error::x", "\ufe0f::error::x", "\u3164::error::x",
	"\x1b[2K\x1b[1Aovertyped", "\x00::error::x", "\xff::error::x", "\xe2\x80", "%0A::error::x",
	"::error file=a,line=1::x\n::warning::y", "_GitHubActionsFileCommandDelimeter_",
	"<<EOF\nverdict=intact\nEOF", "verdict<<x\nintact\nx", "a=b", "",
}

func TestNeutralise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"all 12 fields hold ✓\n\tat a::b, #3 [x]\n": "all 12 fields hold ✓\n\tat a::b, #3 [x]\n",
		"::error::x":             `:\:error::x`,
		" \u00a0::error::x":      " \u00a0:\\:error::x",
		": :":                    ": :",
		"a ##[error]x":           `a ##\[error]x`,
		"###[a]":                 `###\[a]`,
		"# #[a]":                 "# #[a]",
		"one\r\ntwo":             "one\\u{d}\ntwo",
		"\x1b[31mred":            `\u{1b}[31mred`,
		":\u200b:error::x":       `:\u{200b}:error::x`,
		"\xff\xe2\x80":           `\xff\xe2\x80`,
		"safe \u202egpj.exe":     `safe \u{202e}gpj.exe`,
		"zwj \u200d vs \ufe0f x": `zwj \u{200d} vs \u{fe0f} x`,
	} {
		if got := neutral(in); got != want {
			t.Errorf("neutral(%q) = %q, want %q", in, got, want)
		}
	}
}

// Cutting a text anywhere between two writes changes nothing.
func TestNeutraliseAcrossWrites(t *testing.T) {
	t.Parallel()
	text := strings.Join(hostile, "\n") + "✓"
	want := neutral(text)
	var b bytes.Buffer
	n := &neutraliser{w: &b}
	for i := range len(text) {
		if c, err := n.Write([]byte(text[i : i+1])); c != 1 || err != nil {
			t.Fatalf("Write = %d, %v", c, err)
		}
	}
	n.close()
	if b.String() != want {
		t.Errorf("byte by byte:\n%q\nwant\n%q", b.String(), want)
	}
	if _, err := Neutralise(iotest.TruncateWriter(errWriter{}, 0)).Write([]byte("x")); err != nil {
		t.Errorf("a writer that takes nothing in silence: %v", err)
	}
	if _, err := Neutralise(errWriter{}).Write([]byte("x")); !errors.Is(err, errFull) {
		t.Errorf("err = %v, want the writer's own", err)
	}
}

var errFull = errors.New("disk full")

type errWriter struct{}

func (errWriter) Write([]byte) (int, error) { return 0, errFull }

// No line is a command in either syntax, by ordinal or by cultural comparison,
// and nothing invisible is left.
func FuzzNeutralise(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := neutral(s)
		if c := parseLog(got); len(c) > 0 {
			t.Errorf("%q is read as %+v", got, c)
		}
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
