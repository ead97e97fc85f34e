//go:build unix

package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// withSubmodule is a repository with a submodule at libs/sub that was moved on once: the
// first commit has token 1, the second token 2.
func withSubmodule(t *testing.T) (g, sub *gitRepo) {
	t.Helper()
	inner := newGitRepo(t)
	inner.Write("deep", "inner\n")
	inner.Commit("one")
	sub = newGitRepo(t)
	sub.Write("token", "1\n")
	sub.Write("dir/file", "1\n")
	sub.link("out", "../../top")
	sub.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Dir, "inner")
	sub.Commit("one")
	g = newGitRepo(t)
	g.Write("top", "top\n")
	g.link("link", "libs/sub/token")
	g.link("dirlink", "libs/sub/dir")
	g.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "odd name", sub.Dir, "libs/sub")
	g.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	g.Commit("one")
	sub.Write("token", "2\n")
	sub.Commit("two")
	inDir(t, g.Path("libs/sub")).Git("pull", "-q")
	g.Commit("two")
	return g, sub
}

type readCase struct {
	name    string
	content string
	err     error
}

func checkReads(t *testing.T, state string, tree *Snapshot, cases []readCase) {
	t.Helper()
	for _, c := range cases {
		content, err := tree.ReadFile(c.name)
		if string(content) != c.content || !errors.Is(err, c.err) || c.err == nil && err != nil {
			t.Errorf("%s: %s: got %q, %v; want %q, %v", state, c.name, content, err, c.content, c.err)
		}
		if c.err != fs.ErrNotExist && errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %s is called absent: %v", state, c.name, err)
		}
		if c.err == nil {
			continue
		}
		if _, err := tree.Stat(c.name); !errors.Is(err, c.err) {
			t.Errorf("%s: Stat(%s): got %v", state, c.name, err)
		}
		if _, err := tree.Open(c.name); !errors.Is(err, c.err) {
			t.Errorf("%s: Open(%s): got %v", state, c.name, err)
		}
	}
}

