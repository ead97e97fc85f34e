//go:build unix

package repo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// walk collects the whole walk from HEAD.
func (g *gitRepo) walk(path string, o HistoryOptions) ([]Version, *History) {
	g.T.Helper()
	return g.collect((*Repository).History, path, o)
}

func (g *gitRepo) collect(begin func(*Repository, Commit, string, HistoryOptions) *History, path string, o HistoryOptions) ([]Version, *History) {
	g.T.Helper()
	r := g.open()
	head, err := r.Head()
	if err != nil {
		g.T.Fatal(err)
	}
	h := begin(r, head, path, o)
	var all []Version
	for h.Next(context.Background()) {
		all = append(all, h.Version())
	}
	return all, h
}

// story is a walk as text: subject, path, and the subject of the newer version.
func story(all []Version) []string {
	var out []string
	for _, v := range all {
		line := v.Commit.Subject + " " + v.Path
		if v.Blob == "" {
			line += " deleted"
		}
		if v.Newer >= 0 {
			line += " <- " + all[v.Newer].Commit.Subject
		}
		out = append(out, line)
	}
	return out
}

func wantStory(t *testing.T, all []Version, want ...string) {
	t.Helper()
	if got := story(all); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestHistoryOfOneFile(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("dir/a", "1\n")
	g.Commit("one")
	g.Write("other", "1\n")
	g.Commit("unrelated")
	g.Write("dir/a", "2\n")
	two := g.Commit("two")
	g.chmod("dir/a", 0o755)
	g.Commit("mode only")
	g.remove("dir/a")
	g.Commit("gone")
	g.Write("dir/a", "3\n")
	g.Commit("back")
	g.Write("other", "2\n")
	g.Commit("head")
	all, h := g.walk("dir/a", HistoryOptions{})
	wantStory(t, all, "back dir/a", "gone dir/a deleted <- back", "two dir/a <- gone", "one dir/a <- two")
	if h.End() != Complete || h.Err() != nil || h.Visited() != 7 {
		t.Errorf("got %v, %v, %d", h.End(), h.Err(), h.Visited())
	}
	for i, created := range []bool{true, false, false, true} {
		if all[i].Created != created || all[i].Cut {
			t.Errorf("version %d: got %+v", i, all[i])
		}
	}
	if want := g.Git("rev-parse", two+":dir/a"); all[2].Blob != want {
		t.Errorf("got %s, git %s", all[2].Blob, want)
	}
	if content, err := h.repo.Blob(all[3].Blob); err != nil || string(content) != "1\n" {
		t.Errorf("got %q, %v", content, err)
	}
	for _, nothing := range []string{"never", "dir", "dir/a/b", "other/x"} {
		if all, h := g.walk(nothing, HistoryOptions{}); len(all) != 0 || h.End() != Complete || h.Err() != nil {
			t.Errorf("%s: got %v, %v, %v", nothing, story(all), h.End(), h.Err())
		}
	}
}

func TestHistoryFollowsRenames(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("old/name.yml", lines("a", 40))
	g.Write("decoy.yml", lines("b", 40))
	g.Commit("one")
	g.Write("old/name.yml", lines("a", 40)+"more\n")
	g.Commit("two")
	g.Git("mv", "old/name.yml", "moved.yml")
	g.Commit("exact")
	g.Mkdir("new")
	g.Git("mv", "moved.yml", "new/final.yml")
	g.Write("new/final.yml", lines("a", 40)+"more\nand more\n")
	g.remove("decoy.yml")
	g.Commit("similar")
	all, h := g.walk("new/final.yml", HistoryOptions{})
	wantStory(t, all, "similar new/final.yml", "exact moved.yml <- similar", "two old/name.yml <- exact", "one old/name.yml <- two")
	if h.End() != Complete || all[0].Created || all[1].Created || !all[3].Created {
		t.Errorf("got %v, %+v", h.End(), all)
	}
	if git := strings.Fields(g.Git("log", "--follow", "--format=%H", "--", "new/final.yml")); !slices.Equal(hashes(all), git) {
		t.Errorf("got %v, git %v", hashes(all), git)
	}
	// What has nothing in common with the deleted file is new.
	g.Git("rm", "-q", "new/final.yml")
	g.Write("new/unlike.yml", lines("c", 40))
	g.Commit("unlike")
	all, _ = g.walk("new/unlike.yml", HistoryOptions{})
	wantStory(t, all, "unlike new/unlike.yml")
}

func hashes(all []Version) []string {
	var out []string
	for _, v := range all {
		out = append(out, v.Commit.Hash)
	}
	return out
}

// A rename on one side and an edit on the other, joined by a merge.
func TestHistoryFollowsARenameThroughAMerge(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", lines("a", 40))
	g.Commit("one")
	g.Git("checkout", "-q", "-b", "side")
	g.Write("a.yml", lines("a", 40)+"side\n")
	g.Commit("edit")
	g.Git("checkout", "-q", "main")
	g.Git("mv", "a.yml", "b.yml")
	g.Commit("move")
	g.At++
	g.Git("merge", "-q", "-m", "merge", "side")
	all, _ := g.walk("b.yml", HistoryOptions{})
	wantStory(t, all, "merge b.yml", "move b.yml <- merge", "edit a.yml <- merge", "one a.yml <- move")
}

func TestHistoryNamesMerges(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Git("checkout", "-q", "-b", "side")
	g.Write("a", "2\n")
	g.Commit("two")
	g.Git("checkout", "-q", "main")
	g.Write("b", "1\n")
	g.Commit("main")
	g.At++
	g.Git("merge", "-q", "-m", "merge", "side")
	merge := g.Head()
	all, _ := g.walk("a", HistoryOptions{})
	wantStory(t, all, "two a", "one a <- two")
	if !slices.Equal(all[0].Merges, []string{merge}) {
		t.Errorf("got %v, want %s", all[0].Merges, merge)
	}
}

// Both sides of a merge changed the file: what was there before belongs to the
// line of first parents, though the other side is newer.
func TestHistoryPrefersFirstParents(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Git("checkout", "-q", "-b", "side")
	g.Git("checkout", "-q", "main")
	g.Write("a", "2\n")
	g.Commit("main")
	g.Git("checkout", "-q", "side")
	g.Write("a", "3\n")
	g.Commit("side")
	g.Git("checkout", "-q", "main")
	g.At++
	g.Git("merge", "-q", "-s", "ours", "--no-commit", "side")
	g.Write("a", "4\n")
	g.Commit("merge")
	all, _ := g.walk("a", HistoryOptions{})
	wantStory(t, all, "merge a", "side a <- merge", "main a <- merge", "one a <- main")
	if len(all[3].Merges) != 0 || len(all[1].Merges) != 1 {
		t.Errorf("got %+v", all)
	}
}

// git log -- path is the oracle, over random graphs with merges that take one
// side, the other, or neither.
func TestHistoryAgreesWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 12 {
		g := newGitRepo(t)
		g.GitWith(randomGraph(random, 60, 0), "fast-import", "--quiet", "--force")
		g.Git("reset", "-q", "--hard", "main")
		for path, begin := range map[string]func(*Repository, Commit, string, HistoryOptions) *History{
			"d/f": (*Repository).History, "d": (*Repository).FolderHistory,
		} {
			all, h := g.collect(begin, path, HistoryOptions{})
			git := strings.Fields(g.Git("log", "--format=%H", "--", path))
			if !slices.Equal(hashes(all), git) || h.End() != Complete {
				t.Errorf("%s: got %s\ngit %s\n%s", path, strings.Join(hashes(all), " "), strings.Join(git, " "), g.Git("log", "--graph", "--oneline", "--all"))
			}
			for _, v := range all {
				object, _ := g.Try("rev-parse", "--verify", "-q", v.Commit.Hash+":"+path)
				if strings.TrimSpace(object) != v.Blob {
					t.Errorf("%s: got %s, git %s", v.Commit.Hash, v.Blob, object)
				}
			}
		}
	}
}

