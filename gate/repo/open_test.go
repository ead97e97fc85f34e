//go:build unix

package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFindRoot(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Mkdir("a/b")
	for _, dir := range []string{".", "a", "a/b"} {
		if root, ok := FindRoot(g.Path(dir)); !ok || root != g.Dir {
			t.Errorf("%s: got %q, %v", dir, root, ok)
		}
	}
	r, err := Open(g.Path("a/b"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Root() != g.Dir {
		t.Errorf("got %q, want %q", r.Root(), g.Dir)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		make func(*gitRepo)
		want error
		says string
	}{
		{"a .git without HEAD", func(g *gitRepo) { g.remove(".git/HEAD") }, ErrNotRepository, "HEAD"},
		{"a .git file that is something else", func(g *gitRepo) { g.remove(".git"); g.Write(".git", "hello\n") }, ErrNotRepository, ".git file"},
		{"a .git file that leads nowhere", func(g *gitRepo) { g.remove(".git"); g.Write(".git", "gitdir: /nowhere/worktrees/x\n") }, ErrNotRepository, "main repository"},
		{"sha256", func(g *gitRepo) {
			g.remove(".git")
			g.Git("init", "-q", "--object-format=sha256")
		}, ErrUnsupported, "sha256"},
		{"reftable", func(g *gitRepo) { version1(g); g.Git("config", "extensions.refStorage", "reftable") }, ErrUnsupported, "reftable"},
		{"an unknown extension", func(g *gitRepo) { version1(g); g.Git("config", "extensions.surprise", "true") }, ErrUnsupported, "surprise"},
		{"a later format", func(g *gitRepo) { g.Git("config", "core.repositoryformatversion", "2") }, ErrUnsupported, `"2"`},
		{"a configuration that is none", func(g *gitRepo) { g.Write(".git/config", "[core\n") }, nil, "configuration"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := newGitRepo(t)
			c.make(g)
			_, err := Open(g.Dir)
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
	for dir, says := range map[string]string{t.TempDir(): "actions/checkout", filepath.Join(newGitRepo(t).Dir, "typo"): "no such folder"} {
		if _, err := Open(dir); !errors.Is(err, ErrNotRepository) || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want one that says %q", err, says)
		}
	}
}

func version1(g *gitRepo) { g.Git("config", "core.repositoryformatversion", "1") }

// What git worktree, sparse checkouts, partial clones and actions/checkout write into
// the configuration.
func TestOpenAccepts(t *testing.T) {
	t.Parallel()
	for _, config := range []string{
		"[extensions]\n\tworktreeConfig = true\n",
		"[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n",
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n\tpartialclone = origin\n",
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha1\n\trefStorage = files\n\trelativeWorktrees = true\n",
		"[extensions]\n\tsomethingOld = true\n",
		"[includeIf \"gitdir:/github/workspace/.git\"]\n\tpath = /github/runner_temp/git-credentials.config\n[gc]\n\tauto = 0\n",
		"[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic ***\n[branch \"main\"]\n\tremote = origin\n",
		"[alias]\n\tx = \"!f() { echo a; }; f\"\n[core]\n\tfsmonitor = /bin/false\n\thooksPath = /dev/null\n\tautocrlf\n",
	} {
		g := newGitRepo(t)
		g.Write("a", "1\n")
		g.Commit("one")
		old, err := os.ReadFile(g.Path(".git/config"))
		if err != nil {
			t.Fatal(err)
		}
		g.Write(".git/config", string(old)+config)
		r, err := Open(g.Dir)
		if err != nil {
			t.Errorf("%s\n%v", config, err)
			continue
		}
		if work, err := r.WorkTree(); err != nil || !work.Clean() {
			t.Errorf("%s\nwork tree: %v", config, err)
		}
		r.Close()
	}
}

// The action runs as root in a container, on files of the runner's user.
func TestForeignOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("not root: the files stay our own")
	}
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	if os.Getuid() == 0 {
		err := filepath.WalkDir(g.Dir, func(name string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(name, 1001, 1001))
		})
		if err != nil {
			t.Fatal(err)
		}
		g.Env = slices.DeleteFunc(g.Env, func(v string) bool { return strings.HasPrefix(v, "GIT_CONFIG_COUNT") })
		if _, err := g.Try("log", "-1"); err == nil {
			t.Log("git itself does not mind the owner here")
		}
	}
	if !g.workTree().Clean() {
		t.Error("not clean")
	}
	if got, err := g.commitTree("HEAD").ReadFile("a"); err != nil || string(got) != "1\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestLinkedWorkTree(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "main\n")
	g.Commit("main")
	linked := inDir(t, filepath.Join(t.TempDir(), "linked"))
	g.Git("worktree", "add", "-q", "-b", "side", linked.Dir)
	linked.Write("a", "side\n")
	side := linked.Commit("side")
	linked.Write("b", "untracked\n")
	g.Write(".git/info/exclude", "*.log\n")
	linked.Write("x.log", "ignored\n")
	r := linked.open()
	if r.Root() != linked.Dir {
		t.Errorf("got root %q", r.Root())
	}
	if head, err := r.Head(); err != nil || head.Hash != side {
		t.Errorf("got %v, %v, want %s", head.Hash, err, side)
	}
	if c, err := r.Resolve("main"); err != nil || c.Hash != g.Head() {
		t.Errorf("got %v, %v", c.Hash, err)
	}
	if got, want := linked.workTree().Files(), []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := linked.workTree().Open(".git"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if !g.workTree().Clean() {
		t.Error("the main work tree is not clean")
	}
}

// Objects loose, in packs, with packed references, and borrowed in two steps.
func TestWhereObjectsAre(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for i := range 5 {
		g.Write("a", lines("a", 50+i))
		g.Write("b/c", lines("b", 5000+i))
		g.Commit("c" + string(rune('0'+i)))
	}
	g.Git("tag", "-a", "-m", "v1", "v1", "HEAD~1")
	want := g.Git("show", "HEAD~2:b/c") + "\n"
	check := func(g *gitRepo, how string) {
		t.Helper()
		got, err := g.commitTree("v1~1").ReadFile("b/c")
		if err != nil || string(got) != want {
			t.Errorf("%s: got %d bytes, %v", how, len(got), err)
		}
		r := g.open()
		if !r.Has(g.Head()) || r.Has(strings.Repeat("0", 40)) || r.Has("main") {
			t.Errorf("%s: Has is wrong", how)
		}
		if n, shallow := r.Shallow(); n != 0 || shallow {
			t.Errorf("%s: Shallow: got %d, %v", how, n, shallow)
		}
	}
	check(g, "loose")
	g.Git("gc", "-q", "--prune=now")
	check(g, "packed")
	first := inDir(t, filepath.Join(t.TempDir(), "first"))
	g.Git("clone", "-q", "--shared", g.Dir, first.Dir)
	check(first, "one alternate")
	second := inDir(t, filepath.Join(t.TempDir(), "second"))
	g.Git("clone", "-q", "--shared", first.Dir, second.Dir)
	check(second, "an alternate of an alternate")
}

// A partial clone has commits and trees, but not every blob.
func TestPartialClone(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "old\n")
	g.Commit("one")
	g.Write("a", "new\n")
	g.Commit("two")
	g.Git("config", "uploadpack.allowFilter", "true")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--filter=blob:none", "file://"+g.Dir, clone.Dir)
	r := clone.open()
	old, head := clone.commitTree("HEAD^"), clone.commitTree("HEAD")
	if got, err := head.ReadFile("a"); err != nil || string(got) != "new\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := old.ReadFile("a"); !errors.Is(err, ErrMissingObject) {
		t.Errorf("got %v", err)
	}
	if changes, err := r.Diff(old, head); err != nil || !slices.Equal(changes, []Change{{Path: "a", Kind: Modified}}) {
		t.Errorf("got %v, %v", changes, err)
	}
}

// A branch whose own file is damaged or can't be read is none. What packed-refs says of it
// is older, and another commit.
func TestDamagedReference(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Commit("one")
	g.Git("branch", "side")
	g.Git("pack-refs", "--all")
	for _, content := range []string{"", "\n", "hello\n", "ref:", "0123456789\n"} {
		g.Write(".git/refs/heads/side", content)
		if c, err := g.open().Resolve("side"); !errors.Is(err, ErrNoRevision) {
			t.Errorf("%q: got %s, %v", content, c.Hash, err)
		}
	}
	g.remove(".git/refs/heads/side")
	if c, err := g.open().Resolve("side"); err != nil || c.Hash != g.Head() {
		t.Errorf("packed: got %s, %v", c.Hash, err)
	}
}
