// The tests make repositories with git, some with odd file names: not on Windows.

//go:build unix

package since

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
	env []string
	at  int // seconds, for the next commit's date
}

func newGitRepo(t testing.TB) *gitRepo {
	t.Helper()
	g := inDir(t, t.TempDir())
	g.git("init", "-q", "-b", "main")
	return g
}

func inDir(t testing.TB, dir string) *gitRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests make repositories with git: install the git binary")
	}
	return &gitRepo{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Grace", "GIT_COMMITTER_EMAIL=grace@example.org",
	}, at: 1_700_000_000}
}

func (g *gitRepo) gitWith(stdin string, args ...string) string {
	g.t.Helper()
	date := "@" + strconv.Itoa(g.at) + " +0100"
	cmd := exec.Command("git", args...)
	cmd.Dir = g.dir
	cmd.Env = append(g.env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

func (g *gitRepo) git(args ...string) string {
	g.t.Helper()
	return g.gitWith("", args...)
}

// commit commits everything and returns the hash.
func (g *gitRepo) commit(message string) string {
	g.t.Helper()
	g.git("add", "-A")
	g.at++
	g.gitWith(message, "commit", "-q", "--allow-empty", "-F", "-")
	return g.git("rev-parse", "HEAD")
}

// merge merges a branch, never fast forward, and returns the hash.
func (g *gitRepo) merge(message, branch string) string {
	g.t.Helper()
	g.at++
	g.git("merge", "-q", "--no-ff", "-m", message, branch)
	return g.git("rev-parse", "HEAD")
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

// Paths that most tests use.
const (
	token    = "tokens/swiss.yml"
	evidence = "evals/run.replay.json"
)

// record writes evidence that pins the parsed value of a text.
func (g *gitRepo) record(text string) {
	g.t.Helper()
	g.write(evidence, `{"token":{"hash":"`+hash(g.t, text)+`"}}`)
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

// finder is one for the work tree.
func (g *gitRepo) finder(o Options) *Finder { return g.bounded(0, o) }

// bounded is a finder that visits at most so many commits; 0 means the default.
func (g *gitRepo) bounded(maxCommits int, o Options) *Finder {
	g.t.Helper()
	r := g.open()
	head, err := r.WorkTree()
	if err != nil {
		g.t.Fatal(err)
	}
	at, _ := head.Commit()
	return New(r, head, r.Histories(at, repo.HistoryOptions{MaxCommits: maxCommits}), o)
}

// why asks about the token in the work tree, recorded as text.
func (g *gitRepo) why(text string) verify.Why {
	g.t.Helper()
	return g.finder(Options{}).Why(context.Background(), g.question(text))
}

func (g *gitRepo) question(text string) Question {
	g.t.Helper()
	return Question{Evidence: evidence, Input: token, Recorded: hash(g.t, text), Modes: Canonical}
}

// want compares the commits, the case and the note; "" stands for none.
func want(t *testing.T, w verify.Why, recorded, since, code, note string) {
	t.Helper()
	id := func(v *verify.Version) string {
		if v == nil {
			return ""
		}
		return v.Commit
	}
	if id(w.Recorded) != recorded || id(w.Since) != since {
		t.Errorf("recorded %q since %q, want %q and %q", id(w.Recorded), id(w.Since), recorded, since)
	}
	if w.Case != code || w.Note != note {
		t.Errorf("case %q note %q, want %q and %q", w.Case, w.Note, code, note)
	}
}