// A folder as it was is all that its state holds, links in it too, and no file is a folder.
func TestFolder(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("data/a", "1\n")
	g.Write("data/in/b", "2\n")
	g.Write("beside", "3\n")
	g.Git("add", ".")
	g.Commit("one")
	g.Write("data/a", "4\n")
	g.Commit("two")
	all, h := g.collect((*Repository).FolderHistory, "data", HistoryOptions{})
	wantStory(t, all, "two data", "one data <- two")
	if h.End() != Complete {
		t.Errorf("the walk ended %s", h.End())
	}
	r := g.open()
	was, err := r.Folder(t.Context(), "data", all[1].Blob)
	if err != nil {
		t.Fatal(err)
	}
	if names := was.Files(); !slices.Equal(names, []string{"data/a", "data/in/b"}) {
		t.Errorf("it holds %q", names)
	}
	if data, err := was.ReadFile("data/a"); err != nil || string(data) != "1\n" {
		t.Errorf("data/a is %q, %v", data, err)
	}
	for _, path := range []string{"data/a", "nowhere", "beside/x"} {
		if id, err := r.FolderAt(all[0].Commit, path); id != "" || err != nil {
			t.Errorf("%s is a folder: %s, %v", path, id, err)
		}
	}
	for _, path := range []string{"../up", ".git", "/abs"} {
		if _, err := r.FolderAt(all[0].Commit, path); err == nil {
			t.Errorf("%s was looked at", path)
		}
		if _, err := r.Folder(t.Context(), path, all[0].Blob); err == nil {
			t.Errorf("%s became a folder", path)
		}
	}
	if root, err := r.FolderAt(all[0].Commit, "."); err != nil || root != strings.TrimSpace(g.Git("rev-parse", "HEAD^{tree}")) {
		t.Errorf("the root is %s, %v", root, err)
	}
}

