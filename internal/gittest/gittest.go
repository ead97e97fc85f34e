// Package gittest makes real git repositories for tests, and asks git about them.
//
//	g := gittest.New(t)
//	g.Write("tokens/swiss.yml", "id: swiss\n")
//	first := g.Commit("a token")
//
// Nothing of the machine's configuration counts, and time goes on by a second for each
// commit, so that a test sees the same ids everywhere. Whatever fails ends the test.
package gittest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Repo is a repository, or a folder in which one will be.
type Repo struct {
	T   testing.TB
	Dir string
	// At is the time of the next commit, in Unix seconds; [Repo.Commit] adds one first.
	At int
	// Env is the environment of git, but for the dates.
	Env []string
}

// New makes an empty repository in a folder of its own.
func New(t testing.TB) *Repo {
	t.Helper()
	g := In(t, filepath.Join(t.TempDir(), "work"))
	g.Mkdir(".")
	g.Git("init", "-q", "-b", "main")
	return g
}

// In is the repository that is in dir, or will be.
func In(t testing.TB, dir string) *Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests make repositories with git, and compare with it: install the git binary")
	}
	return &Repo{T: t, Dir: dir, At: 1_700_000_000, Env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Grace", "GIT_COMMITTER_EMAIL=grace@example.org",
		// Lets git itself be the oracle where the owner is another, and packs nothing
		// behind our back.
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
	}}
}

// Git runs git and returns its output without the last line end.
func (g *Repo) Git(args ...string) string {
	g.T.Helper()
	return g.GitWith("", args...)
}

// GitWith is Git with a standard input.
func (g *Repo) GitWith(stdin string, args ...string) string {
	g.T.Helper()
	out, err := g.run(stdin, args)
	if err != nil {
		g.T.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// Try is Git where git may fail.
func (g *Repo) Try(args ...string) (string, error) {
	g.T.Helper()
	return g.run("", args)
}

func (g *Repo) run(stdin string, args []string) (string, error) {
	g.T.Helper()
	date := "@" + strconv.Itoa(g.At) + " +0100"
	cmd := exec.Command("git", args...)
	cmd.Dir = g.Dir
	cmd.Env = append(g.Env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.T.Log(stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// Commit commits everything and returns the hash.
func (g *Repo) Commit(message string) string {
	g.T.Helper()
	g.Git("add", "-A")
	g.At++
	g.GitWith(message, "commit", "-q", "--allow-empty", "-F", "-")
	return g.Head()
}

// Head is the hash of the commit that is checked out.
func (g *Repo) Head() string {
	g.T.Helper()
	return g.Git("rev-parse", "HEAD")
}

// Path is where a file of the work tree lies; its name has slashes.
func (g *Repo) Path(name string) string { return filepath.Join(g.Dir, filepath.FromSlash(name)) }

// Mkdir makes a folder of the work tree, and those above it.
func (g *Repo) Mkdir(name string) {
	g.T.Helper()
	if err := os.MkdirAll(g.Path(name), 0o755); err != nil {
		g.T.Fatal(err)
	}
}

// Write writes a file of the work tree, and makes its folder.
func (g *Repo) Write(name, content string) {
	g.T.Helper()
	g.Mkdir(filepath.Dir(name))
	if err := os.WriteFile(g.Path(name), []byte(content), 0o644); err != nil {
		g.T.Fatal(err)
	}
}
