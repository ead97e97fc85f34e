// The tests make repositories with git.

//go:build unix

package timeline

import (
	"context"
	"strings"
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

// pin writes evidence that pins the parsed value of text as the content of an input.
func (g *gitRepo) pin(evidence, input, text string) {
	g.T.Helper()
	g.Write(evidence, "token "+input+" "+hash(g.T, text))
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

func (g *gitRepo) build(o Options) *verify.Timeline { return g.bounded(0, o) }

// bounded visits at most so many commits for an input; 0 means the default.
func (g *gitRepo) bounded(maxCommits int, o Options) *verify.Timeline {
	g.T.Helper()
	t, err := g.try(context.Background(), maxCommits, o)
	if err != nil {
		g.T.Fatal(err)
	}
	return t
}

// try judges the evidence of the head and makes its timeline.
func (g *gitRepo) try(ctx context.Context, maxCommits int, o Options) (*verify.Timeline, error) {
	g.T.Helper()
	r := g.open()
	head, err := r.Head()
	if err != nil {
		g.T.Fatal(err)
	}
	return New(r, r.Histories(head, repo.HistoryOptions{MaxCommits: maxCommits}), o).Build(ctx, g.judge(r, head))
}

func (g *gitRepo) judge(r *repo.Repository, head repo.Commit) []verify.Result {
	g.T.Helper()
	fsys, err := r.CommitTree(head)
	if err != nil {
		g.T.Fatal(err)
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

func (pins) Kind() string              { return "pins" }
func (pins) Title() string             { return "pins" }
func (pins) Patterns() []string        { return nil }
func (pins) Marks(string, []byte) bool { return true }

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
			if in.Hash == "own" { // of data that lies elsewhere, for all that is known
				r.Checks = append(r.Checks, verify.Check{Field: in.Role + ".hash", Status: verify.OK, Recorded: in.Hash, Input: in.Path})
			}
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
