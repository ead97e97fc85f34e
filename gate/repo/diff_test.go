//go:build unix

package repo

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// gitDiff is what git says of two states; paths that this package leaves out are
// left out here too.
func gitDiff(g *gitRepo, revs ...string) []Change {
	g.T.Helper()
	args := append([]string{"diff", "--name-status", "-z", "-M", "--no-ext-diff"}, revs...)
	parts := fields(g.Git(args...))
	var changes []Change
	for i := 0; i < len(parts); {
		var c Change
		switch status := parts[i]; status[0] {
		case 'A':
			c = Change{Path: parts[i+1], Kind: Added}
		case 'D':
			c = Change{Path: parts[i+1], Kind: Deleted}
		case 'M', 'T':
			c = Change{Path: parts[i+1], Kind: Modified}
		case 'R':
			c = Change{Path: parts[i+2], OldPath: parts[i+1], Kind: Renamed}
			i++
		default:
			g.T.Fatalf("git says %q", status)
		}
		i += 2
		if usablePath(c.Path) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// diffCases change a commit in one way each.
var diffCases = []struct {
	name   string
	before func(*gitRepo)
	after  func(*gitRepo)
}{
	{"nothing", func(g *gitRepo) { g.Write("a", "1\n") }, func(*gitRepo) {}},
	{"add, modify, delete", func(g *gitRepo) {
		g.Write("stay/same", "1\n")
		g.Write("stay/changed", "1\n")
		g.Write("gone/file", lines("gone", 3))
	}, func(g *gitRepo) {
		g.Write("stay/changed", "2\n")
		g.remove("gone")
		g.Write("new/deep/file", lines("new", 9))
	}},
	{"only the mode changes", func(g *gitRepo) { g.Write("run.sh", "x\n") }, func(g *gitRepo) {
		g.Git("update-index", "--chmod=+x", "run.sh")
		g.chmod("run.sh", 0o755)
	}},
	{"a file becomes a link", func(g *gitRepo) { g.Write("a", "1\n"); g.Write("b", "1\n") }, func(g *gitRepo) {
		g.remove("a")
		g.link("a", "b")
	}},
	{"a file becomes a folder", func(g *gitRepo) { g.Write("a", lines("a", 5)) }, func(g *gitRepo) {
		g.remove("a")
		g.Write("a/b", lines("b", 5))
	}},
	{"a link changes its target", func(g *gitRepo) { g.link("l", "x") }, func(g *gitRepo) {
		g.remove("l")
		g.link("l", "y")
	}},
	{"exact rename", func(g *gitRepo) { g.Write("old/name", lines("r", 20)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new/name", lines("r", 20))
	}},
	{"exact rename that becomes executable", func(g *gitRepo) { g.Write("old", lines("r", 20)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", lines("r", 20))
		g.chmod("new", 0o755)
	}},
	{"an empty file is renamed", func(g *gitRepo) { g.Write("old", "") }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", "")
	}},
	{"rename with edits", func(g *gitRepo) { g.Write("old", lines("r", 20)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", lines("r", 16)+lines("s", 4))
	}},
	{"rename with too many edits", func(g *gitRepo) { g.Write("old", lines("r", 20)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", lines("r", 6)+lines("s", 14))
	}},
	{"rename on the edge of 50 %", func(g *gitRepo) {
		g.Write("just", "0123456\nabcdefg\n")
		g.Write("not", "1111111\n2222222\n3333333\n")
	}, func(g *gitRepo) {
		g.remove("just")
		g.remove("not")
		g.Write("just2", "0123456\nABCDEFG\n")
		g.Write("not2", "1111111\n5555555\n6666666\n")
	}},
	{"rename of a binary file with edits", func(g *gitRepo) { g.Write("old", "\x00"+strings.Repeat("binary, no line end", 60)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", "\x00"+strings.Repeat("binary, no line end", 60)+"more")
	}},
	{"rename with other line ends", func(g *gitRepo) { g.Write("old", lines("r", 20)) }, func(g *gitRepo) {
		g.remove("old")
		g.Write("new", strings.ReplaceAll(lines("r", 20), "\n", "\r\n"))
	}},
	{"one source, two equal targets", func(g *gitRepo) { g.Write("x/f", lines("r", 9)) }, func(g *gitRepo) {
		g.remove("x")
		g.Write("y/g", lines("r", 9))
		g.Write("z/f", lines("r", 9))
	}},
	{"two equal sources, one target", func(g *gitRepo) { g.Write("a/f", lines("r", 9)); g.Write("b/g", lines("r", 9)) }, func(g *gitRepo) {
		g.remove("a")
		g.remove("b")
		g.Write("c/g", lines("r", 9))
	}},
	{"two equal sources, one executable target", func(g *gitRepo) { g.Write("a/x", lines("r", 9)); g.Write("b/y", lines("r", 9)) }, func(g *gitRepo) {
		g.remove("a")
		g.remove("b")
		g.Write("c/z", lines("r", 9))
		g.chmod("c/z", 0o755)
	}},
	{"the same name wins over the more similar file", func(g *gitRepo) {
		g.Write("a/report.md", lines("r", 20))
		g.Write("a/other.md", lines("r", 19)+"odd\n")
	}, func(g *gitRepo) {
		g.remove("a")
		g.Write("b/report.md", lines("r", 18)+"even\nodd\n")
	}},
	{"the most similar wins", func(g *gitRepo) {
		g.Write("one", lines("r", 10)+lines("s", 10))
		g.Write("two", lines("r", 14)+lines("t", 6))
	}, func(g *gitRepo) {
		g.remove("one")
		g.remove("two")
		g.Write("three", lines("r", 16)+lines("t", 4))
		g.Write("four", lines("s", 12)+lines("r", 8))
	}},
	{"names that need quoting", func(g *gitRepo) { g.Write("plain", "1\n") }, func(g *gitRepo) {
		g.Write("new\nline", "a\n")
		g.Write("quo\"te", "b\n")
		g.Write("back\\slash", "c\n")
		g.Write("ünï", "d\n")
		g.Write("-option", "e\n")
		g.Write("a b", "f\n")
	}},
	{"names that sort around a slash", func(g *gitRepo) { g.Write("a/b", "1\n"); g.Write("a-b", "2\n"); g.Write("a0", "3\n") }, func(g *gitRepo) {
		g.Write("a-b", "changed\n")
		g.Write("a/b", "changed\n")
		g.Write("a.b", "new\n")
	}},
}

// git diff --name-status -M is the oracle, between commits and for the work tree.
func TestDiffAgreesWithGit(t *testing.T) {
	t.Parallel()
	for _, c := range diffCases {
		t.Run(c.name, func(t *testing.T) {
			g := newGitRepo(t)
			c.before(g)
			g.Commit("before")
			r := g.open()
			base, err := r.CommitTree(must(t)(r.Head()))
			if err != nil {
				t.Fatal(err)
			}
			c.after(g)
			work, err := r.WorkTree()
			if err != nil {
				t.Fatal(err)
			}
			fromWork, err := r.Diff(base, work)
			if err != nil {
				t.Fatal(err)
			}
			g.Commit("after")
			want := gitDiff(g, "HEAD^", "HEAD")
			if !slices.Equal(fromWork, want) {
				t.Errorf("work tree:\n got %v\ngit %v", fromWork, want)
			}
			head, err := r.CommitTree(must(t)(r.Resolve("HEAD")))
			if err != nil {
				t.Fatal(err)
			}
			fromCommit, err := r.Diff(base, head)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(fromCommit, want) {
				t.Errorf("commits:\n got %v\ngit %v", fromCommit, want)
			}
			back, err := r.Diff(head, base)
			if err != nil {
				t.Fatal(err)
			}
			if want := gitDiff(g, "HEAD", "HEAD^"); !slices.Equal(back, want) {
				t.Errorf("backwards:\n got %v\ngit %v", back, want)
			}
		})
	}
}

func must(t *testing.T) func(Commit, error) Commit {
	return func(c Commit, err error) Commit {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// Too many candidates: equal files are still paired, similar ones are not.
func TestDiffIsBoundedForVeryManyFiles(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const n = 1001
	for i := range n {
		g.Write("old/"+"f"+strconv.Itoa(i), lines("f"+strconv.Itoa(i), 4))
	}
	g.Commit("before")
	g.remove("old")
	for i := range n {
		g.Write("new/"+"f"+strconv.Itoa(i)+".x", lines("f"+strconv.Itoa(i), 3)+"other\n")
	}
	g.Write("new/equal", lines("f0", 4))
	g.Commit("after")
	r := g.open()
	base, head := g.commitTree("HEAD^"), g.commitTree("HEAD")
	changes, err := r.Diff(base, head)
	if err != nil {
		t.Fatal(err)
	}
	count := map[ChangeKind]int{}
	for _, c := range changes {
		count[c.Kind]++
	}
	// One of the 1001 is equal; 1000 x 1001 are left, over git's limit of 1000 x 1000.
	if count[Renamed] != 1 || count[Added] != n || count[Deleted] != n-1 {
		t.Errorf("got %v", count)
	}
}

// Sequences of random edits, moves and deletions, as git sees them. The lines share
// nothing: git's own hash is weak enough to find numbered lines alike that are not.
func TestDiffAgreesWithGitOnRandomChanges(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	g := newGitRepo(t)
	word := func() string { return string(rune('a'+random.IntN(6))) + strconv.Itoa(random.IntN(4)) }
	files := map[string]string{}
	for range 40 {
		files[word()+"/"+word()] = noise(random)
	}
	for name, content := range files {
		g.Write(name, content)
	}
	g.Commit("start")
	for range 25 {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			content := files[name]
			to := name
			switch random.IntN(8) {
			case 0:
				delete(files, name)
				g.remove(name)
				continue
			case 1, 2:
				to = word() + "/" + word()
			case 3:
				to, content = word()+"/"+word(), edit(random, content)
			case 4:
				content = edit(random, content)
			default:
				continue
			}
			delete(files, name)
			g.remove(name)
			files[to] = content
			g.Write(to, content)
		}
		for range 6 {
			name := word() + "/" + word()
			files[name] = noise(random)
			g.Write(name, files[name])
		}
		g.Commit("next")
		got, err := g.open().Diff(g.commitTree("HEAD^"), g.commitTree("HEAD"))
		if want := gitDiff(g, "HEAD^", "HEAD"); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v\ngit %v", got, err, want)
		}
	}
}

func noise(random *rand.Rand) string {
	var b strings.Builder
	for range 3 + random.IntN(30) {
		b.WriteString(noiseLine(random))
	}
	return b.String()
}

func noiseLine(random *rand.Rand) string {
	return strconv.FormatUint(random.Uint64(), 36)[:4+random.IntN(7)] + "\n"
}

// edit replaces some of the lines.
func edit(random *rand.Rand, content string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		if random.IntN(3) == 0 {
			line = noiseLine(random)
		}
		b.WriteString(line)
	}
	return b.String()
}

// Very many files with the same content must not take quadratic time.
func TestDiffOfManyEqualFiles(t *testing.T) {
	t.Parallel()
	side := func(dir string) listing {
		var l []entry
		for i := range 200_000 {
			l = append(l, entry{path: dir + "/" + strconv.Itoa(i), mode: filemode.Regular, id: emptyBlob, known: true})
		}
		usable, _ := newListing(l)
		return usable
	}
	changes, err := (&Repository{}).Diff(&Snapshot{files: side("old")}, &Snapshot{files: side("new")})
	if err != nil || len(changes) != 200_000 || changes[0].Kind != Renamed {
		t.Errorf("got %d, %v", len(changes), err)
	}
}

// A commit that is listed after another one has the same entries as when it is listed alone,
// whatever of the two is the same.
func TestListedLikeAnother(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, name := range []string{"a/b/c/1", "a/b/c/2", "a/b/3", "a/4", "a-b/5", "a.c", "z/y/6", "same/7", "same/inner/8"} {
		g.Write(name, name)
	}
	g.Commit("one")
	g.Write("a/b/c/2", "changed")
	g.Write("a/b/new/9", "added")
	g.remove("z")
	g.Git("mv", "same", "moved")
	g.Commit("two")
	g.Git("mv", "moved", "same")
	g.Commit("three")
	together := g.open()
	for _, rev := range []string{"HEAD~1", "HEAD~2", "HEAD", "HEAD~1"} {
		c, err := together.Resolve(rev)
		if err != nil {
			t.Fatal(err)
		}
		got, err := together.CommitTree(c)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := g.open().objects.list(context.Background(), c.tree, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.files, listing(alone.entries)) {
			t.Errorf("%s: %v, want %v", rev, got.files, alone.entries)
		}
	}
}

// What is taken from another listing counts: the bounds hold for a tree, however it is read.
func TestListedLikeAnotherIsBounded(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, name := range []string{"a/b/1", "a/2", "c/3"} {
		g.Write(name, name)
	}
	g.Commit("one")
	r := g.open()
	c, err := r.Resolve("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	first := treeLister{objects: r.objects, folders: make(map[string]folderAt)}
	if err := first.add(context.Background(), c.tree, "", false, 0); err != nil {
		t.Fatal(err)
	}
	again := treeLister{objects: r.objects, folders: make(map[string]folderAt), like: &listed{first.entries, first.folders}}
	if err := again.add(context.Background(), c.tree, "", false, 0); err != nil {
		t.Fatal(err)
	}
	if first.visited != 6 || again.visited != first.visited || again.pathBytes != first.pathBytes {
		t.Errorf("visited %d with %d bytes, and again %d with %d", first.visited, first.pathBytes, again.visited, again.pathBytes)
	}
}
