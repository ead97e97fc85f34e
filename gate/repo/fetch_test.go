//go:build unix

package repo

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/internal/gittest"
)

// origin is a served repository: main has three commits, and a merge commit that no
// branch leads to, as refs/pull/N/merge of an updated pull request.
func origin(t *testing.T) (g *gitRepo, s *gittest.Server, merge string) {
	t.Helper()
	g = newGitRepo(t)
	for i := range 120 {
		g.Write("dir"+strconv.Itoa(i%7)+"/file"+strconv.Itoa(i), lines("file "+strconv.Itoa(i), 60))
	}
	g.Write("run", "#!\n")
	g.chmod("run", 0o755)
	g.link("link", "dir0/file0")
	g.Write("empty", "")
	g.Commit("one")
	g.Write("dir0/file0", lines("file 0", 61))
	g.Commit("two")
	g.Git("checkout", "-q", "-b", "topic", "HEAD^")
	g.Write("dir1/file1", lines("file 1", 61))
	g.Commit("topic")
	g.Git("checkout", "-q", "--detach", "main")
	g.At++
	g.Git("merge", "-q", "-m", "merge", "topic")
	merge = g.Head()
	g.Git("checkout", "-q", "main")
	g.Write("dir2/file2", "three\n")
	g.Commit("three")
	g.Git("config", "uploadpack.allowFilter", "true")
	g.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	g.Git("update-ref", "refs/pull/7/merge", merge)
	return g, gittest.Serve(g.Repo), merge
}

func remote(s *gittest.Server) github.Remote { return github.Remote{URL: s.URL(), Token: s.Token} }

// checkWhole compares every file of a fetched commit with what git has.
func checkWhole(t *testing.T, r *Repository, g *gitRepo, commit string) {
	t.Helper()
	c, err := r.Resolve(commit)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.CommitTree(c)
	if err != nil {
		t.Fatal(err)
	}
	want := fields(g.Git("ls-tree", "-r", "-z", commit)) // mode, kind, id, tab, name
	if got := len(tree.Files()); got != len(want) {
		t.Errorf("%s: got %d files, git %d", commit, got, len(want))
	}
	for _, line := range want {
		about, name, _ := strings.Cut(line, "\t")
		if id, err := tree.ContentID(name); err != nil || id != strings.Fields(about)[2] {
			t.Errorf("%s: got %s, %v", name, id, err)
		}
		if _, err := tree.ReadFile(name); err != nil {
			t.Error(err)
		}
	}
}

// snapshot is all that is in a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every kind of clone gets what it lacks, in few requests, and stays as it was.
func TestFetch(t *testing.T) {
	t.Parallel()
	g, s, merge := origin(t)
	s.Token = "ghs_secret"
	base := g.Git("rev-parse", "main~1")
	for _, c := range []struct {
		name  string
		clone []string
	}{
		{"depth 1", []string{"--depth=1"}},
		{"depth 2", []string{"--depth=2"}},
		{"blob:none", []string{"--filter=blob:none"}},
		{"blob:none, depth 1", []string{"--filter=blob:none", "--depth=1"}},
		{"blob:limit", []string{"--filter=blob:limit=100"}},
		{"tree:0", []string{"--filter=tree:0"}},
		{"sparse", []string{"--filter=blob:none", "--sparse", "--depth=1"}},
		{"one branch", []string{"--single-branch"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
			g.Git(append(append([]string{"clone", "-q"}, c.clone...), "file://"+g.Dir, clone.Dir)...)
			before := snapshot(t, clone.Path(".git"))
			r := clone.open()
			asked := len(s.Requests())
			if err := r.Fetch(t.Context(), remote(s), merge, base, merge); err != nil {
				t.Fatal(err)
			}
			checkWhole(t, r, g, merge)
			checkWhole(t, r, g, base)
			if n := len(s.Requests()) - asked; n != 2 {
				t.Errorf("%d requests: %q", n, s.Requests()[asked:])
			}
			// What is here is not asked for again.
			if err := r.Fetch(t.Context(), remote(s), base); err != nil || len(s.Requests())-asked != 2 {
				t.Errorf("again: %v, %q", err, s.Requests()[asked:])
			}
			temporary := slices.Clone(r.objects.temporary)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			for _, dir := range temporary {
				if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is left: %v", dir, err)
				}
			}
			if after := snapshot(t, clone.Path(".git")); !maps.Equal(before, after) {
				t.Error("the clone was written to")
			}
		})
	}
}

