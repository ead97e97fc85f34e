//go:build unix

package repo

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func slicesContainAll(all []string, some ...string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

func TestTrail(t *testing.T) {
	t.Parallel()
	g := linkRepo(t)
	g.link("far", "dirlink/gone/x/../file")
	g.Commit("more")
	for _, c := range []struct {
		name string
		want []string
	}{
		{"file", []string{"file"}},
		{"nothing", []string{"nothing"}},
		{"dir", []string{"dir"}},
		{"link", []string{"file", "link"}},
		{"dir/up", []string{"dir/up", "file"}},
		{"dirlink/inner", []string{"dir/inner", "dirlink"}},
		{"dirlink", []string{"dir", "dirlink"}},
		{"chain", []string{"chain", "dir/up", "dirlink", "file"}},
		{"dots", []string{"dir/inner", "dots"}},
		{"dangling", []string{"dangling", "nowhere"}},
		{"dirlink/nothing", []string{"dir/nothing", "dirlink"}},
		{"no/such/file", []string{"no", "no/such/file"}},
		{"file/x", []string{"file/x"}},
		{"far", []string{"dir/gone", "dir/gone/file", "dirlink", "far"}},
		{"loop", []string{"loop"}},
		{"out", []string{"out"}},
		{"absolute", []string{"absolute"}},
		{"gitdir/config", []string{"gitdir"}},
		{"../x", []string{"../x"}},
	} {
		for state, tree := range map[string]*Snapshot{"work tree": g.workTree(), "commit": g.commitTree("HEAD")} {
			if got := tree.Trail(c.name); !slices.Equal(got, c.want) {
				t.Errorf("%s: %s: got %q, want %q", state, c.name, got, c.want)
			}
		}
	}
}

func TestTrailThroughASubmodule(t *testing.T) {
	t.Parallel()
	g, _ := withSubmodule(t)
	without := newGitRepo(t)
	without.remove(".")
	g.Git("clone", "-q", g.Dir, without.Dir)
	for state, tree := range map[string]*Snapshot{
		"work tree": g.workTree(), "commit": g.commitTree("HEAD"),
		"not checked out": without.workTree(), "not cloned": without.commitTree("HEAD"),
	} {
		for name, want := range map[string][]string{
			"link":                {"libs/sub", "libs/sub/token", "link"},
			"libs/sub/token":      {"libs/sub", "libs/sub/token"},
			"libs/sub/inner/deep": {"libs/sub", "libs/sub/inner/deep"},
			"libs/sub/nothing":    {"libs/sub", "libs/sub/nothing"},
			"top":                 {"top"},
		} {
			got := slices.DeleteFunc(tree.Trail(name), func(p string) bool { return p == "libs/sub/inner" })
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s: got %q, want %q", state, name, got, want)
			}
		}
	}
}

// git diff --raw is the oracle: without renames, every path that it names differs.
func TestDifferingAgreesWithGit(t *testing.T) {
	t.Parallel()
	for _, c := range diffCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGitRepo(t)
			c.before(g)
			g.Commit("before")
			c.after(g)
			r := g.open()
			base, err := r.CommitTree(must(t)(r.Head()))
			if err != nil {
				t.Fatal(err)
			}
			work, err := r.WorkTree()
			if err != nil {
				t.Fatal(err)
			}
			fromWork, err := r.Differing(context.Background(), base, work)
			if err != nil {
				t.Fatal(err)
			}
			g.Commit("after")
			want := fields(g.Git("diff", "--no-renames", "--name-only", "-z", "HEAD^", "HEAD"))
			slices.Sort(want)
			head, err := r.CommitTree(must(t)(r.Resolve("HEAD")))
			if err != nil {
				t.Fatal(err)
			}
			fromCommit, err := r.Differing(context.Background(), base, head)
			if err != nil || !slices.Equal(fromCommit, want) || !slices.Equal(fromWork, want) {
				t.Errorf("got %q and, in the work tree, %q, %v; git %q", fromCommit, fromWork, err, want)
			}
			if same, err := r.Differing(context.Background(), head, head); err != nil || len(same) > 0 {
				t.Errorf("got %q, %v", same, err)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	d := Differences{"a-b", "a/b/c", "x"}
	for _, c := range []struct {
		path                string
		has, below, touches bool
	}{
		{"a-b", true, false, true}, {"a/b/c", true, false, true}, {"a", false, true, true}, {"a/b", false, true, true},
		{"a/b/c/d", false, false, false}, {"b", false, false, false}, {".", false, true, true}, {"xy", false, false, false},
	} {
		if d.Has(c.path) != c.has || d.Below(c.path) != c.below || d.Touch("nothing", c.path) != c.touches {
			t.Errorf("%s: got %v, %v, %v", c.path, d.Has(c.path), d.Below(c.path), d.Touch("nothing", c.path))
		}
	}
}

// What can't be read may have changed.
func TestUnreadableFilesDiffer(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Log("root reads everything; a pipe in place of the file stands for the others")
	}
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Write("b", "1\n")
	g.Commit("one")
	work := g.workTree()
	for i := range work.files {
		work.files[i].known = false // as if the index did not vouch
	}
	g.chmod("a", 0)
	if os.Getuid() == 0 {
		g.remove("a")
	}
	r := g.open()
	got, err := r.Differing(context.Background(), g.commitTree("HEAD"), work)
	if err != nil || strings.Join(got, " ") != "a" {
		t.Errorf("got %v, %v", got, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := r.Differing(ended, g.commitTree("HEAD"), work); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := r.WorkTreeContext(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := r.CommitTreeContext(ended, must(t)(r.Head())); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := r.DiffContext(ended, g.commitTree("HEAD"), work); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
