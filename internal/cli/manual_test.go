package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Each command that --help lists has a page, and each of its flags and examples is
// on it: who reads the manual is told no less than who asks for help.
func TestManualSaysWhatHelpSays(t *testing.T) {
	folder := t.TempDir()
	var out, errs bytes.Buffer
	streams := Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
	if code := Main(context.Background(), streams, []string{"manual", folder}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	a := &app{Streams: streams}
	root := a.command()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	pages := 0
	var each func(*cobra.Command)
	each = func(cmd *cobra.Command) {
		pages++
		data, err := os.ReadFile(filepath.Join(folder, pageName(cmd)+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		page := string(data)
		expect := func(what, text string) {
			if !strings.Contains(page, text) {
				t.Errorf("%s: the page has no %s %q", cmd.CommandPath(), what, text)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { expect("flag", roff("--"+f.Name)) })
		for line := range strings.Lines(cmd.Example) {
			expect("example", roff(strings.TrimRight(line, "\n")))
		}
		for _, c := range documented(cmd) {
			expect("command", ".B "+roff(c.Name())+"\n")
			each(c)
		}
	}
	each(root)
	written, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil || len(written) != pages {
		t.Errorf("%d pages for %d commands, %v", len(written), pages, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "replay-gate-gate.1")); err != nil {
		t.Error("the walk found no gate: ", err)
	}
}

// A folder that can't be written is an infrastructure error, as anywhere else.
func TestManualSaysWhereItCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	streams := Streams{In: strings.NewReader(""), Out: &errs, Err: &errs, Getenv: func(string) string { return "" }}
	if code := Main(context.Background(), streams, []string{"manual", filepath.Join(file, "man1")}); code != 3 {
		t.Errorf("exit code %d, want 3\n%s", code, errs.String())
	}
}

func TestRoff(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"--base origin/main", `\-\-base origin/main`},
		{".replay-gate.yml counts", `\&.replay\-gate.yml counts`},
		{"'%s' and `x`", `\(aq%s\(aq and \(gax\(ga`},
		{`C:\Users`, `C:\eUsers`},
		{"two\nlines", "two lines"},
	} {
		if got := roff(test.in); got != test.want {
			t.Errorf("roff(%q) = %q, want %q", test.in, got, test.want)
		}
	}
	if got, want := roffArg(`say "yes"`), `"say \(dqyes\(dq"`; got != want {
		t.Errorf("roffArg gives %s, want %s", got, want)
	}
}

// A release's --version has what the linker was told, and no stamp of the repository
// that lay around the build.
func TestVersionLineOfARelease(t *testing.T) {
	defer func(v, c, d string) { version, commit, date = v, c, d }(version, commit, date)
	version, commit, date = "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "2026-05-01T04:19:45Z"
	const want = "replay-gate v1.2.3 (0123456789abcdef0123456789abcdef01234567 2026-05-01T04:19:45Z) go1."
	if got := versionLine(); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want it to start with %q", got, want)
	}
	commit, date = "", ""
	if got := versionLine(); !strings.HasPrefix(got, "replay-gate v1.2.3 (") || strings.Contains(got, "( ") || strings.Contains(got, " )") {
		t.Errorf("without a commit: %q", got)
	}
}