// randomGraph is n commits, some of them merges, of which some change d/f to one of a
// few contents or delete it; main is the last. skew is how many days clocks are ahead at most.
func randomGraph(random *rand.Rand, n, skew int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		date := 1_700_000_000 + i*10 + random.IntN(skew+1)*24*60*60
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter G <g@example.org> %d +0000\ndata 1\nx\n", i, date)
		if i > 1 {
			from := max(1, i-1-random.IntN(5))
			fmt.Fprintf(&b, "from :%d\n", from)
			if other := max(1, i-1-random.IntN(5)); random.IntN(3) == 0 && other != from {
				fmt.Fprintf(&b, "merge :%d\n", other)
			}
		}
		switch k := random.IntN(10); {
		case k < 4 || i == 1:
			content := fmt.Sprint(random.IntN(4))
			fmt.Fprintf(&b, "M 100644 inline d/f\ndata %d\n%s\n", len(content), content)
		case k == 4:
			b.WriteString("D d/f\n")
		default:
			fmt.Fprintf(&b, "M 100644 inline other\ndata %d\n%d\n", len(fmt.Sprint(i)), i)
		}
	}
	return b.String()
}

func TestHistoryStops(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for i := range 6 {
		g.Write("a", strings.Repeat("x", i+1))
		g.Commit(fmt.Sprint(i))
	}
	all, h := g.walk("a", HistoryOptions{MaxCommits: 2})
	if len(all) != 2 || h.End() != Limit || h.Visited() != 2 {
		t.Errorf("limit: got %v, %v, %d", story(all), h.End(), h.Visited())
	}

	clone := inDir(t, filepath.Join(t.TempDir(), "shallow"))
	g.Git("clone", "-q", "--depth=3", "file://"+g.Dir, clone.Dir)
	all, h = clone.walk("a", HistoryOptions{})
	wantStory(t, all, "5 a", "4 a <- 5", "3 a <- 4")
	if h.End() != Shallow || h.Err() != nil || !all[2].Cut || all[2].Created || all[1].Cut {
		t.Errorf("shallow: got %v, %v, %+v", h.End(), h.Err(), all)
	}

	// A context that ends stops the walk, and another one lets it go on.
	r := g.open()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	h = r.History(head, "a", HistoryOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	if !h.Next(ctx) {
		t.Fatal(h.Err())
	}
	cancel()
	if h.Next(ctx) || !errors.Is(h.Err(), context.Canceled) || h.End() != Unfinished {
		t.Errorf("canceled: got %v, %v", h.Err(), h.End())
	}
	n := 1
	for h.Next(context.Background()) {
		n++
	}
	if n != 6 || h.Err() != nil || h.End() != Complete {
		t.Errorf("resumed: got %d, %v, %v", n, h.Err(), h.End())
	}
}

func TestHistoryOfALink(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("real/a", "1\n")
	g.link("dir", "real")
	g.link("link", "dir/a")
	g.link("out", "../outside")
	g.Commit("one")
	g.Write("real/a", "2\n")
	g.Commit("two")
	all, _ := g.walk("link", HistoryOptions{})
	wantStory(t, all, "two real/a", "one real/a <- two")
	if all, h := g.walk("out", HistoryOptions{}); len(all) != 0 || h.Err() != nil {
		t.Errorf("got %v, %v", story(all), h.Err())
	}
	head, err := g.open().Head()
	if err != nil {
		t.Fatal(err)
	}
	r := g.open()
	if id, err := r.BlobAt(head, "link"); err != nil || id != g.Git("rev-parse", "HEAD:real/a") {
		t.Errorf("got %s, %v", id, err)
	}
	for _, nothing := range []string{"out", "missing", "real"} {
		if id, err := r.BlobAt(head, nothing); err != nil || id != "" {
			t.Errorf("%s: got %s, %v", nothing, id, err)
		}
	}
}

// Names that are no paths, and trees that git would not write.
func TestHistoryOfHostileNames(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	blob := rawObject(g, "blob", "x\n")
	raw := func(names ...string) string {
		var entries [][3]string
		for _, name := range names {
			entries = append(entries, [3]string{"100644", name, blob})
		}
		return rawTree(g, entries...)
	}
	first := plainCommit(t, g, raw("..", "a/b", "gone", "twice", "twice", "\x1b[2J"))
	g.At++
	second := strings.TrimSpace(g.Git("commit-tree", "-p", first, "-m", "two", raw("a", "\x1b[2J")))
	g.Git("update-ref", "refs/heads/main", second)
	r := g.open()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"\x1b[2J": {"\x1b[2J"}, "a": {"a", "gone"}, "twice": nil} {
		h := r.History(head, name, HistoryOptions{})
		var paths []string
		for h.Next(context.Background()) {
			paths = append(paths, h.Version().Path)
		}
		if h.Err() != nil || !slices.Equal(paths, want) {
			t.Errorf("%q: got %q, %v; want %q", name, paths, h.Err(), want)
		}
	}
	for _, name := range []string{"..", "../x", "/etc/passwd", "", ".git/config", "a/../b", "\xff"} {
		if h := r.History(head, name, HistoryOptions{}); h.Next(context.Background()) || h.Err() == nil {
			t.Errorf("%q: got %v, %v", name, h.Version(), h.Err())
		}
		if id, err := r.BlobAt(head, name); err == nil {
			t.Errorf("%q: got %q", name, id)
		}
	}
	if _, err := r.Blob("HEAD"); err == nil {
		t.Error("a blob id that is none was read")
	}
}

