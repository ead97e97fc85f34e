//go:build unix

package repo

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// rawTree writes a tree object that git itself would not make. Each entry is a
// mode, a name and the hash of an object.
func rawTree(g *gitRepo, entries ...[3]string) string {
	g.T.Helper()
	var b strings.Builder
	for _, e := range entries {
		id, err := hex.DecodeString(e[2])
		if err != nil {
			g.T.Fatal(err)
		}
		b.WriteString(e[0] + " " + e[1] + "\x00" + string(id))
	}
	return rawObject(g, "tree", b.String())
}

func rawObject(g *gitRepo, kind, content string) string {
	g.T.Helper()
	return g.GitWith(content, "hash-object", "-t", kind, "--literally", "-w", "--stdin")
}

func rawCommit(g *gitRepo, tree string) Commit {
	g.T.Helper()
	c, err := g.open().Resolve(g.Git("commit-tree", "-m", "raw", tree))
	if err != nil {
		g.T.Fatal(err)
	}
	return c
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	blob := rawObject(g, "blob", "content\n")
	inner := rawTree(g, [3]string{"100644", "config", blob})
	tree := rawTree(g,
		[3]string{"100644", "good", blob},
		[3]string{"100644", "good", rawObject(g, "blob", "the second of that name\n")},
		[3]string{"40000", "good", inner},
		[3]string{"40000", "..", inner},
		[3]string{"40000", ".", inner},
		[3]string{"40000", ".git", inner},
		[3]string{"40000", ".GiT", inner},
		[3]string{"40000", ".git. ", inner},
		[3]string{"40000", "git~1", inner},
		[3]string{"100644", "with/slash", blob},
		[3]string{"100644", "/absolute", blob},
		[3]string{"100644", "latin\xe9", blob},
		[3]string{"100664", "old-mode", blob},
		[3]string{"100644", "new\nline", blob},
		[3]string{"100644", "a\\b", blob},
		[3]string{"120000", "link", rawObject(g, "blob", "new\nline")},
		[3]string{"120000", "up", rawObject(g, "blob", "../../etc/hostname")},
		[3]string{"120000", "long", rawObject(g, "blob", strings.Repeat("./", 4000)+"good")},
	)
	r := g.open()
	state, err := r.CommitTree(rawCommit(g, tree))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := state.Files(), []string{"a\\b", "good", "link", "long", "new\nline", "old-mode", "up"}; !slices.Equal(got, want) {
		t.Errorf("files: got %q, want %q", got, want)
	}
	want := []string{
		"../config", "./config", ".GiT/config", ".git. /config", ".git/config", "/absolute",
		"git~1/config", "good", "good/config", "latin\xe9", "with/slash",
	}
	if got := state.Unusable(); !slices.Equal(got, want) {
		t.Errorf("unusable: got %q, want %q", got, want)
	}
	for _, name := range want {
		content, err := state.ReadFile(name)
		if name == "good" {
			if err != nil || string(content) != "content\n" {
				t.Errorf("the first of a name is not the one that is read: %q, %v", content, err)
			}
		} else if err == nil {
			t.Errorf("%q was read", name)
		}
	}
	for name, want := range map[string]error{"up": ErrEscapes, "long": fs.ErrInvalid} {
		if _, err := state.ReadFile(name); !errors.Is(err, want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Names that are no text exist on disk too.
func TestNamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Write("tracked\xff", "1\n")
	g.Write("dir\xfe/inner", "1\n")
	g.Commit("one")
	work := g.workTree()
	if got := work.Files(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("files: got %q", got)
	}
	for _, state := range []*Snapshot{work, g.commitTree("HEAD")} {
		if got, want := state.Unusable(), []string{"dir\xfe/inner", "tracked\xff"}; !slices.Equal(got, want) {
			t.Errorf("unusable: got %q, want %q", got, want)
		}
		if !state.Clean() {
			t.Error("not clean")
		}
		if err := fstest.TestFS(state, "a"); err != nil {
			t.Error(err)
		}
	}
	one := g.commitTree("HEAD")
	if got := g.workTree().UnusableSince(one); len(got) > 0 {
		t.Errorf("changed since: %q", got)
	}
	g.Write("tracked\xff", "2\n")
	g.Write("new\xff", "1\n")
	if g.workTree().Clean() {
		t.Error("a change in a file that can't be opened went unseen")
	}
	if got, want := g.workTree().UnusableSince(one), []string{"new\xff", "tracked\xff"}; !slices.Equal(got, want) {
		t.Errorf("changed since: got %q, want %q", got, want)
	}
}

// Few objects that unfold to ten billion files.
func TestTreeBombIsRefused(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	id, mode := rawObject(g, "blob", "x"), "100644"
	for range 10 {
		var entries [][3]string
		for _, name := range strings.Split("abcdefghij", "") {
			entries = append(entries, [3]string{mode, name, id})
		}
		id, mode = rawTree(g, entries...), "40000"
	}
	if _, err := g.open().CommitTree(rawCommit(g, id)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestMalformedTrees(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("x", 20)
	for _, content := range []string{
		"100644 a\x00" + id[1:], "100644 a", "100644", " a\x00" + id, "10x644 a\x00" + id, "777777777777 a\x00" + id, "100644 a\x00" + id + "1",
	} {
		rest := []byte(content)
		var err error
		for len(rest) > 0 && err == nil {
			_, rest, err = cutTreeEntry(rest)
		}
		if err == nil {
			t.Errorf("%q was read", content)
		}
	}
}

func FuzzTreeEntry(f *testing.F) {
	f.Add([]byte("100644 a\x00aaaaaaaaaaaaaaaaaaaa40000 b\x00bbbbbbbbbbbbbbbbbbbb"))
	f.Add([]byte("120000 \x00aaaaaaaaaaaaaaaaaaaa"))
	f.Add([]byte("1 "))
	f.Fuzz(func(t *testing.T, content []byte) {
		for len(content) > 0 {
			e, rest, err := cutTreeEntry(content)
			if err != nil {
				return
			}
			if len(rest) >= len(content) || strings.Contains(e.path, "\x00") {
				t.Fatalf("%q: %+v, %d bytes left", content, e, len(rest))
			}
			content = rest
		}
	})
}

func FuzzIndex(f *testing.F) {
	g := newGitRepo(f)
	g.Write("a", "1\n")
	g.Write("ab/c", "2\n")
	g.Commit("one")
	for _, version := range []string{"2", "4"} {
		g.Git("update-index", "--index-version", version)
		f.Add([]byte(readFile(f, g.Path(".git/index"))))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if n := len(content); n >= 20 {
			clear(content[n-20:]) // no checksum, so that what is inside gets read
		}
		entries, err := parseIndex(content)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(entries, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) }) {
			t.Fatalf("out of order: %+v", entries)
		}
	})
}

func FuzzFollow(f *testing.F) {
	f.Add("a/b", "../c", "/etc")
	f.Add("a", "a", ".")
	f.Add("a/b/c", "a/../..", "x")
	f.Fuzz(func(t *testing.T, name, first, second string) {
		if !fs.ValidPath(name) {
			return
		}
		got, err := follow(name, func(at string) (string, bool, error) {
			if !usablePath(at) && fs.ValidPath(at) {
				t.Fatalf("asked for %q", at)
			}
			switch len(at) % 3 {
			case 0:
				return first, true, nil
			case 1:
				return second, true, nil
			}
			return "", false, nil
		})
		if err == nil && got != "." && (strings.HasPrefix(got, "/") || slices.Contains(strings.Split(got, "/"), "..")) {
			t.Fatalf("%q leads to %q", name, got)
		}
	})
}
