package summary

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/summary/visible"
)

var sgr = regexp.MustCompile("\x1b\\[(31|32|1;31|33|36|0)m")

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
		if strings.ContainsFunc(line, visible.Hides) {
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
		if err := WriteReference(&b, s, "AHD replay sidecar", &res, Terminal{Color: true, Verbose: true}); err != nil {
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
			if strings.HasPrefix(strings.TrimSpace(line), "next:") || strings.Contains(line, "git ") {
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

// Every non-zero exit prints a reason code and what to do (DESIGN, section 4): the ways out of
// its causes, or else the next step.
func TestFailingRunsSayWhyAndWhatNext(t *testing.T) {
	for name, r := range fixtures() {
		for _, o := range []Terminal{{}, {Quiet: true}} {
			out := terminal(t, r, o)
			has := strings.Contains(out, "reason: ") && (strings.Contains(out, "next:   ") || strings.Contains(out, "did not?"))
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
		"junit":     WriteJUnit(failingWriter{}, "x", r),
		"page":      WriteHTML(failingWriter{}, r, nil),
		"sarif":     WriteSARIF(failingWriter{}, r),
		"reference": WriteReference(failingWriter{}, "x", "AHD replay sidecar", &res, Terminal{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Many pieces of evidence take one screen, and all of them only when that is asked for.
func TestTheScreenIsBounded(t *testing.T) {
	r := large(100)
	out := terminal(t, r, Terminal{Width: 80})
	if n := strings.Count(out, "\n"); n > 30 || !strings.Contains(out, "40 more; --verbose shows them") {
		t.Errorf("%d lines:\n%s", n, out)
	}
	if n := strings.Count(terminal(t, r, Terminal{Verbose: true}), "ok    docs/"); n != 50 {
		t.Errorf("%d pieces of evidence hold when verbose", n)
	}
}

// Issue 14: a command is broken between its words alone, with the backslash by which a shell
// reads on.
func TestCommandsAreNotBrokenWithinAWord(t *testing.T) {
	argv := []string{"ahd", "eval-live", "--brief", strings.Repeat("briefs/", 20) + "x y.yml", "--n", "30"}
	s := &screen{Terminal: Terminal{Width: 60}}
	s.way("meant it?", []Step{{Text: "run again", Command: argv}, {Text: "accept it", Command: []string{"replay-gate", "accept"}}})
	out := s.buf.String()
	_, command, _ := strings.Cut(out, "run again:  ")
	command, _, _ = strings.Cut(command, "or accept:")
	want, _ := ShellCommand(argv, "")
	if got := strings.Join(strings.Fields(strings.ReplaceAll(command, "\\\n", "")), " "); got != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got  %s\nwant %s\n%s", got, want, out)
	}
}