// A file that comes and goes is not worth a search for each time; what was left out is said.
func TestRenameSearchesAreBounded(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	var b strings.Builder
	for i := range 2*maxRenameSearches + 4 {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter G <g@example.org> %d +0000\ndata 1\nx\n", 1_700_000_000+i)
		if i%2 == 0 {
			fmt.Fprintf(&b, "M 100644 inline a\ndata 3\n%03d\n", i)
		} else {
			b.WriteString("D a\n")
		}
	}
	g.GitWith(b.String(), "fast-import", "--quiet", "--force")
	g.Git("reset", "-q", "--hard", "main")
	all, h := g.walk("a", HistoryOptions{})
	if len(all) != 2*maxRenameSearches+4 || h.End() != Limit || h.Err() != nil {
		t.Errorf("got %d, %v, %v", len(all), h.End(), h.Err())
	}
	// A commit that deletes more files than are looked at.
	b.Reset()
	b.WriteString("commit refs/heads/big\ncommitter G <g@example.org> 1700000000 +0000\ndata 1\nx\n")
	for i := range maxRenameSources + 1 {
		fmt.Fprintf(&b, "M 100644 inline old/%d\ndata 4\n%04d\n", i, i)
	}
	b.WriteString("commit refs/heads/big\ncommitter G <g@example.org> 1700000001 +0000\ndata 1\ny\nD old\nM 100644 inline new\ndata 4\n0007\n")
	g.GitWith(b.String(), "fast-import", "--quiet", "--force")
	g.Git("reset", "-q", "--hard", "big")
	all, h = g.walk("new", HistoryOptions{})
	if len(all) != 1 || h.End() != Limit {
		t.Errorf("got %v, %v", story(all), h.End())
	}
}

