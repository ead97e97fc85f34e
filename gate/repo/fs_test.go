//go:build unix

package repo

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
)

// linkRepo has links of every kind, and a file to compare with.
func linkRepo(t *testing.T) *gitRepo {
	g := newGitRepo(t)
	g.Write("file", "content\n")
	g.Write("dir/inner", "inner\n")
	g.Write("dir/run", "#!\n")
	g.chmod("dir/run", 0o755)
	g.link("link", "file")
	g.link("dir/up", "../file")
	g.link("dirlink", "dir")
	g.link("chain", "dirlink/up")
	g.link("dots", "dir/.././dir//inner")
	g.link("dangling", "nowhere")
	g.link("loop", "loop")
	g.link("out", "../outside")
	g.link("dir/out", "../../outside")
	g.link("absolute", "/etc/hostname")
	g.link("todot", ".git/config")
	g.link("gitdir", ".git")
	g.link("shouting", ".GIT/config")
	g.link("through-file", "file/x")
	g.Commit("links")
	return g
}

// What each path of linkRepo gives, in the work tree and in the commit alike.
var linkCases = []struct {
	name    string
	content string
	err     error
}{
	{"file", "content\n", nil},
	{"link", "content\n", nil},
	{"dir/up", "content\n", nil},
	{"dirlink/inner", "inner\n", nil},
	{"dirlink/up", "content\n", nil},
	{"chain", "content\n", nil},
	{"dots", "inner\n", nil},
	{"dangling", "", fs.ErrNotExist},
	{"loop", "", fs.ErrInvalid},
	{"out", "", ErrEscapes},
	{"dir/out", "", ErrEscapes},
	{"dirlink/out", "", ErrEscapes},
	{"absolute", "", ErrEscapes},
	{"todot", "", ErrEscapes},
	{"gitdir/config", "", ErrEscapes},
	{"shouting", "", ErrEscapes},
	{"through-file", "", fs.ErrNotExist},
	{"file/x", "", fs.ErrNotExist},
	{".git/config", "", fs.ErrNotExist},
	{".git", "", fs.ErrNotExist},
	{".Git/config", "", fs.ErrNotExist},
	{"dir", "", errIsDir},
	{"dirlink", "", errIsDir},
	{"/file", "", fs.ErrInvalid},
	{"../outside", "", fs.ErrInvalid},
	{"dir/../file", "", fs.ErrInvalid},
	{"./file", "", fs.ErrInvalid},
	{"dir/", "", fs.ErrInvalid},
	{"", "", fs.ErrInvalid},
	{"bad\xffname", "", fs.ErrInvalid},
	{"nul\x00", "", nil},
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	g := linkRepo(t)
	for state, tree := range map[string]*Snapshot{"work tree": g.workTree(), "commit": g.commitTree("HEAD")} {
		for _, c := range linkCases {
			content, err := tree.ReadFile(c.name)
			if c.name == "nul\x00" {
				if err == nil {
					t.Errorf("%s: %q was read", state, c.name)
				}
				continue
			}
			if string(content) != c.content || !errors.Is(err, c.err) {
				t.Errorf("%s: %q: got %q, %v; want %q, %v", state, c.name, content, err, c.content, c.err)
			}
			var p *fs.PathError
			if err != nil && (!errors.As(err, &p) || p.Path != c.name) {
				t.Errorf("%s: %q: the error does not name it: %v", state, c.name, err)
			}
			if c.err != nil && c.err != errIsDir {
				if _, err := tree.Open(c.name); !errors.Is(err, c.err) {
					t.Errorf("%s: Open(%q): got %v, want %v", state, c.name, err, c.err)
				}
				if _, err := tree.Stat(c.name); !errors.Is(err, c.err) {
					t.Errorf("%s: Stat(%q): got %v, want %v", state, c.name, err, c.err)
				}
			}
		}
		// Links are files wherever they lead: one that was left out would hide evidence.
		want := []string{
			"absolute", "chain", "dangling", "dir/inner", "dir/out", "dir/run", "dir/up", "dirlink", "dots", "file",
			"gitdir", "link", "loop", "out", "shouting", "through-file", "todot",
		}
		if got := tree.Files(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", state, got, want)
		}
		info, err := tree.Stat("dir/run")
		if err != nil || info.Mode().Perm()&0o100 == 0 {
			t.Errorf("%s: dir/run is not executable: %v", state, err)
		}
	}
}

// fs.FS to the letter, for both kinds of tree. Links that can't be opened are left
// out: fstest opens all it sees.
func TestFS(t *testing.T) {
	t.Parallel()
	g := linkRepo(t)
	for _, name := range []string{"dangling", "loop", "out", "dir/out", "absolute", "todot", "gitdir", "shouting", "through-file"} {
		g.remove(name)
	}
	g.Write("new\nline", "1")
	g.Write("quo\"te", "2")
	g.Write("ünï/ç", "3")
	g.Commit("fewer")
	for state, tree := range map[string]*Snapshot{"work tree": g.workTree(), "commit": g.commitTree("HEAD")} {
		if err := fstest.TestFS(tree, tree.Files()...); err != nil {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A named pipe without a writer would block an ordinary open for ever.
func TestNamedPipeIsRefused(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.link("to-pipe", "pipe")
	work := g.workTree()
	if err := syscall.Mkfifo(g.Path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	g.remove("a")
	if err := syscall.Mkfifo(g.Path("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "to-pipe", "a"} {
		if _, err := work.Open(name); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), "named pipe") {
			t.Errorf("Open(%q): got %v", name, err)
		}
		if _, err := work.ReadFile(name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("ReadFile(%q): got %v", name, err)
		}
	}
}

func TestOpenReadsInPieces(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	big := lines("big", 9000) // over the size up to which go-git keeps objects in memory
	g.Write("big", big)
	g.Commit("one")
	g.Git("gc", "-q")
	for state, tree := range map[string]*Snapshot{"work tree": g.workTree(), "commit": g.commitTree("HEAD")} {
		f, err := tree.Open("big")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != big {
			t.Errorf("%s: got %d bytes, %v", state, len(got), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestConcurrentReads(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const n = 60
	for i := range n {
		g.Write(string(rune('a'+i%26))+"/"+strings.Repeat("x", i+1), lines(strings.Repeat("y", i), 400))
	}
	g.Commit("files")
	g.Git("gc", "-q")
	g.Write("a/x", "changed")
	r := g.open()
	head, err := r.CommitTree(must(t)(r.Head()))
	if err != nil {
		t.Fatal(err)
	}
	work, err := r.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range n {
				name := string(rune('a'+i%26)) + "/" + strings.Repeat("x", i+1)
				for _, tree := range []*Snapshot{head, work} {
					content, err := tree.ReadFile(name)
					if err != nil || name != "a/x" && string(content) != lines(strings.Repeat("y", i), 400) {
						t.Errorf("worker %d: %s: %d bytes, %v", worker, name, len(content), err)
					}
					tree.BlobID(name)
				}
			}
			if changes, err := r.Diff(head, work); err != nil || len(changes) != 1 {
				t.Errorf("worker %d: got %v, %v", worker, changes, err)
			}
		})
	}
	all.Wait()
}
