package pinning

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

const (
	report  = "evals/report.md"
	pinPath = report + pin.Ending
)

// project is a repository with a result and what it was made from, all committed.
func project(t *testing.T) *gittest.Repo {
	t.Helper()
	g := gittest.New(t)
	g.Write(report, "# 42 of 50\n")
	g.Write("evals/prompts/ask.md", "Ask.\n")
	g.Write("evals/prompts/answer.md", "Answer.\n")
	g.Write("evals/config.yml", "model: m-1\njobs: 4\n")
	g.Write("uv.lock", "version = 1\n")
	g.Commit("a project")
	return g
}

func options(g *gittest.Repo) Options {
	return Options{
		Root: g.Dir, Subjects: []string{report}, Inputs: []string{"evals/prompts/*.md", "evals/config.yml#model"}, Notes: []string{"uv.lock", "judge=m-2"},
		Now: func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }, Tool: "replay-gate test",
		Exec: func(context.Context, []string) error { return errors.New("nothing is to run") },
	}
}

func refreshing(g *gittest.Repo) Options {
	o := options(g)
	o.Inputs, o.Notes, o.Refresh = nil, nil, true
	return o
}

func mustMake(t *testing.T, o Options) Result {
	t.Helper()
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// says judges the pin in the work tree: its rows that are not plainly ok.
func says(t *testing.T, g *gittest.Repo) string {
	t.Helper()
	r, err := repo.Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := r.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	result := verify.Engine{}.Verify(t.Context(), verify.NewTree(files), []verify.Item{{Path: pinPath, Format: pin.Format{}}})[0]
	var rows []string
	for _, c := range result.Checks {
		if c.Field != "run" && c.Code != "" && c.Code != "noted" {
			rows = append(rows, string(c.Status)+" "+c.Field+" "+c.Code)
		}
	}
	return strings.Join(rows, "\n")
}

// What is written is judged right, with and without a run, and outside of a repository.
func TestMake(t *testing.T) {
	t.Parallel()
	g := project(t)
	if r := mustMake(t, options(g)); r.Path != pinPath || r.Same || len(r.Ignored) > 0 || len(r.Pin.Inputs) != 3 || !r.Pin.StartedOn.IsZero() {
		t.Errorf("%+v", r)
	}
	if s := says(t, g); s != "" {
		t.Error(s)
	}
	for _, a := range mustMake(t, refreshing(g)).Pin.Inputs {
		if want := g.Git("rev-parse", "HEAD:"+a.Name); a.Blob != want {
			t.Errorf("%s: %s, git says %s", a.Name, a.Blob, want)
		}
	}
	if err := os.RemoveAll(g.Path(".git")); err != nil {
		t.Fatal(err)
	}
	if r := mustMake(t, options(g)); len(r.Pin.Inputs) != 3 {
		t.Errorf("%+v", r)
	}
}

// With a command the run is recorded: when it began, and what it was.
func TestMakeRuns(t *testing.T) {
	t.Parallel()
	g := project(t)
	o := options(g)
	o.Command = []string{"make", "eval"}
	o.Exec = func(_ context.Context, argv []string) error {
		if !slices.Equal(argv, o.Command) {
			t.Errorf("%q ran", argv)
		}
		g.Write(report, "# 43 of 50\n")
		return nil
	}
	r := mustMake(t, o)
	if !r.Pin.StartedOn.Equal(o.Now()) || !slices.Equal(r.Pin.Command, o.Command) || len(r.Untouched) > 0 {
		t.Errorf("%+v", r)
	}
	if s := says(t, g); s != "" {
		t.Error(s)
	}

	// The recorded command runs when it is asked for, and only then.
	again := refreshing(g)
	again.Rerun = true
	ran := false
	again.Exec = func(_ context.Context, argv []string) error { ran = slices.Equal(argv, o.Command); return nil }
	if r := mustMake(t, again); !ran || !slices.Equal(r.Untouched, []string{report}) {
		t.Errorf("ran %v: %+v", ran, r)
	}
	text := read(t, g)
	if r := mustMake(t, refreshing(g)); !r.Same || read(t, g) != text {
		t.Error("a refresh without a change took the run away")
	}
	g.Write(report, "# 44 of 50\n")
	if r := mustMake(t, refreshing(g)); !r.Pin.StartedOn.IsZero() || !slices.Equal(r.Pin.Command, o.Command) {
		t.Errorf("nobody knows when it began: %+v", r.Pin)
	}
}

func read(t *testing.T, g *gittest.Repo) string {
	t.Helper()
	data, err := os.ReadFile(g.Path(pinPath))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A run that fails, is interrupted, or changes what it reads leaves no pin.
func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	failed := errors.New("exit status 7")
	for name, tc := range map[string]struct {
		prepare func(o *Options, g *gittest.Repo)
		kind    error
		want    string
	}{
		"a command that fails": {func(o *Options, _ *gittest.Repo) {
			o.Command, o.Exec = []string{"x"}, func(context.Context, []string) error { return failed }
		}, failed, "exit status 7"},
		"an input that changes": {func(o *Options, g *gittest.Repo) {
			o.Command, o.Exec = []string{"x"}, func(context.Context, []string) error { g.Write("evals/prompts/ask.md", "Ask!\n"); return nil }
		}, ErrChanged, "evals/prompts/ask.md changed while the command ran"},
		"an input that appears": {func(o *Options, g *gittest.Repo) {
			o.Command, o.Exec = []string{"x"}, func(context.Context, []string) error { g.Write("evals/prompts/new.md", "New.\n"); return nil }
		}, ErrChanged, "evals/prompts/new.md changed"},
		"a result that is not written": {func(o *Options, _ *gittest.Repo) {
			o.Subjects, o.Command, o.Exec = []string{"evals/other.md"}, []string{"x"}, func(context.Context, []string) error { return nil }
		}, ErrUsage, "evals/other.md: the file does not exist"},
		"a secret": {func(o *Options, _ *gittest.Repo) {
			o.Command, o.Secrets = []string{"curl", "-H", "Authorization: x"}, func(text []byte) []string {
				if strings.Contains(string(text), "Authorization") {
					return []string{"header"}
				}
				return nil
			}
		}, ErrUsage, "looks as if it held a secret (header)"},
		"a glob that matches nothing": {func(o *Options, _ *gittest.Repo) { o.Inputs = []string{"evals/*.txt"} }, ErrUsage, "no file matches"},
		"a key that is not there":     {func(o *Options, _ *gittest.Repo) { o.Inputs = []string{"evals/config.yml#seed"} }, ErrUsage, "no such key: seed"},
		"no key":                      {func(o *Options, _ *gittest.Repo) { o.Inputs = []string{"evals/config.yml#"} }, ErrUsage, "no key after the #"},
		"keys of prose":               {func(o *Options, _ *gittest.Repo) { o.Inputs = []string{"evals/prompts/ask.md#a"} }, ErrUsage, "neither YAML nor JSON nor TOML"},
		"a result as an input":        {func(o *Options, _ *gittest.Repo) { o.Inputs = []string{report} }, ErrUsage, "is a result and an input"},
		"no inputs":                   {func(o *Options, _ *gittest.Repo) { o.Inputs = nil }, ErrUsage, "without inputs"},
		"no result":                   {func(o *Options, _ *gittest.Repo) { o.Subjects = nil }, ErrUsage, "no result"},
		"nothing to refresh":          {func(o *Options, _ *gittest.Repo) { o.Refresh = true }, ErrUsage, "there is no pin"},
		"an unknown configuration":    {func(o *Options, _ *gittest.Repo) { o.From = []string{"evals/config.yml"} }, ErrUsage, "no configuration of promptfoo"},
		"another tool's file":         {func(_ *Options, g *gittest.Repo) { g.Write(pinPath, "{}\n") }, ErrUsage, "is no pin"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := project(t)
			o := options(g)
			tc.prepare(&o, g)
			_, err := Make(t.Context(), o)
			if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want one that says %s", err, tc.want)
			}
			if data, err := os.ReadFile(g.Path(pinPath)); err == nil && string(data) != "{}\n" {
				t.Error("a pin was written")
			}
			if _, err := os.Stat(g.Path(pinPath + ".tmp")); err == nil {
				t.Error("a draft stayed")
			}
		})
	}
	g := project(t)
	o := options(g)
	ctx, cancel := context.WithCancel(t.Context())
	o.Command, o.Exec = []string{"x"}, func(context.Context, []string) error { cancel(); return nil }
	if _, err := Make(ctx, o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(g.Path(pinPath)); err == nil {
		t.Error("an interrupted run left a pin")
	}
}

