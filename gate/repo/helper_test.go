// The tests make named pipes, links and odd file names: not on Windows.

//go:build unix

package repo

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// gitRepo is a real repository, read with the package under test.
type gitRepo struct{ *gittest.Repo }

func newGitRepo(t testing.TB) *gitRepo {
	t.Helper()
	return &gitRepo{gittest.New(t)}
}

// inDir is a repository that exists in dir, or will.
func inDir(t testing.TB, dir string) *gitRepo {
	t.Helper()
	return &gitRepo{gittest.In(t, dir)}
}

func (g *gitRepo) link(name, target string) {
	g.T.Helper()
	g.Mkdir(filepath.Dir(name))
	if err := os.Symlink(target, g.Path(name)); err != nil {
		g.T.Fatal(err)
	}
}

func (g *gitRepo) chmod(name string, mode os.FileMode) {
	g.T.Helper()
	if err := os.Chmod(g.Path(name), mode); err != nil {
		g.T.Fatal(err)
	}
}

func (g *gitRepo) remove(name string) {
	g.T.Helper()
	if err := os.RemoveAll(g.Path(name)); err != nil {
		g.T.Fatal(err)
	}
}

// open opens the repository with the package under test.
func (g *gitRepo) open() *Repository {
	g.T.Helper()
	r, err := Open(g.Dir)
	if err != nil {
		g.T.Fatal(err)
	}
	g.T.Cleanup(func() { r.Close() })
	return r
}

func (g *gitRepo) workTree() *Snapshot {
	g.T.Helper()
	t, err := g.open().WorkTree()
	if err != nil {
		g.T.Fatal(err)
	}
	return t
}

func (g *gitRepo) commitTree(rev string) *Snapshot {
	g.T.Helper()
	r := g.open()
	c, err := r.Resolve(rev)
	if err != nil {
		g.T.Fatal(err)
	}
	t, err := r.CommitTree(c)
	if err != nil {
		g.T.Fatal(err)
	}
	return t
}

// lines makes a file of n numbered lines that no other file has.
func lines(tag string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(tag + " line " + strconv.Itoa(i+1) + "\n")
	}
	return b.String()
}

// fields splits NUL-separated output.
func fields(out string) []string {
	out = strings.TrimSuffix(out, "\x00")
	if out == "" {
		return nil
	}
	return strings.Split(out, "\x00")
}