// What the server knows to be here does not come again; what is damaged here does.
func TestFetchSaves(t *testing.T) {
	t.Parallel()
	g, s, merge := origin(t)
	for _, hurt := range []bool{false, true} {
		clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
		g.Git("clone", "-q", "--depth=1", "file://"+g.Dir, clone.Dir)
		if hurt {
			packs, err := filepath.Glob(clone.Path(".git/objects/pack/*"))
			if err != nil || len(packs) < 2 {
				t.Fatal(packs, err)
			}
			var content []byte
			for _, name := range packs {
				if strings.HasSuffix(name, ".pack") {
					if content, err = os.ReadFile(name); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
			clone.GitWith(string(content), "unpack-objects", "-q")
			// The tree of HEAD looks whole, and one of its files is cut off.
			damage(clone, clone.Git("rev-parse", "HEAD:dir3/file3"), func(b []byte) []byte { return b[:len(b)-20] })
		}
		r := clone.open()
		asked := len(s.Requests())
		if err := r.Fetch(t.Context(), remote(s), merge); err != nil {
			t.Fatal(err)
		}
		if hurt {
			c, err := r.Resolve(merge)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := r.CommitTree(c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tree.ReadFile("dir3/file3"); !errors.Is(err, ErrCorruptObject) {
				t.Errorf("got %v", err)
			}
			continue
		}
		checkWhole(t, r, g, merge)
		packs, err := filepath.Glob(r.objects.temporary[0] + "/objects/pack/*.pack")
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		if info, err := os.Stat(packs[0]); err != nil || info.Size() > 8000 {
			t.Errorf("%d bytes came: what is here came again", info.Size())
		}
		if n := len(s.Requests()) - asked; n != 2 {
			t.Errorf("%d requests", n)
		}
	}
}

// A clone whose objects are gone, or that offers what it has and gets nothing.
func TestFetchMends(t *testing.T) {
	t.Parallel()
	g, s, _ := origin(t)
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "file://"+g.Dir, clone.Dir)
	packs, err := filepath.Glob(clone.Path(".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	content, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{".pack", ".idx", ".rev"} {
		if err := os.RemoveAll(strings.TrimSuffix(packs[0], ".pack") + suffix); err != nil {
			t.Fatal(err)
		}
	}
	clone.GitWith(string(content), "unpack-objects", "-q")
	// A file that only the older commit has is gone; the server believes that we have it.
	lost := clone.Git("rev-parse", "HEAD~2:dir0/file0")
	clone.remove(".git/objects/" + lost[:2] + "/" + lost[2:])
	r := clone.open()
	base := clone.Git("rev-parse", "HEAD~2")
	if err := r.Fetch(t.Context(), remote(s), base); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, r, g, base)
	if n := len(s.Requests()); n > 4 {
		t.Errorf("%d requests", n)
	}
}

// History ends at a fetched commit, and says so.
func TestFetchedHistoryIsCutOff(t *testing.T) {
	t.Parallel()
	g, s, _ := origin(t)
	g.Git("checkout", "-q", "--orphan", "other")
	g.Write("dir0/file0", "other\n")
	g.Commit("other one")
	g.Write("dir0/file0", "other two\n")
	other := g.Commit("other two")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--single-branch", "-b", "main", "file://"+g.Dir, clone.Dir)
	r := clone.open()
	if !r.WholeHistory() {
		t.Error("the clone is whole")
	}
	if err := r.Fetch(t.Context(), remote(s), other); err != nil {
		t.Fatal(err)
	}
	if r.WholeHistory() {
		t.Error("it is cut off at the fetched commit")
	}
	c, err := r.Resolve(other)
	if err != nil {
		t.Fatal(err)
	}
	h := r.History(c, "dir0/file0", HistoryOptions{})
	n := 0
	for h.Next(t.Context()) {
		n++
	}
	if n != 1 || h.End() != Shallow || h.Err() != nil {
		t.Errorf("got %d versions, %v, %v", n, h.End(), h.Err())
	}
	if _, err := r.MergeBases(t.Context(), other, "main"); !errors.Is(err, ErrNoMergeBase) || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("got %v", err)
	}
}

func TestFetchRefusals(t *testing.T) {
	t.Parallel()
	g, s, merge := origin(t)
	s.Token = "ghs_secret"
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--depth=1", "file://"+g.Dir, clone.Dir)
	r := clone.open()
	var denied *github.PermissionError
	for _, token := range []string{"", "another"} {
		from := github.Remote{URL: s.URL(), Token: token}
		if err := r.Fetch(t.Context(), from, merge); !errors.As(err, &denied) || strings.Contains(err.Error(), "another") {
			t.Errorf("token %q: got %v", token, err)
		}
	}
	gone := strings.Repeat("1", 40)
	if err := r.Fetch(t.Context(), remote(s), gone); !errors.Is(err, github.ErrNoSuchCommit) || !strings.Contains(err.Error(), gone) {
		t.Errorf("got %v", err)
	}
	if err := r.Fetch(t.Context(), remote(s), "main"); !errors.Is(err, ErrNoRevision) {
		t.Errorf("got %v", err)
	}
	if len(r.objects.temporary) > 0 {
		t.Errorf("folders are left: %v", r.objects.temporary)
	}
}

// packSource is a source that writes what it likes.
type packSource func(ctx context.Context, w io.Writer) error

func (p packSource) Pack(ctx context.Context, w io.Writer, _, _, _ []string) error { return p(ctx, w) }

func TestFetchOfBadPacks(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", lines("a", 100))
	head := g.Commit("one")
	g.Write("a", lines("b", 100))
	other := g.Commit("two")
	whole := g.GitWith(head+"\n", "pack-objects", "-q", "--stdout", "--revs") + "\n"
	empty := newGitRepo(t)
	for name, c := range map[string]struct {
		pack string
		want error
	}{
		"nothing":       {"", ErrCorruptObject},
		"no pack":       {"<html>hello</html>", ErrCorruptObject},
		"cut off":       {whole[:len(whole)/2], ErrCorruptObject},
		"another":       {g.GitWith(other+"\n^"+head+"\n", "pack-objects", "-q", "--stdout", "--revs"), ErrMissingObject},
		"an empty pack": {g.GitWith("", "pack-objects", "-q", "--stdout"), ErrMissingObject},
		"many objects":  {"PACK\x00\x00\x00\x02\xff\xff\xff\xff", ErrTooLarge},
		// A blob of 2^39 bytes: type 3, size in a row of seven bits.
		"a huge object": {"PACK\x00\x00\x00\x02\x00\x00\x00\x01\xb0\x80\x80\x80\x80\x80\x01", ErrTooLarge},
	} {
		r := empty.open()
		err := r.Fetch(t.Context(), packSource(func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, c.pack)
			return err
		}), head)
		if !errors.Is(err, c.want) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	bounded := boundedWriter{io.Discard, 10}
	if _, err := bounded.Write(make([]byte, 11)); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "2048 MiB") {
		t.Errorf("got %v", err)
	}
}