// What is in a submodule can be read where its objects are at hand, and is never absent where
// they are not.
func TestBelowSubmodules(t *testing.T) {
	t.Parallel()
	g, _ := withSubmodule(t)
	there := []readCase{
		{"top", "top\n", nil},
		{"libs/sub/token", "2\n", nil},
		{"libs/sub/dir/file", "1\n", nil},
		{"libs/sub/out", "top\n", nil},
		{"libs/sub/inner/deep", "inner\n", nil},
		{"link", "2\n", nil},
		{"dirlink/file", "1\n", nil},
		{"libs/sub/nothing", "", fs.ErrNotExist},
		{"libs/sub/token/x", "", fs.ErrNotExist},
		{"libs/sub/inner/nothing", "", fs.ErrNotExist},
		{"libs/nothing", "", fs.ErrNotExist},
	}
	checkReads(t, "work tree", g.workTree(), there)
	checkReads(t, "commit", g.commitTree("HEAD"), there)
	checkReads(t, "base", g.commitTree("HEAD^"), []readCase{{"libs/sub/token", "1\n", nil}, {"link", "1\n", nil}})
	if entries, err := g.commitTree("HEAD").ReadDir("libs/sub/dir"); err != nil || len(entries) != 1 || entries[0].Name() != "file" {
		t.Errorf("got %v, %v", entries, err)
	}

	notThere := func(link string) []readCase {
		return []readCase{
			{link + "/token", "", ErrSubmodule}, {link + "/nothing", "", ErrSubmodule}, {link + "/inner/deep", "", ErrSubmodule},
			{"link", "", ErrSubmodule}, {"dirlink/file", "", ErrSubmodule},
			{"top", "top\n", nil}, {"libs/nothing", "", fs.ErrNotExist}, {"libs/subx/token", "", fs.ErrNotExist},
		}
	}
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", g.Dir, clone.Dir)
	checkReads(t, "clone", clone.workTree(), notThere("libs/sub"))
	checkReads(t, "commit of a clone", clone.commitTree("HEAD"), append(notThere("libs/sub"), readCase{"libs/sub", "", ErrSubmodule}))
	if _, err := clone.commitTree("HEAD").ReadFile("link"); !errors.Is(err, ErrMissingObject) {
		t.Errorf("the cause is not told: %v", err)
	}

	// The submodule is there, and the one inside it is not.
	clone.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
	half := []readCase{
		{"libs/sub/token", "2\n", nil}, {"libs/sub/nothing", "", fs.ErrNotExist},
		{"libs/sub/inner/deep", "", ErrSubmodule}, {"libs/sub/inner/nothing", "", ErrSubmodule},
	}
	checkReads(t, "half", clone.workTree(), half)
	checkReads(t, "commit, half", clone.commitTree("HEAD"), half)

	// A submodule whose clone lacks the recorded commit.
	if err := os.RemoveAll(clone.Path(".git/modules/odd name/objects/pack")); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(clone.Path(".git/modules/odd name/objects"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Remove(name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	checkReads(t, "emptied", clone.commitTree("HEAD"), notThere("libs/sub"))
}

// What a .gitmodules says must not lead out of .git/modules.
func TestSubmoduleNamesAreConfined(t *testing.T) {
	t.Parallel()
	g, sub := withSubmodule(t)
	for _, name := range []string{"../../../" + filepath.Base(filepath.Dir(sub.Dir)) + "/work/.git", sub.Dir + "/.git", "..", ".", "a/../../x"} {
		g.Write(".gitmodules", "[submodule \""+name+"\"]\n\tpath = libs/sub\n")
		g.Commit("hostile")
		clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
		g.Git("clone", "-q", g.Dir, clone.Dir)
		if _, err := clone.commitTree("HEAD").ReadFile("libs/sub/token"); !errors.Is(err, ErrSubmodule) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Differing and Clean see that a submodule of the work tree is not as it is recorded.
func TestSubmodulesThatDiffer(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(g, inside *gitRepo)
		want   []string
	}{
		{"nothing", func(g, inside *gitRepo) {}, nil},
		{"another commit is checked out", func(g, inside *gitRepo) { inside.Git("checkout", "-q", "HEAD^") }, []string{"libs/sub"}},
		{"a file is modified", func(g, inside *gitRepo) { inside.Write("token", "3\n") }, []string{"libs/sub"}},
		{"a file is new", func(g, inside *gitRepo) { inside.Write("new", "3\n") }, []string{"libs/sub"}},
		{"a file in the one inside it", func(g, inside *gitRepo) { inside.Write("inner/deep", "3\n") }, []string{"libs/sub"}},
		{"the index has another commit", func(g, inside *gitRepo) {
			inside.Git("checkout", "-q", "HEAD^")
			g.Git("add", "libs/sub")
		}, []string{"libs/sub"}},
		{"not checked out", func(g, inside *gitRepo) { g.Git("submodule", "--quiet", "deinit", "-f", "libs/sub") }, nil},
		{"its folder is gone", func(g, inside *gitRepo) { g.remove("libs/sub") }, []string{"libs/sub"}},
		{"a file in its place", func(g, inside *gitRepo) { g.remove("libs/sub"); g.Write("libs/sub", "x") }, []string{"libs/sub"}},
		{"its repository is broken", func(g, inside *gitRepo) { g.remove("libs/sub/.git"); g.Write("libs/sub/.git", "gitdir: nowhere") }, []string{"libs/sub"}},
	}
	made, _ := withSubmodule(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := inDir(t, filepath.Join(t.TempDir(), "copy"))
			if out, err := exec.Command("cp", "-a", made.Dir, g.Dir).CombinedOutput(); err != nil {
				t.Fatal(string(out), err)
			}
			c.change(g, inDir(t, g.Path("libs/sub")))
			r := g.open()
			head, err := r.CommitTree(must(t)(r.Head()))
			if err != nil {
				t.Fatal(err)
			}
			work, err := r.WorkTree()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := r.Differing(context.Background(), head, work); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
			if got, err := r.Differing(context.Background(), work, head); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("backwards: got %v, %v, want %v", got, err, c.want)
			}
			if work.Clean() != (c.want == nil) {
				t.Errorf("clean: got %v", work.Clean())
			}
			// git gives up on a broken submodule.
			if git, err := g.Try("status", "--porcelain"); err == nil && (git == "") != (c.want == nil) {
				t.Errorf("git says %q", git)
			}
		})
	}
}
