// The tests make repositories with git.

//go:build unix

package timeline

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// gitRepo is a real repository, made with the git binary.
type gitRepo struct {
	t   testing.TB
	dir string
	at  int // seconds, for the next commit's date
}

func newGitRepo(t testing.TB) *gitRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests make repositories with git: install the git binary")
	}
	g := &gitRepo{t: t, dir: t.TempDir(), at: 1_700_000_000}
	g.git("init", "-q", "-b", "main")
	return g
}

func (g *gitRepo) git(args ...string) string {
	g.t.Helper()
	date := "@" + strconv.Itoa(g.at) + " +0100"
	cmd := exec.Command("git", args...)
	cmd.Dir = g.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Grace", "GIT_COMMITTER_EMAIL=grace@example.org",
		"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date,
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// commit commits everything, a second after the last one.
func (g *gitRepo) commit(message string) {
	g.t.Helper()
	g.at++
	g.git("add", "-A")
	g.git("commit", "-q", "--allow-empty", "-m", message)
}

func (g *gitRepo) write(name, content string) {
	g.t.Helper()
	name = filepath.Join(g.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// pin writes evidence that pins the parsed value of text as the content of an input.
func (g *gitRepo) pin(evidence, input, text string) {
	g.t.Helper()
	g.write(evidence, "token "+input+" "+hash(g.t, text))
}

func hash(t testing.TB, text string) string {
	t.Helper()
	sum, err := canonical.Hash([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func (g *gitRepo) open() *repo.Repository {
	g.t.Helper()
	r, err := repo.Open(g.dir)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { r.Close() })
	return r
}

func (g *gitRepo) build(o Options) *verify.Timeline { return g.bounded(0, o) }

// bounded visits at most so many commits for an input; 0 means the default.
func (g *gitRepo) bounded(maxCommits int, o Options) *verify.Timeline {
	g.t.Helper()
	t, err := g.try(context.Background(), maxCommits, o)
	if err != nil {
		g.t.Fatal(err)
	}
	return t
}

// try judges the evidence of the head and makes its timeline.
func (g *gitRepo) try(ctx context.Context, maxCommits int, o Options) (*verify.Timeline, error) {
	g.t.Helper()
	r := g.open()
	head, err := r.Head()
	if err != nil {
		g.t.Fatal(err)
	}
	return New(r, r.Histories(head, repo.HistoryOptions{MaxCommits: maxCommits}), o).Build(ctx, g.judge(r, head))
}

func (g *gitRepo) judge(r *repo.Repository, head repo.Commit) []verify.Result {
	g.t.Helper()
	fsys, err := r.CommitTree(head)
	if err != nil {
		g.t.Fatal(err)
	}
	tree := verify.NewTree(fsys)
	var items []verify.Item
	for _, name := range tree.Files() {
		if strings.HasSuffix(name, ".pin") {
			items = append(items, verify.Item{Path: name, Format: pins{}})
		}
	}
	return verify.Engine{}.Verify(context.Background(), tree, items)
}

// pins is a kind of evidence with a line for each input: its role, path and hash.
type pins struct{}

func (pins) Kind() string                     { return "pins" }
func (pins) Title() string                    { return "pins" }
func (pins) Patterns() []string               { return nil }
func (pins) Inputs(*verify.Evidence) []string { return nil }

func (pins) Verify(_ context.Context, e *verify.Evidence) (r verify.Result) {
	data, err := e.Tree.ReadFile(e.Path, 1<<20)
	if err != nil {
		return r
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		in := verify.Input{Role: f[0], Path: f[1], Hash: f[2]}
		content, err := e.Tree.ReadFile(in.Path, 1<<20)
		if err != nil {
			in.Missing = true
		} else {
			c := verify.Check{Field: in.Role + ".hash", Status: verify.Fail, Recorded: in.Hash, Input: in.Path}
			if value, err := canonical.Hash(content); err == nil && value == in.Hash || in.Hash == "own" {
				c.Status = verify.OK
			}
			r.Checks = append(r.Checks, c)
		}
		r.Inputs = append(r.Inputs, in)
	}
	return r
}
