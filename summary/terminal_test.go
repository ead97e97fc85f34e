package summary

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

var sgr = regexp.MustCompile("\x1b\\[(32|1;31|33|36|0)m")

// safeLog fails for text that a runner or a terminal would act on.
func safeLog(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("not UTF-8: %q", out)
	}
	// The runner may skip the escape character when it compares.
	if strings.Contains(strings.ReplaceAll(out, "\x1b", ""), "##[") {
		t.Errorf("a line holds ##[: %q", out)
	}
	for line := range strings.Lines(sgr.ReplaceAllString(out, "")) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") {
			t.Errorf("a line is a command: %q", line)
		}
		if strings.ContainsFunc(line, hidden) {
			t.Errorf("a line hides something: %q", line)
		}
	}
}

func FuzzTerminal(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := everywhere(s)
		for _, o := range []Terminal{{Width: 60, Verbose: true}, {Color: true, Verbose: true}, {Quiet: true}} {
			safeLog(t, terminal(t, r, o))
		}
		var b bytes.Buffer
		res := result(&r.Evidence[0])
		if err := WriteReference(&b, s, &res, Terminal{Color: true, Verbose: true}); err != nil {
			t.Fatal(err)
		}
		safeLog(t, b.String())
	})
}

// No line is wider than asked, except for a next step: it may be a command, and
// stays in one piece.
func TestTerminalWidth(t *testing.T) {
	for _, width := range []int{60, 80, 100, 200} {
		for line := range strings.Lines(terminal(t, drift(), Terminal{Width: width, Verbose: true})) {
			if strings.HasPrefix(strings.TrimSpace(line), "next:") {
				continue
			}
			if n := displayWidth(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("width %d: a line has %d columns: %q", width, n, line)
			}
		}
	}
}

// Colours decorate: without them the text is the same.
func TestColorsOnlyDecorate(t *testing.T) {
	for name, r := range fixtures() {
		colored := terminal(t, r, Terminal{Color: true, Verbose: true})
		if sgr.ReplaceAllString(colored, "") != terminal(t, r, Terminal{Verbose: true}) {
			t.Errorf("%s: the text depends on colour", name)
		}
		if strings.Contains(colored, "FAIL") && !strings.Contains(colored, "\x1b[1;31mFAIL\x1b[0m") {
			t.Errorf("%s: FAIL is not coloured", name)
		}
	}
}

// Every non-zero exit prints a reason code and one next step (DESIGN, section 4).
func TestFailingRunsSayWhyAndWhatNext(t *testing.T) {
	for name, r := range fixtures() {
		for _, o := range []Terminal{{}, {Quiet: true}} {
			out := terminal(t, r, o)
			has := strings.Contains(out, "\nreason:  ") && strings.Contains(out, "\nnext:    ")
			if has != (r.ExitCode != 0) {
				t.Errorf("%s, quiet %t: exit %d:\n%s", name, o.Quiet, r.ExitCode, out)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"abc", 5, []string{"abc"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"a/long/path/name", 9, []string{"a/long/", "path/name"}},
		{"landing-page-name", 12, []string{"landing-", "page-name"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"漢字漢字", 4, []string{"漢字", "漢字"}},
		{"漢字", 1, []string{"漢", "字"}},
	} {
		if got := wrap(tc.text, tc.width); strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
			t.Errorf("wrap(%q, %d) = %q, want %q", tc.text, tc.width, got, tc.want)
		}
	}
}

type failingWriter struct{}

var errFull = errors.New("full")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

// A writer's error reaches the caller of every writing function.
func TestWriteErrors(t *testing.T) {
	r := drift()
	res := result(&r.Evidence[0])
	for name, err := range map[string]error{
		"json":      WriteJSON(failingWriter{}, r),
		"terminal":  WriteTerminal(failingWriter{}, r, Terminal{}),
		"evidence":  WriteEvidence(failingWriter{}, &r.Evidence[0], Terminal{}),
		"junit":     WriteJUnit(failingWriter{}, "x", r.Evidence),
		"sarif":     WriteSARIF(failingWriter{}, r.Tool, r.Evidence),
		"reference": WriteReference(failingWriter{}, "x", &res, Terminal{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Many pieces of evidence that hold take few lines, and the rest is counted.
func TestHoldingEvidenceIsBounded(t *testing.T) {
	r := large(100)
	for i := range r.Evidence {
		r.Evidence[i].Fields = holds(r.Evidence[i].Path)
	}
	out := terminal(t, total(r), Terminal{})
	if n := strings.Count(out, "ok    docs/"); n != maxHolding || !strings.Contains(out, "80 more pieces of evidence") {
		t.Errorf("%d lines of evidence:\n%s", n, out)
	}
	if n := strings.Count(terminal(t, r, Terminal{Verbose: true}), "ok    docs/"); n != 100 {
		t.Errorf("%d pieces of evidence when verbose", n)
	}
}

// The shape of the reference verifier's report (AHD replay, the framework's own
// verify-replay).
func TestReferenceGolden(t *testing.T) {
	for name, e := range map[string]Evidence{
		"drift": drift().Evidence[0], "brief": drift().Evidence[1], "intact": piece(sidecar), "unchecked": notChecked().Evidence[0],
	} {
		var b bytes.Buffer
		r := result(&e)
		if err := WriteReference(&b, "docs/evals/2026-04-22-swiss-n30.md", &r, Terminal{}); err != nil {
			t.Fatal(err)
		}
		golden(t, "reference-"+name+".txt", b.String())
		verdict := "verdict: drift detected\n"
		switch {
		case r.Unchecked != "":
			verdict = "verdict: not checked\n"
		case r.Count(verify.Fail) == 0:
			verdict = "verdict: replay inputs intact\n"
		}
		if !strings.HasSuffix(b.String(), "\n\n"+verdict) {
			t.Errorf("%s must end in %q:\n%s", name, verdict, b.String())
		}
	}
}