// Two branches that each change a prompt and pin anew conflict in git, because no run has
// seen both; a merge by force is FAIL (notes: two branches merged cleanly before).
func TestTwoBranchesThatPinConflict(t *testing.T) {
	t.Parallel()
	g := project(t)
	mustMake(t, options(g))
	g.Commit("pinned")
	for branch, file := range map[string]string{"one": "evals/prompts/ask.md", "two": "evals/prompts/answer.md"} {
		g.Git("checkout", "-q", "-b", branch, "main")
		g.Write(file, "Other.\n")
		mustMake(t, refreshing(g))
		g.Commit(branch)
	}
	g.Git("checkout", "-q", "one")
	if _, err := g.Try("merge", "-q", "two"); err == nil {
		t.Fatal("the two pins were merged")
	}
	if s := says(t, g); !strings.HasPrefix(s, "FAIL json conflict-markers") {
		t.Error(s)
	}
	g.Git("checkout", "-q", "--ours", pinPath)
	if s := says(t, g); s != "FAIL input:evals/prompts/answer.md hash-differs" {
		t.Error(s)
	}
	// Both prompts, and one branch's line over them.
	data, err := os.ReadFile(g.Path(pinPath))
	if err != nil {
		t.Fatal(err)
	}
	theirs := g.Git("show", "two:"+pinPath)
	old := strings.Split(strings.Split(string(data), `"name": "evals/prompts/answer.md"`)[1], `"sha256": "`)[1][:64]
	other := strings.Split(strings.Split(theirs, `"name": "evals/prompts/answer.md"`)[1], `"sha256": "`)[1][:64]
	g.Write(pinPath, strings.Replace(string(data), old, other, 1))
	if s := says(t, g); s != "FAIL inputs merged" {
		t.Error(s)
	}
}

