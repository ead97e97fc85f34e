//go:build unix

package repo

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// historyRepo has a merge with three parents, tags and a remote branch.
func historyRepo(t *testing.T) *gitRepo {
	g := newGitRepo(t)
	g.Commit("one")
	g.Git("branch", "left")
	g.Git("branch", "right")
	for _, branch := range []string{"left", "right"} {
		g.Git("checkout", "-q", branch)
		g.Write(branch, "1\n")
		g.Commit(branch)
	}
	g.Git("checkout", "-q", "main")
	g.Write("main", "1\n")
	g.Commit("two")
	g.At++
	g.Git("merge", "-q", "-m", "octopus\nsecond line\n\nbody", "left", "right")
	g.Git("tag", "light")
	g.Git("tag", "-a", "-m", "annotated", "heavy", "HEAD~1")
	g.Git("tag", "-a", "-m", "tag of a tag", "nested", "heavy")
	g.Git("tag", "blob", "HEAD:main")
	g.Git("branch", "topic/nested")
	g.Git("update-ref", "refs/remotes/origin/main", "HEAD^2")
	g.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	g.Git("update-ref", "refs/pull/7/merge", "HEAD^3")
	g.Git("branch", "deadbeef", "HEAD^2") // a name of hex digits is a reference first
	return g
}

// git rev-parse REV^{commit} is the oracle.
func TestResolveAgreesWithGit(t *testing.T) {
	t.Parallel()
	g := historyRepo(t)
	head := g.Head()
	revs := []string{
		"HEAD", "@", "main", "left", "topic/nested", "heads/left", "refs/heads/left", "light", "heavy", "nested",
		"tags/heavy", "refs/tags/heavy", "origin/main", "origin", "remotes/origin/main", "refs/pull/7/merge", "pull/7/merge",
		"HEAD~", "HEAD~1", "HEAD~2", "HEAD^", "HEAD^1", "HEAD^2", "HEAD^3", "HEAD^0", "HEAD~0", "HEAD^^", "HEAD^2~1", "HEAD~1^1",
		"@~1", "heavy~1", "heavy^{commit}", "nested^{}", "heavy^{}~1", "deadbeef",
		head, strings.ToUpper(head), head[:39], head[:7], head[:4], head[:5], head + "~1", head[:10] + "^2",
	}
	wrong := []string{
		"", "nothing", "HEAD~4", "HEAD^4", "HEAD~99999999999999999999", "HEAD~2000000", "blob", "HEAD^{tree}", "HEAD^{", "HEAD~1x", "^HEAD", "~1",
		head[:3], head + "0", strings.Repeat("0", 40), "main..left", "HEAD@{1}", ":/one", "HEAD:main", "-h", "../../config", "HEAD\x00", "refs/heads/../../config",
	}
	r := g.open()
	for _, rev := range revs {
		want := g.Git("rev-parse", "--verify", rev+"^{commit}")
		if c, err := r.Resolve(rev); err != nil || c.Hash != want {
			t.Errorf("%s: got %s, %v; git %s", rev, c.Hash, err, want)
		}
	}
	for _, rev := range wrong {
		c, err := r.Resolve(rev)
		var wrong *RevisionError
		if !errors.Is(err, ErrNoRevision) || !errors.As(err, &wrong) || wrong.Rev != rev || wrong.Shallow {
			t.Errorf("%q: got %s, %v", rev, c.Hash, err)
		}
	}
}

func TestAmbiguousHash(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	tree := g.Git("mktree")
	// Enough commits that two share four digits.
	seen := map[string]string{}
	for i := range 3000 {
		g.At = 1_700_000_000 + i
		hash := plainCommit(t, g, tree)
		if other, ok := seen[hash[:4]]; ok {
			_, err := g.open().Resolve(hash[:4])
			if !errors.Is(err, ErrNoRevision) || !strings.Contains(err.Error(), "ambiguous") {
				t.Errorf("%s and %s: got %v", hash, other, err)
			}
			return
		}
		seen[hash[:4]] = hash
	}
	t.Fatal("no two commits begin alike")
}

func plainCommit(t *testing.T, g *gitRepo, tree string) string {
	t.Helper()
	return g.Git("commit-tree", "-m", "x", tree)
}

func TestCommit(t *testing.T) {
	t.Parallel()
	g := historyRepo(t)
	r := g.open()
	c, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	parents := strings.Fields(g.Git("log", "-1", "--format=%P"))
	if !slices.Equal(c.Parents, parents) || len(parents) != 3 {
		t.Errorf("parents: got %v, git %v", c.Parents, parents)
	}
	if want := g.Git("log", "-1", "--format=%s"); c.Subject != want || want != "octopus second line" {
		t.Errorf("subject: got %q, git %q", c.Subject, want)
	}
	if c.AuthorName != "Ada" {
		t.Errorf("author: got %q", c.AuthorName)
	}
	if want := time.Unix(int64(g.At), 0).UTC(); !c.When.Equal(want) || c.When.Location() != time.UTC {
		t.Errorf("when: got %v, want %v", c.When, want)
	}
	g.Git("checkout", "-q", "--detach", "left")
	if c, err := g.open().Head(); err != nil || c.Hash != g.Head() {
		t.Errorf("detached: got %s, %v", c.Hash, err)
	}
}

