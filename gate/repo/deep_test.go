//go:build unix

package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// deepFolder makes a folder so many levels deep, which no single path can name, and a file
// at its end.
func deepFolder(t *testing.T, at string, depth int, name string) {
	t.Helper()
	root, err := os.OpenRoot(at)
	if err != nil {
		t.Fatal(err)
	}
	for range depth {
		if err := root.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := root.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		root.Close()
		root = next
	}
	defer root.Close()
	f, err := root.Create("file")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// A folder deeper than any that is looked into is an error, as quickly in the work tree as in
// a commit; to leave it out would hide what is in it.
func TestDeepFolders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		depth int
		name  string
		want  error
	}{{256, "d", nil}, {257, "d", ErrTooLarge}, {700, "d", ErrTooLarge}, {700, "longer-than-a-path-may-be", ErrTooLarge}} {
		g := newGitRepo(t)
		g.Write("a", "1\n")
		g.Write(".gitignore", "/ignored\n")
		g.Commit("one")
		// Nobody looks into what is ignored.
		g.Mkdir("ignored")
		deepFolder(t, g.Path("ignored"), c.depth, c.name)
		if _, err := g.open().WorkTree(); err != nil {
			t.Errorf("ignored: %v", err)
		}
		deepFolder(t, g.Dir, c.depth, c.name)
		work, err := g.open().WorkTree()
		if !errors.Is(err, c.want) {
			t.Errorf("work tree, %d: got %v", c.depth, err)
		}
		name := strings.Repeat(c.name+"/", c.depth) + "file"
		g.GitWith("commit refs/heads/deep\ncommitter G <g@example.org> 1 +0000\ndata 1\nx\nM 100644 inline "+name+"\ndata 0\n",
			"fast-import", "--quiet")
		r := g.open()
		if _, err := r.CommitTree(must(t)(r.Resolve("deep"))); !errors.Is(err, c.want) {
			t.Errorf("commit, %d: got %v", c.depth, err)
		}
		if c.want != nil {
			if !strings.Contains(err.Error(), "deeper than 256") || len(err.Error()) > 300 {
				t.Errorf("got %v", err)
			}
			continue
		}
		if content, err := work.ReadFile(name); err != nil || len(content) > 0 || !work.Lists(name) {
			t.Errorf("%d: got %q, %v", c.depth, content, err)
		}
	}
}

// A name that is deeper than anything can be says so, and is not looked for.
func TestDeepNames(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Mkdir("d")
	deepFolder(t, g.Path("d"), 400, "d")
	g.Write(".git/info/exclude", "/d\n")
	for _, tree := range []*Snapshot{g.workTree(), g.commitTree("HEAD")} {
		if _, err := tree.Open(strings.Repeat("d/", 300) + "file"); !errors.Is(err, ErrTooLarge) {
			t.Errorf("got %v", err)
		}
		if _, err := tree.Open(strings.Repeat("x/", 200) + "file"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
}

// Ignore files are bounded by what they may cost, too.
func TestVeryLongIgnorePatterns(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for i := range 200 {
		g.Write(filepath.Join("dir", strings.Repeat("a", 100)+strconv.Itoa(i)), "1\n")
	}
	g.Write(".gitignore", strings.Repeat("*a", 100_000)+"\n*.log\n")
	g.Write("x.log", "1\n")
	if got := g.workTree(); len(got.Files()) != 201 || got.Lists("x.log") {
		t.Errorf("got %d files", len(got.Files()))
	}
}