// A server that never answers is waited for until the context ends, wherever it falls silent.
func TestFetchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		g, s, merge := origin(t)
		reached := make(chan struct{})
		s.Before = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != method {
				return false
			}
			_, _ = io.Copy(io.Discard, r.Body)
			if method == http.MethodPost {
				w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
				_, _ = io.WriteString(w, "000dpackfile\n0006\x01P")
				w.(http.Flusher).Flush()
			}
			close(reached)
			<-r.Context().Done()
			return true
		}
		clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
		g.Git("clone", "-q", "--depth=1", "file://"+g.Dir, clone.Dir)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-reached
			cancel()
		}()
		if err := clone.open().Fetch(ctx, remote(s), merge); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", method, err)
		}
	}
}

// A black hole takes what is left of the budget, and no more.
func TestFetchFromABlackHole(t *testing.T) {
	t.Parallel()
	g, s, merge := origin(t)
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	}
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--depth=1", "file://"+g.Dir, clone.Dir)
	from := remote(s)
	budget := github.NewBudget(2 * time.Second)
	from.HTTP.Budget = budget
	var gone *github.UnavailableError
	if err := clone.open().Fetch(t.Context(), from, merge); !errors.As(err, &gone) {
		t.Errorf("got %v", err)
	}
	if budget.Left() > 0 {
		t.Errorf("%v left", budget.Left())
	}
}