// Nothing pins a commit: squash and rebase change nothing.
func TestSquashAndRebase(t *testing.T) {
	t.Parallel()
	g := project(t)
	g.Git("checkout", "-q", "-b", "topic")
	g.Write("evals/prompts/ask.md", "Ask again.\n")
	g.Commit("edit")
	mustMake(t, options(g))
	g.Commit("pin")
	g.Git("checkout", "-q", "main")
	g.Write("README.md", "# other\n")
	g.Commit("other")
	g.Git("merge", "-q", "--squash", "topic")
	g.Commit("squashed")
	if s := says(t, g); s != "" {
		t.Error(s)
	}
}

// The pin of a checkout with Windows line ends is that of the commit, and holds for both.
func TestWindowsLineEnds(t *testing.T) {
	t.Parallel()
	g := project(t)
	mustMake(t, options(g))
	unix := read(t, g)
	g.Git("config", "core.autocrlf", "true")
	g.Write(report, "# 42 of 50\r\n")
	g.Write("evals/prompts/ask.md", "Ask.\r\n")
	g.Write("evals/prompts/answer.md", "Answer.\r\n")
	if s := says(t, g); strings.Contains(s, "FAIL") || !strings.Contains(s, "info subject:evals/report.md.bytes line-ends") {
		t.Error(s)
	}
	if err := os.Remove(g.Path(pinPath)); err != nil {
		t.Fatal(err)
	}
	mustMake(t, options(g))
	if windows := read(t, g); windows != unix {
		t.Errorf("%s\n%s", windows, unix)
	}
}

