// The tests make repositories with git, some with odd file names: not on Windows.

//go:build unix

package since

import (
	"context"
	"testing"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// gitRepo is a real repository.
type gitRepo struct{ *gittest.Repo }

func newGitRepo(t testing.TB) *gitRepo {
	t.Helper()
	return &gitRepo{gittest.New(t)}
}

func inDir(t testing.TB, dir string) *gitRepo {
	t.Helper()
	return &gitRepo{gittest.In(t, dir)}
}

// merge merges a branch, never fast forward, and returns the hash.
func (g *gitRepo) merge(message, branch string) string {
	g.T.Helper()
	g.At++
	g.Git("merge", "-q", "--no-ff", "-m", message, branch)
	return g.Git("rev-parse", "HEAD")
}

// Paths that most tests use.
const (
	token    = "tokens/swiss.yml"
	evidence = "evals/run.replay.json"
)

// record writes evidence that pins the parsed value of a text.
func (g *gitRepo) record(text string) {
	g.T.Helper()
	g.Write(evidence, `{"token":{"hash":"`+hash(g.T, text)+`"}}`)
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
	g.T.Helper()
	r, err := repo.Open(g.Dir)
	if err != nil {
		g.T.Fatal(err)
	}
	g.T.Cleanup(func() { r.Close() })
	return r
}

// finder is one for the work tree.
func (g *gitRepo) finder(o Options) *Finder { return g.bounded(0, o) }

// bounded is a finder that visits at most so many commits; 0 means the default.
func (g *gitRepo) bounded(maxCommits int, o Options) *Finder {
	g.T.Helper()
	r := g.open()
	head, err := r.WorkTree()
	if err != nil {
		g.T.Fatal(err)
	}
	at, _ := head.Commit()
	return New(r, head, r.Histories(at, repo.HistoryOptions{MaxCommits: maxCommits}), o)
}

// why asks about the token in the work tree, recorded as text.
func (g *gitRepo) why(text string) verify.Why {
	g.T.Helper()
	return g.finder(Options{}).Why(context.Background(), g.question(text))
}

func (g *gitRepo) question(text string) Question {
	g.T.Helper()
	return Question{Evidence: evidence, Input: token, Recorded: hash(g.T, text), Modes: Canonical}
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
