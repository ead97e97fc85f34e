package repo

import (
	"slices"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// The upstream of a branch comes before origin's HEAD, and neither is guessed.
func TestUpstream(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		setup  func(g *gittest.Repo)
		branch string
		want   string
	}{
		{name: "none", setup: func(*gittest.Repo) {}},
		{name: "a remote branch that is the upstream", want: "refs/remotes/origin/main", setup: func(g *gittest.Repo) {
			g.Git("update-ref", "refs/remotes/origin/main", "HEAD")
			g.Git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
			g.Git("config", "branch.main.remote", "origin")
			g.Git("config", "branch.main.merge", "refs/heads/main")
		}},
		{name: "a local branch that is the upstream", branch: "topic", want: "refs/heads/main", setup: func(g *gittest.Repo) {
			g.Git("branch", "topic")
			g.Git("config", "branch.topic.remote", ".")
			g.Git("config", "branch.topic.merge", "refs/heads/main")
		}},
		{name: "an upstream that is gone, and origin's HEAD", want: "refs/remotes/origin/trunk", setup: func(g *gittest.Repo) {
			g.Git("update-ref", "refs/remotes/origin/trunk", "HEAD")
			g.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
			g.Git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
			g.Git("config", "branch.main.remote", "origin")
			g.Git("config", "branch.main.merge", "refs/heads/gone")
		}},
		{name: "a detached HEAD, and origin's", want: "refs/remotes/origin/main", setup: func(g *gittest.Repo) {
			g.Git("update-ref", "refs/remotes/origin/main", "HEAD")
			g.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
			g.Git("checkout", "-q", "--detach")
		}},
		{name: "an origin whose HEAD leads nowhere", setup: func(g *gittest.Repo) {
			g.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := gittest.New(t)
			g.Write("a", "a")
			g.Commit("a")
			g.Git("branch", "-M", "main")
			test.setup(g)
			r, err := Open(g.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, ok := r.Upstream(test.branch)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("%q, %v; want %q", got, ok, test.want)
			}
		})
	}
}

func TestNamesAndUser(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	g.Write("a", "a")
	g.Commit("a")
	g.Git("branch", "-M", "main")
	g.Git("tag", "v1")
	g.Git("update-ref", "refs/remotes/origin/main", "HEAD")
	g.Git("config", "user.name", "Grace H")
	r, err := Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, want := r.Names(), []string{"main", "origin/main", "v1"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	if r.Branch() != "main" || !r.HasBranch("main") || r.HasBranch("v1") {
		t.Errorf("on %q", r.Branch())
	}
	if got := r.UserName("/no/such/file"); got != "Grace H" {
		t.Errorf("user %q", got)
	}
}
