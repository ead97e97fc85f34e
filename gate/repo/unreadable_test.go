//go:build unix

package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// damage changes the file of a loose object.
func damage(g *gitRepo, id string, change func(content []byte) []byte) {
	g.T.Helper()
	name := g.Path(".git/objects/" + id[:2] + "/" + id[2:])
	content, err := os.ReadFile(name)
	if err != nil {
		g.T.Fatal(err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		g.T.Fatal(err)
	}
	if err := os.WriteFile(name, change(content), 0o644); err != nil {
		g.T.Fatal(err)
	}
}

// An object that is not as its id says is unreadable, and never absent.
func TestDamagedObjects(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"cut":       func(b []byte) []byte { return b[:len(b)-12] },
		"cut early": func(b []byte) []byte { return b[:9] },
		"no zlib":   func([]byte) []byte { return []byte("hello, this is no object") },
	} {
		g := newGitRepo(t)
		g.Write("a", lines("a", 40))
		g.Write("dir/b", "b\n")
		g.Commit("one")
		damage(g, g.Git("rev-parse", "HEAD:a"), change)
		tree := g.commitTree("HEAD")
		if _, err := tree.ReadFile("a"); !errors.Is(err, ErrCorruptObject) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v", name, err)
		}
		damage(g, g.Git("rev-parse", "HEAD:dir"), change)
		r := g.open()
		if _, err := r.CommitTree(must(t)(r.Head())); !errors.Is(err, ErrCorruptObject) {
			t.Errorf("%s: tree: got %v", name, err)
		}
	}
}

// An object file with the content of another one.
func TestObjectsOfAnotherId(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "a\n")
	g.Write("b", "b\n")
	g.Commit("one")
	b := g.Git("rev-parse", "HEAD:b")
	other, err := os.ReadFile(g.Path(".git/objects/" + b[:2] + "/" + b[2:]))
	if err != nil {
		t.Fatal(err)
	}
	damage(g, g.Git("rev-parse", "HEAD:a"), func([]byte) []byte { return other })
	if got, err := g.commitTree("HEAD").ReadFile("a"); !errors.Is(err, ErrCorruptObject) {
		t.Errorf("got %q, %v", got, err)
	}
	// An alternate that has it whole mends that, as with git.
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--shared", g.Dir, clone.Dir)
	whole := g.Git("rev-parse", "HEAD:a")
	clone.Write(".git/objects/"+whole[:2]+"/"+whole[2:], "")
	if _, err := clone.commitTree("HEAD").ReadFile("a"); !errors.Is(err, ErrCorruptObject) {
		t.Errorf("got %v", err)
	}
	g.remove(".git/objects/" + whole[:2] + "/" + whole[2:])
	g.GitWith("a\n", "hash-object", "-w", "--stdin")
	if got, err := clone.commitTree("HEAD").ReadFile("a"); err != nil || string(got) != "a\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A pack that is gone, or cut off, with its index still there.
func TestDamagedPacks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(pack string) error{
		"gone": os.Remove,
		"cut":  func(pack string) error { return os.Truncate(pack, 40) },
		"zero": func(pack string) error {
			content, err := os.ReadFile(pack)
			if err != nil {
				return err
			}
			clear(content[20:])
			return os.WriteFile(pack, content, 0o644)
		},
	} {
		g := newGitRepo(t)
		g.Write("a", lines("a", 400))
		g.Commit("one")
		blob := g.Git("rev-parse", "HEAD:a")
		g.Git("gc", "-q")
		packs, err := filepath.Glob(g.Path(".git/objects/pack/*.pack"))
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		r := g.open()
		if err := os.Chmod(packs[0], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := change(packs[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Blob(blob); !errors.Is(err, ErrMissingObject) && !errors.Is(err, ErrCorruptObject) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What a sparse checkout left out of a partial clone is in no place at all.
func TestSparsePartialClone(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("in/a", "a\n")
	g.Write("out/b", "b\n")
	g.link("in/link", "../out/b")
	g.link("out/link", "b")
	g.Commit("one")
	g.Git("config", "uploadpack.allowFilter", "true")
	for _, filter := range []string{"blob:none", "blob:limit=0"} {
		clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
		g.Git("clone", "-q", "--sparse", "--filter="+filter, "file://"+g.Dir, clone.Dir)
		clone.Git("sparse-checkout", "set", "in")
		for state, tree := range map[string]*Snapshot{"work tree": clone.workTree(), "commit": clone.commitTree("HEAD")} {
			checkReads(t, filter+", "+state, tree, []readCase{
				{"in/a", "a\n", nil},
				{"out/b", "", ErrMissingObject},
				{"out/link", "", ErrMissingObject},
				{"in/link", "", ErrMissingObject},
				{"out/nothing", "", fs.ErrNotExist},
			})
			if !slicesContainAll(tree.Files(), "out/b", "out/link") {
				t.Errorf("%s: they are not listed: %v", state, tree.Files())
			}
		}
		if !clone.workTree().Clean() {
			t.Error("not clean")
		}
	}
}
