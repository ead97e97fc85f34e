//go:build unix

package repo

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// gitFiles is what git says belongs to the work tree: what it lists, without what
// is deleted, and without submodules.
func gitFiles(g *gitRepo) []string {
	g.T.Helper()
	var names []string
	for _, name := range fields(g.Git("ls-files", "-z", "--cached", "--others", "--exclude-standard")) {
		info, err := os.Lstat(g.Path(name))
		if err == nil && !info.IsDir() && usablePath(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestWorkTreeFilesAgreeWithGit(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("tracked", "1\n")
	g.Write("dir/tracked", "2\n")
	g.Write("deleted", "3\n")
	g.Write("ignored-dir/but-tracked", "4\n")
	g.Write("becomes-dir", "5\n")
	g.link("link", "dir/tracked")
	g.link("dangling", "nowhere")
	g.link("to-dir", "dir")
	g.Commit("files")
	g.Write(".gitignore", "*.log\n!keep.log\nignored-dir/\n/anchored\nbuild\n")
	g.Write("dir/.gitignore", "local\n!*.log\n")
	g.Write(".git/info/exclude", "excluded\n")
	g.remove("deleted")
	g.remove("becomes-dir")
	for _, name := range []string{
		"a.log", "keep.log", "dir/b.log", "ignored-dir/untracked", "anchored", "dir/anchored",
		"build/x", "dir/build/y", "local", "dir/local", "dir/sub/local", "excluded", "dir/excluded",
		"becomes-dir/file", "new\nline", "quo\"te", "back\\slash", "ünï", "staged",
	} {
		g.Write(name, name)
	}
	g.Git("add", "staged")
	g.Git("add", "-N", "keep.log")
	if err := syscall.Mkfifo(g.Path("fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	nested := inDir(t, g.Path("nested"))
	nested.Mkdir(".")
	nested.Git("init", "-q")
	nested.Write("file", "not ours")

	if got, want := g.workTree().Files(), gitFiles(g); !slices.Equal(got, want) {
		t.Errorf("got\n%q\ngit\n%q", got, want)
	}
}

// Clean and Diff against HEAD agree with git status and git diff HEAD.
func TestWorkTreeStates(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(*gitRepo)
		clean  bool
		diff   []Change
	}{
		{"fresh", func(*gitRepo) {}, true, nil},
		{"ignored file", func(g *gitRepo) { g.Write("x.log", "") }, true, nil},
		{"only the times change", func(g *gitRepo) {
			if err := os.Chtimes(g.Path("a"), time.Now(), time.Now().Add(time.Hour)); err != nil {
				g.T.Fatal(err)
			}
		}, true, nil},
		{"same content written again", func(g *gitRepo) { g.Write("a", "one\n") }, true, nil},
		{"modified", func(g *gitRepo) { g.Write("a", "two\n") }, false, []Change{{Path: "a", Kind: Modified}}},
		{"modified with the same size and modification time", func(g *gitRepo) {
			info, err := os.Stat(g.Path("a"))
			if err != nil {
				g.T.Fatal(err)
			}
			g.Write("a", "eno\n")
			if err := os.Chtimes(g.Path("a"), info.ModTime(), info.ModTime()); err != nil {
				g.T.Fatal(err)
			}
		}, false, []Change{{Path: "a", Kind: Modified}}},
		{"staged", func(g *gitRepo) { g.Write("a", "two\n"); g.Git("add", "a") }, false, []Change{{Path: "a", Kind: Modified}}},
		{"staged, then put back", func(g *gitRepo) {
			g.Write("a", "two\n")
			g.Git("add", "a")
			g.Write("a", "one\n")
		}, true, nil},
		{"deleted", func(g *gitRepo) { g.remove("a") }, false, []Change{{Path: "a", Kind: Deleted}}},
		{"removed from the index only", func(g *gitRepo) { g.Git("rm", "-q", "--cached", "a") }, true, nil},
		{"untracked", func(g *gitRepo) { g.Write("b", "b\n") }, false, []Change{{Path: "b", Kind: Added}}},
		{"moved", func(g *gitRepo) { g.Git("mv", "dir/c", "dir/d") }, false, []Change{{Path: "dir/d", OldPath: "dir/c", Kind: Renamed}}},
		{"mode", func(g *gitRepo) { g.chmod("a", 0o755) }, false, []Change{{Path: "a", Kind: Modified}}},
		{"mode, where the file system has none", func(g *gitRepo) {
			g.Git("config", "core.fileMode", "false")
			g.chmod("a", 0o755)
		}, true, nil},
		{"named pipe in place of a file", func(g *gitRepo) {
			g.remove("a")
			if err := syscall.Mkfifo(g.Path("a"), 0o644); err != nil {
				g.T.Fatal(err)
			}
		}, false, []Change{{Path: "a", Kind: Deleted}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := newGitRepo(t)
			g.Write("a", "one\n")
			g.Write("dir/c", lines("c", 5))
			g.Write(".gitignore", "*.log\n")
			g.Commit("files")
			c.change(g)
			r := g.open()
			work, err := r.WorkTree()
			if err != nil {
				t.Fatal(err)
			}
			head, err := r.CommitTree(must(t)(r.Head()))
			if err != nil {
				t.Fatal(err)
			}
			diff, err := r.Diff(head, work)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(diff, c.diff) {
				t.Errorf("diff: got %v, want %v", diff, c.diff)
			}
			if got := work.Clean(); got != c.clean {
				t.Errorf("clean: got %v, want %v", got, c.clean)
			}
			if !head.Clean() {
				t.Error("a commit is always clean")
			}
		})
	}
}

// A file that changes in the tick of the clock in which the index is written has
// the size and times that the index records, but not the content.
func TestRacyEntriesAreRead(t *testing.T) {
	t.Parallel()
	info := info{name: "a", size: 4, when: time.Unix(100, 50)}
	old := indexEntry{path: "a", mode: filemode.Regular, size: 4, modified: stamp{100, 50}}
	for _, c := range []struct {
		written stamp
		want    bool
	}{{stamp{100, 49}, false}, {stamp{100, 50}, false}, {stamp{100, 51}, true}, {stamp{99, 99}, false}, {stamp{101, 0}, true}} {
		if got := (&index{written: c.written}).vouches(&old, info); got != c.want {
			t.Errorf("index written at %v: got %v, want %v", c.written, got, c.want)
		}
	}
}

func TestEmptyRepository(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	r := g.open()
	if _, err := r.Head(); err != ErrNoCommits {
		t.Errorf("Head: got %v, want ErrNoCommits", err)
	}
	work, err := r.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	if got := work.Files(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q", got)
	}
	if _, ok := work.Commit(); ok || work.Clean() {
		t.Error("without a commit there is nothing to be equal to")
	}
}

func TestSubmodulesAreNoFiles(t *testing.T) {
	t.Parallel()
	sub := newGitRepo(t)
	sub.Write("inside", "1\n")
	first := sub.Commit("one")
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.Dir, "sub")
	g.Commit("submodule")
	for _, tree := range []*Snapshot{g.workTree(), g.commitTree("HEAD")} {
		if got := tree.Files(); !slices.Equal(got, []string{".gitmodules", "a"}) {
			t.Errorf("got %q", got)
		}
		if _, ok := tree.BlobID("sub"); ok {
			t.Error("a submodule has no blob")
		}
		if !tree.Clean() {
			t.Error("not clean")
		}
	}
	sub.Write("inside", "2\n")
	second := sub.Commit("two")
	g.Git("update-index", "--cacheinfo", "160000,"+second+",sub")
	g.At++
	g.Git("commit", "-q", "-m", "next")
	changes, err := g.open().Diff(g.commitTree("HEAD^"), g.commitTree("HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if want := gitDiff(g, "HEAD^", "HEAD"); !slices.Equal(changes, want) || len(want) != 1 {
		t.Errorf("from %s to %s: got %v, git %v", first, second, changes, want)
	}
	// Inside the submodule its own repository is found, by its .git file.
	r, err := Open(g.Path("sub"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if head, err := r.Head(); err != nil || head.Hash != first {
		t.Errorf("got %v, %v", head.Hash, err)
	}
}

func TestSparseCheckout(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"--no-sparse-index", "--sparse-index"} {
		t.Run(mode, func(t *testing.T) {
			g := newGitRepo(t)
			for _, name := range []string{"top", "in/a", "in/deep/b", "out/c", "out/deep/d", "out/deep/more/e"} {
				g.Write(name, "content of "+name+"\n")
			}
			g.Write("out/.gitignore", "*.log\n")
			g.Commit("files")
			g.Git("sparse-checkout", "set", "--cone", mode, "in")
			if _, err := os.Stat(g.Path("out")); err == nil {
				t.Fatal("the checkout is not sparse")
			}
			work, head := g.workTree(), g.commitTree("HEAD")
			if got, want := work.Files(), head.Files(); !slices.Equal(got, want) {
				t.Errorf("files: got %q, want %q", got, want)
			}
			if !work.Clean() {
				t.Error("not clean")
			}
			if got, err := work.ReadFile("out/deep/d"); err != nil || string(got) != "content of out/deep/d\n" {
				t.Errorf("got %q, %v", got, err)
			}
			if err := fstest.TestFS(work, work.Files()...); err != nil {
				t.Error(err)
			}
			// A file that is there all the same is read from disk, as git does since 2.36.
			g.Write("out/c", "changed\n")
			g.Write("out/new", "new\n")
			g.Write("out/x.log", "ignored\n")
			work = g.workTree()
			changes, err := g.open().Diff(head, work)
			if err != nil {
				t.Fatal(err)
			}
			want := []Change{{Path: "out/c", Kind: Modified}, {Path: "out/new", Kind: Added}}
			if !slices.Equal(changes, want) {
				t.Errorf("got %v, want %v", changes, want)
			}
			if err := fstest.TestFS(work, work.Files()...); err != nil {
				t.Error(err)
			}
		})
	}
}

// Each version of the index, and without a checksum, reads the same.
func TestIndexFormats(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, name := range []string{"a", "ab", "abc/d", "abc/" + strings.Repeat("long", 60), "z/" + strings.Repeat("x/", 100) + "y"} {
		g.Write(name, name)
	}
	g.Commit("files")
	for _, version := range []string{"2", "3", "4"} {
		g.Git("update-index", "--index-version", version)
		if !g.workTree().Clean() {
			t.Errorf("version %s: not clean", version)
		}
	}
	name := g.Path(".git/index")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[len(content)-20:], make([]byte, 20))
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if !g.workTree().Clean() {
		t.Error("without a checksum: not clean")
	}
	content[20] ^= 1
	content[len(content)-1] = 1
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := g.open().WorkTree(); !errors.Is(err, errIndex) {
		t.Errorf("damaged index: got %v", err)
	}
	g.Git("read-tree", "HEAD")
	g.Git("update-index", "--split-index")
	g.Git("config", "core.splitIndex", "true")
	g.Write("new", "1")
	g.Git("add", "new")
	if _, err := g.open().WorkTree(); !errors.Is(err, ErrUnsupported) {
		t.Errorf("split index: got %v", err)
	}
}

func TestConflictedPathsAreReadFromDisk(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("f", "base\n")
	g.Commit("base")
	g.Git("checkout", "-q", "-b", "side")
	g.Write("f", "side\n")
	g.Commit("side")
	g.Git("checkout", "-q", "main")
	g.Write("f", "main\n")
	g.Commit("main")
	if _, err := g.Try("merge", "-q", "side"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	work := g.workTree()
	if got := work.Files(); !slices.Equal(got, []string{"f"}) {
		t.Errorf("got %q", got)
	}
	if work.Clean() {
		t.Error("a conflict is not clean")
	}
	if _, ok := work.BlobID("f"); ok {
		t.Error("the id of a file in conflict is not known")
	}
}

// Where a filter makes content and blob differ, the id of the blob is not given.
func TestBlobIDWithFilters(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(".gitattributes", "crlf eol=crlf\n")
	g.Write("crlf", "a\nb\n")
	g.Write("plain", "a\n")
	g.Commit("files")
	g.remove("crlf")
	g.Git("checkout", "-q", "--", "crlf")
	settle(g)
	work := g.workTree()
	if content, err := work.ReadFile("crlf"); err != nil || string(content) != "a\r\nb\r\n" {
		t.Fatalf("git did not apply the filter: %q, %v", content, err)
	}
	if !work.Clean() {
		t.Error("not clean")
	}
	if id, ok := work.BlobID("crlf"); ok {
		t.Errorf("got %s for other content", id)
	}
	want := g.Git("rev-parse", "HEAD:plain")
	if id, ok := work.BlobID("plain"); !ok || id != want {
		t.Errorf("got %s, %v, want %s", id, ok, want)
	}
	if id, ok := g.commitTree("HEAD").BlobID("plain"); !ok || id != want {
		t.Errorf("got %s, %v, want %s", id, ok, want)
	}
}

// settle writes the index after the clock has moved on, so that no entry is racy.
func settle(g *gitRepo) {
	g.T.Helper()
	time.Sleep(20 * time.Millisecond)
	g.Git("update-index", "-q", "--refresh")
	later := time.Now()
	if err := os.Chtimes(filepath.Join(g.Dir, ".git", "index"), later, later); err != nil {
		g.T.Fatal(err)
	}
}