func TestHistoryOfMalformedObjects(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	good := rawTree(g, [3]string{"100644", "a", rawObject(g, "blob", "x\n")})
	when := "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> "
	root := rawObject(g, "commit", "tree "+good+when+"1 +0000\n\nroot\n")
	for name, commit := range map[string]string{
		"no tree":          "parent " + root + when + "2 +0000\n\nx\n",
		"tree is no id":    "tree zzz" + when + "2 +0000\n\nx\n",
		"tree is a blob":   "tree " + rawObject(g, "blob", "x\n") + when + "2 +0000\n\nx\n",
		"tree is cut":      "tree " + rawObject(g, "tree", "100644 a\x00short") + when + "2 +0000\n\nx\n",
		"tree has no name": "tree " + rawObject(g, "tree", "100644") + when + "2 +0000\n\nx\n",
		"many parents":     "tree " + good + strings.Repeat("\nparent "+root, maxParents+1) + when + "2 +0000\n\nx\n",
		"parent missing":   "tree " + good + "\nparent " + strings.Repeat("1", 40) + when + "2 +0000\n\nx\n",
	} {
		id := rawObject(g, "commit", "tree "+good+"\nparent "+rawObject(g, "commit", commit)+when+"3 +0000\n\nhead\n")
		r := g.open()
		head, err := r.Resolve(id)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h := r.History(head, "a", HistoryOptions{})
		for h.Next(context.Background()) {
		}
		if h.Err() == nil || h.End() != Unfinished || h.Next(context.Background()) {
			t.Errorf("%s: got %v, %v", name, h.Err(), h.End())
		}
	}
	// A date that is none, and one far off, stop nothing.
	for _, date := range []string{"", "x", "99999999999999999999", "-5"} {
		id := rawObject(g, "commit", "tree "+good+"\nparent "+root+when+date+" +0000\n\nhead\n")
		r := g.open()
		head, err := r.Resolve(id)
		if err != nil {
			t.Fatalf("%q: %v", date, err)
		}
		h := r.History(head, "a", HistoryOptions{})
		if !h.Next(context.Background()) || h.Version().Commit.Hash != root || h.Next(context.Background()) || h.End() != Complete {
			t.Errorf("%q: got %+v, %v, %v", date, h.Version(), h.Err(), h.End())
		}
	}
}

// git rev-list --ancestry-path is the oracle. Clocks that are days ahead change nothing.
func TestIsAncestorAgreesWithGit(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.GitWith(randomGraph(rand.New(rand.NewPCG(7, 11)), 25, 9), "fast-import", "--quiet", "--force")
	r := g.open()
	all := strings.Fields(g.Git("rev-list", "main"))
	for _, a := range all {
		descendants := strings.Fields(g.Git("rev-list", "--ancestry-path", a+"..main"))
		for _, b := range all {
			older, err := r.Resolve(a)
			if err != nil {
				t.Fatal(err)
			}
			newer, err := r.Resolve(b)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.IsAncestor(context.Background(), older, newer)
			if want := a == b || slices.Contains(descendants, b); err != nil || got != want {
				t.Errorf("%s in %s: got %v, %v; git %v", a, b, got, err, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	root, err := r.Resolve(all[len(all)-1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.IsAncestor(ctx, root, head); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// manyCommits is a history of n commits in a tree of 200 files; every 50th commit
// changes tokens/a.yml, the others one of the files beside it.
func manyCommits(t testing.TB, n int) *gitRepo {
	g := newGitRepo(t)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter G <g@example.org> %d +0000\ndata <<EOT\ncommit %d\nEOT\n", 1_700_000_000+i, i)
		if i == 0 {
			for f := range 200 {
				fmt.Fprintf(&b, "M 100644 inline dir%d/file%d\ndata 2\n0\n\n", f%20, f)
			}
		}
		name := fmt.Sprintf("dir%d/file%d", i%20, i%200)
		if i%50 == 0 {
			name = "tokens/a.yml"
		}
		fmt.Fprintf(&b, "M 100644 inline %s\ndata <<EOT\nversion: %d\nEOT\n", name, i)
	}
	g.GitWith(b.String(), "fast-import", "--quiet", "--force")
	g.Git("reset", "-q", "--hard", "main")
	return g
}

func TestHistoryOf5000Commits(t *testing.T) {
	t.Parallel()
	g := manyCommits(t, 5000)
	all, h := g.walk("tokens/a.yml", HistoryOptions{})
	if len(all) != 100 || h.End() != Complete || h.Visited() != 5000 {
		t.Errorf("got %d versions, %v, %d commits", len(all), h.End(), h.Visited())
	}
	if git := strings.Fields(g.Git("log", "--format=%H", "--", "tokens/a.yml")); !slices.Equal(hashes(all), git) {
		t.Error("git names other commits")
	}
}

// The proof of issue 5 asks for under 2 seconds. In the same run, git does the same, as a
// process: git log --follow.
func BenchmarkHistory5000Commits(b *testing.B) {
	g := manyCommits(b, 5000)
	ours, theirs := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if all, _ := g.walk("tokens/a.yml", HistoryOptions{}); len(all) != 100 {
			b.Fatal(len(all))
		}
		ours = min(ours, time.Since(start))
		start = time.Now()
		if all := strings.Fields(g.Git("log", "--follow", "--format=%H", "--", "tokens/a.yml")); len(all) != 100 {
			b.Fatal(len(all))
		}
		theirs = min(theirs, time.Since(start))
	}
	b.ReportMetric(ours.Seconds()*1000, "ours-ms")
	b.ReportMetric(theirs.Seconds()*1000, "git-ms")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "ratio")
}