func TestShallowClones(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Git("checkout", "-q", "-b", "side")
	g.Write("b", "1\n")
	g.Commit("side")
	g.Git("checkout", "-q", "main")
	g.Write("a", "2\n")
	base := g.Commit("two")
	g.At++
	g.Git("merge", "-q", "--no-ff", "-m", "merge", "side")

	// fetch-depth: 1, the default of actions/checkout.
	one := inDir(t, filepath.Join(t.TempDir(), "one"))
	g.Git("clone", "-q", "--depth=1", "file://"+g.Dir, one.Dir)
	r := one.open()
	if n, shallow := r.Shallow(); n != 1 || !shallow {
		t.Errorf("depth 1: got %d, %v", n, shallow)
	}
	head, err := r.Head()
	if err != nil || len(head.Parents) != 2 || r.Has(head.Parents[0]) {
		t.Errorf("depth 1: got %+v, %v", head, err)
	}
	_, err = r.Resolve("HEAD^1")
	var wrong *RevisionError
	if !errors.As(err, &wrong) || !wrong.Shallow || !strings.Contains(err.Error(), "fetch-depth") {
		t.Errorf("depth 1: got %v", err)
	}
	if !one.workTree().Clean() {
		t.Error("depth 1: not clean")
	}

	// fetch-depth: 2, so that the merge's first parent is the base of the pull request.
	two := inDir(t, filepath.Join(t.TempDir(), "two"))
	g.Git("clone", "-q", "--depth=2", "file://"+g.Dir, two.Dir)
	r = two.open()
	if n, shallow := r.Shallow(); n != 3 || !shallow {
		t.Errorf("depth 2: got %d, %v", n, shallow)
	}
	if c, err := r.Resolve("HEAD^1"); err != nil || c.Hash != base {
		t.Errorf("depth 2: got %s, %v, want %s", c.Hash, err, base)
	}
	if c, err := r.MergeBase(context.Background(), "HEAD", "HEAD^1"); err != nil || c.Hash != base {
		t.Errorf("depth 2: got %s, %v", c.Hash, err)
	}
	if _, err := r.MergeBase(context.Background(), "HEAD^1", "HEAD^2"); !errors.Is(err, ErrNoMergeBase) || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("depth 2: got %v", err)
	}
	changes, err := r.Diff(two.commitTree("HEAD^1"), two.commitTree("HEAD"))
	if want := gitDiff(two, "HEAD^1", "HEAD"); err != nil || !slices.Equal(changes, want) || len(want) != 1 {
		t.Errorf("depth 2: got %v, %v; git %v", changes, err, want)
	}
}

// git merge-base is the oracle, on a graph made so:
//
//	one --- main1 --- cross1 --- main2 --- skewed
//	   \         \ /                      (dated before one)
//	    \         X
//	     \       / \
//	      side1 ---- cross2 --- side2
//
//	other (no common ancestor)
func TestMergeBaseAgreesWithGit(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	next := func(name string) {
		g.Write(name, "1\n")
		g.Commit(name)
		g.Git("tag", name)
	}
	next("one")
	g.Git("checkout", "-q", "-b", "side")
	next("side1")
	g.Git("checkout", "-q", "main")
	next("main1")
	g.At++
	g.Git("merge", "-q", "-m", "cross1", "side1")
	g.Git("tag", "cross1")
	g.Git("checkout", "-q", "side")
	g.At++
	g.Git("merge", "-q", "-m", "cross2", "main1")
	g.Git("tag", "cross2")
	next("side2")
	g.Git("checkout", "-q", "main")
	next("main2")
	now := g.At
	g.At = 1_600_000_000
	next("skewed")
	next("skewed2")
	g.At = now
	g.Git("checkout", "-q", "--orphan", "other")
	next("other")
	r := g.open()
	tags := strings.Fields(g.Git("tag"))
	for _, a := range tags {
		for _, b := range tags {
			got, err := r.MergeBase(context.Background(), a, b)
			if (a == "other") != (b == "other") {
				if !errors.Is(err, ErrNoMergeBase) {
					t.Errorf("%s %s: got %s, %v", a, b, got.Hash, err)
				}
				continue
			}
			all := strings.Fields(g.Git("merge-base", "--all", a, b))
			if err != nil || got.Hash != all[0] {
				t.Errorf("%s %s: got %s, %v; git %v", a, b, got.Hash, err, all)
			}
		}
	}
	if all := strings.Fields(g.Git("merge-base", "--all", "main2", "side2")); len(all) != 2 {
		t.Errorf("the graph has no criss-cross: %v", all)
	}
	if _, err := r.MergeBase(context.Background(), "main", "nothing"); !errors.Is(err, ErrNoRevision) {
		t.Errorf("got %v", err)
	}
}

// git merge-base --all is the oracle, over random graphs with clocks that are days ahead.
func TestMergeBaseOfSkewedClocksAgreesWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 17))
	for range 4 {
		g := newGitRepo(t)
		g.GitWith(randomGraph(random, 60, 9), "fast-import", "--quiet", "--force")
		r := g.open()
		all := strings.Fields(g.Git("rev-list", "main"))
		for range 60 {
			i := random.IntN(len(all) - 4)
			a, b := all[i], all[i+1+random.IntN(4)]
			git := strings.Fields(g.Git("merge-base", "--all", a, b))
			if got, err := r.MergeBase(context.Background(), a, b); err != nil || !slices.Contains(git, got.Hash) {
				t.Errorf("%s %s: got %s, %v; git %v", a, b, got.Hash, err, git)
			}
		}
	}
}