// A refresh keeps what was asked for: globs, keys, notes and configurations.
func TestRefresh(t *testing.T) {
	t.Parallel()
	g := project(t)
	g.Write("promptfooconfig.yaml", "description: x\nprompts: [file://p.txt, file://more/*.txt]\nproviders: [echo]\n")
	g.Write("p.txt", "P\n")
	g.Write("more/a.txt", "A\n")
	o := options(g)
	o.From = []string{"promptfooconfig.yaml"}
	mustMake(t, o)
	g.Write("evals/prompts/new.md", "New.\n")
	g.Write("more/b.txt", "B\n")
	g.Write("promptfooconfig.yaml", "description: y\nprompts: [file://q.txt]\nproviders: [echo]\n")
	g.Write("q.txt", "Q\n")
	g.Write("uv.lock", "version = 2\n")
	want := "info note:uv.lock note-differs"
	if s := says(t, g); !strings.Contains(s, want) || !strings.Contains(s, "warn input:evals/prompts/new.md new-file") ||
		!strings.Contains(s, "warn input:more/b.txt new-file") || !strings.Contains(s, "FAIL input:promptfooconfig.yaml#prompts,providers value-differs") {
		t.Error(s)
	}
	r := mustMake(t, refreshing(g))
	var names []string
	for _, a := range r.Pin.Inputs {
		names = append(names, a.Name)
	}
	if want := []string{"evals/config.yml", "evals/prompts/answer.md", "evals/prompts/ask.md", "evals/prompts/new.md", "promptfooconfig.yaml", "q.txt"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if s := says(t, g); s != "" {
		t.Error(s)
	}
	if r.RunLost {
		t.Error("there was no run to lose")
	}
	if len(r.Pin.Notes) != 2 || r.Pin.Notes[0].Value != "m-2" {
		t.Errorf("%+v", r.Pin.Notes)
	}
	o = refreshing(g)
	o.Subjects = []string{pinPath}
	if r := mustMake(t, o); !r.Same {
		t.Errorf("the pin itself names its result: %+v", r)
	}
	g.Write(".gitignore", "q.txt\n")
	g.Write("p.txt", "P2\n")
	o.Inputs = []string{"p.txt"}
	if r := mustMake(t, o); !slices.Equal(r.Ignored, []string{"q.txt"}) {
		t.Errorf("%+v", r)
	}
}

// A project that was moved to a folder is pinned from the root at the next refresh.
func TestRefreshInAFolder(t *testing.T) {
	t.Parallel()
	g := project(t)
	mustMake(t, options(g))
	g.Commit("pinned")
	g.Mkdir("sub")
	g.Git("mv", "evals", "uv.lock", "sub/")
	g.Write("sub/evals/prompts/new.md", "New.\n")
	o := refreshing(g)
	o.Subjects = []string{"sub/" + report}
	r := mustMake(t, o)
	if r.Path != "sub/"+pinPath || len(r.Pin.Inputs) != 4 || r.Pin.Inputs[3].Name != "sub/evals/prompts/new.md" || r.Pin.Globs[0] != "sub/evals/prompts/*.md" {
		t.Errorf("%+v", r)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ dir, spec, want string }{
		{"/w", "a/*.md", "a/*.md"},
		{"/w/evals", "prompts/**/*.md#a,b", "evals/prompts/**/*.md#a,b"},
		{"/w/evals", "../x.yml", "x.yml"},
		{"/w/evals", "model=gpt-4.1", "model=gpt-4.1"},
		{"/w/evals", "/w/x", "x"},
	} {
		if got, err := Relative("/w", tc.dir, tc.spec); err != nil || got != tc.want {
			t.Errorf("%s in %s: %s, %v", tc.spec, tc.dir, got, err)
		}
	}
	if _, err := Relative("/w", "/w", "../x"); !errors.Is(err, ErrUsage) {
		t.Error(err)
	}
}
