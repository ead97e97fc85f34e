// The tests make named pipes, links and odd file names: not on Windows.

//go:build unix

package repo

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// gitRepo is a real repository, made and asked with the git binary.
type gitRepo struct {
	t   testing.TB
	dir string
	env []string
	at  int // seconds, for the next commit's date
}

// newGitRepo makes an empty repository.
func newGitRepo(t testing.TB) *gitRepo {
	t.Helper()
	g := inDir(t, filepath.Join(t.TempDir(), "work"))
	g.mkdir(".")
	g.git("init", "-q", "-b", "main")
	return g
}

// inDir is a repository that exists in dir, or will.
func inDir(t testing.TB, dir string) *gitRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests make repositories with git, and compare with it: install the git binary")
	}
	return &gitRepo{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Grace", "GIT_COMMITTER_EMAIL=grace@example.org",
		"GIT_ALLOW_PROTOCOL=file",
		// Lets git itself be the oracle where the owner is another.
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0", // no packing behind our back
	}, at: 1_700_000_000}
}

// git runs git and returns its output; a failure ends the test.
func (g *gitRepo) git(args ...string) string {
	g.t.Helper()
	out, err := g.try(args...)
	if err != nil {
		g.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (g *gitRepo) try(args ...string) (string, error) {
	date := "@" + strconv.Itoa(g.at) + " +0100"
	cmd := exec.Command("git", args...)
	cmd.Dir = g.dir
	cmd.Env = append(g.env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.t.Log(stderr.String())
	}
	return string(out), err
}

// commit commits everything and returns the hash.
func (g *gitRepo) commit(message string) string {
	g.t.Helper()
	g.git("add", "-A")
	g.at++
	g.git("commit", "-q", "--allow-empty", "-m", message)
	return g.head()
}

func (g *gitRepo) head() string { return strings.TrimSpace(g.git("rev-parse", "HEAD")) }

func (g *gitRepo) path(name string) string { return filepath.Join(g.dir, filepath.FromSlash(name)) }

func (g *gitRepo) mkdir(name string) {
	g.t.Helper()
	if err := os.MkdirAll(g.path(name), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitRepo) write(name, content string) {
	g.t.Helper()
	g.mkdir(filepath.Dir(name))
	if err := os.WriteFile(g.path(name), []byte(content), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitRepo) link(name, target string) {
	g.t.Helper()
	g.mkdir(filepath.Dir(name))
	if err := os.Symlink(target, g.path(name)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitRepo) chmod(name string, mode os.FileMode) {
	g.t.Helper()
	if err := os.Chmod(g.path(name), mode); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitRepo) remove(name string) {
	g.t.Helper()
	if err := os.RemoveAll(g.path(name)); err != nil {
		g.t.Fatal(err)
	}
}

// open opens the repository with the package under test.
func (g *gitRepo) open() *Repository {
	g.t.Helper()
	r, err := Open(g.dir)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { r.Close() })
	return r
}

func (g *gitRepo) workTree() *Tree {
	g.t.Helper()
	t, err := g.open().WorkTree()
	if err != nil {
		g.t.Fatal(err)
	}
	return t
}

func (g *gitRepo) commitTree(rev string) *Tree {
	g.t.Helper()
	r := g.open()
	c, err := r.Resolve(rev)
	if err != nil {
		g.t.Fatal(err)
	}
	t, err := r.CommitTree(c)
	if err != nil {
		g.t.Fatal(err)
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
