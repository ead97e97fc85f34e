package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// The forms that a repository can have (issue 17, Limits, stated and held). Each gives the
// right verdict, in the work tree and with --head HEAD, or one line that names the form
// and what to do about it. Never is such a form drift, and never a reason to look for room
// on the disk.

// form is one form of a repository.
type form struct {
	name string
	// make gives the repository that form; it returns the folder to run in, or nil for the
	// repository's own.
	make func(s *scene) *gittest.Repo
	// tree and head say how it goes in the work tree and with --head HEAD: empty for the
	// right verdict.
	tree, head formRefusal
}

// formRefusal is how a form that can't be read is refused. The zero value: it is not.
type formRefusal struct {
	exit int
	says string // names the form
	next string // says what to do
}

var forms = []form{
	{name: "a clone"},
	{name: "a detached head", make: func(s *scene) *gittest.Repo { s.Git("checkout", "-q", "--detach"); return nil }},
	{name: "a linked work tree", make: func(s *scene) *gittest.Repo {
		linked := beside(s)
		s.Git("worktree", "add", "-q", "--detach", linked.Dir)
		return linked
	}},
	{name: "a work tree of a bare repository", make: func(s *scene) *gittest.Repo {
		bare, linked := beside(s), beside(s)
		s.Git("clone", "-q", "--bare", s.Dir, bare.Dir)
		bare.Git("worktree", "add", "-q", "--detach", linked.Dir)
		return linked
	}},
	{name: "a linked work tree without its repository", make: func(s *scene) *gittest.Repo {
		linked := beside(s)
		s.Git("worktree", "add", "-q", "--detach", linked.Dir)
		s.remove(".git")
		return linked
	}, tree: formRefusal{2, "a linked work tree needs its main repository beside it", ""}, head: formRefusal{2, "a linked work tree needs its main repository beside it", ""}},
	{name: "a git folder elsewhere", make: func(s *scene) *gittest.Repo {
		s.Git("init", "-q", "--separate-git-dir", beside(s).Dir)
		return nil
	}},
	{name: "a submodule", make: func(s *scene) *gittest.Repo {
		above := gittest.New(s.T)
		above.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.Dir, "inside")
		above.Commit("a submodule")
		inside := gittest.In(s.T, above.Path("inside"))
		inside.Git("fetch", "-q", "--tags")
		return inside
	}},
	{name: "a shallow clone with its base", make: func(s *scene) *gittest.Repo { return cloned(s, "--depth=2", "--branch=main") }},
	{name: "a shallow clone without its base", make: func(s *scene) *gittest.Repo {
		clone := cloned(s, "--depth=1", "--no-tags", "--branch=main")
		clone.Write(".git/refs/tags/base", s.Git("rev-parse", "base^{commit}")+"\n")
		return clone
	}, tree: formRefusal{2, "the clone is shallow", "fetch"}, head: formRefusal{2, "the clone is shallow", "fetch"}},
	{name: "a partial clone", make: func(s *scene) *gittest.Repo { return cloned(s, "--filter=blob:none") }},
	{name: "a partial clone that has all", make: func(s *scene) *gittest.Repo {
		clone := cloned(s, "--filter=blob:none")
		clone.Git("read-tree", "-m", "-u", "base") // fetches what the base has
		clone.Git("read-tree", "-m", "-u", "HEAD")
		return clone
	}},
	{name: "a partial clone without trees", make: func(s *scene) *gittest.Repo { return cloned(s, "--filter=tree:0") },
		tree: formRefusal{3, "partial clone", "git"}, head: formRefusal{3, "partial clone", "git"}},
	{name: "a sparse checkout", make: func(s *scene) *gittest.Repo { s.Git("sparse-checkout", "set", "briefs"); return nil }},
	{name: "a sparse checkout with a sparse index", make: func(s *scene) *gittest.Repo {
		s.Git("sparse-checkout", "set", "--cone", "--sparse-index", "briefs")
		return nil
	}},
	{name: "a sparse checkout of a partial clone", make: func(s *scene) *gittest.Repo {
		clone := cloned(s, "--filter=blob:none", "--sparse")
		clone.Git("sparse-checkout", "set", "briefs")
		return clone
	}, tree: formRefusal{3, "partial clone", "git"}, head: formRefusal{3, "partial clone", "git"}},
	{name: "a split index", make: func(s *scene) *gittest.Repo {
		s.Git("update-index", "--split-index")
		s.Write("later.md", "later\n")
		s.Git("add", "later.md")
		s.Git("rm", "-q", "--cached", "later.md")
		s.remove("later.md")
		return nil
	}, tree: formRefusal{2, "split index", "git update-index --no-split-index"}},
	{name: "an index of version 4", make: func(s *scene) *gittest.Repo { s.Git("update-index", "--index-version", "4"); return nil }},
	{name: "an index with an untracked cache and a monitor", make: func(s *scene) *gittest.Repo {
		s.Git("update-index", "--untracked-cache")
		s.Git("update-index", "--fsmonitor")
		return nil
	}},
	{name: "no index", make: func(s *scene) *gittest.Repo { s.remove(".git/index"); return nil }},
	{name: "SHA-256 object names", make: func(s *scene) *gittest.Repo {
		other := beside(s)
		if err := os.CopyFS(other.Dir, os.DirFS(s.Dir)); err != nil {
			s.T.Fatal(err)
		}
		if err := os.RemoveAll(other.Path(".git")); err != nil {
			s.T.Fatal(err)
		}
		other.Git("init", "-q", "--object-format=sha256")
		other.Commit("all of it")
		return other
	}, tree: formRefusal{2, "sha256", "sha1"}, head: formRefusal{2, "sha256", "sha1"}},
	{name: "references in a reftable", make: func(s *scene) *gittest.Repo {
		s.Git("config", "core.repositoryformatversion", "1")
		s.Git("config", "extensions.refStorage", "reftable")
		return nil
	}, tree: formRefusal{2, "reftable", "git refs migrate --ref-format=files"}, head: formRefusal{2, "reftable", "git refs migrate --ref-format=files"}},
	{name: "an extension of tomorrow", make: func(s *scene) *gittest.Repo {
		s.Git("config", "core.repositoryformatversion", "1")
		s.Git("config", "extensions.tomorrow", "true")
		return nil
	}, tree: formRefusal{2, "tomorrow", "clone"}, head: formRefusal{2, "tomorrow", "clone"}},
	{name: "objects of another repository", make: func(s *scene) *gittest.Repo { return cloned(s, "--shared") }},
	{name: "objects of another repository that is gone", make: func(s *scene) *gittest.Repo {
		clone := cloned(s, "--shared")
		s.remove(".git")
		return clone
	}, tree: formRefusal{3, "alternates", "git"}, head: formRefusal{3, "alternates", "git"}},
	{name: "replaced objects", make: func(s *scene) *gittest.Repo {
		// What git shows in place of the token, of the commit and of the base is in no commit.
		s.Git("replace", s.Git("rev-parse", "HEAD:tokens/swiss.yml"), s.Git("rev-parse", "HEAD:README.md"))
		s.Git("replace", "-f", s.Git("rev-parse", "base:tokens/swiss.yml"), s.Git("rev-parse", "HEAD:README.md"))
		return nil
	}},
	{name: "a replaced commit", make: func(s *scene) *gittest.Repo { s.Git("replace", "base", "HEAD", "-f"); return nil }},
	{name: "grafted history", make: func(s *scene) *gittest.Repo {
		s.Write(".git/info/grafts", s.Head()+"\n")
		return nil
	}},
	{name: "packed references", make: func(s *scene) *gittest.Repo { s.Git("pack-refs", "--all"); return nil }},
	{name: "packs", make: func(s *scene) *gittest.Repo { s.Git("gc", "-q", "--prune=now"); return nil }},
	{name: "packs with an index of version 1", make: func(s *scene) *gittest.Repo {
		s.Git("-c", "pack.indexVersion=1", "repack", "-adq")
		return nil
	}, tree: formRefusal{3, "of version 1", "pack.indexVersion=2 repack -a -d"}, head: formRefusal{3, "of version 1", "pack.indexVersion=2 repack -a -d"}},
	{name: "a pack for each object, and an index over all", make: func(s *scene) *gittest.Repo {
		for id := range strings.Lines(s.Git("rev-list", "--objects", "--all", "--no-object-names")) {
			s.GitWith(id, "pack-objects", "-q", ".git/objects/pack/pack")
		}
		s.Git("prune-packed", "-q")
		s.Git("multi-pack-index", "write")
		return nil
	}},
	{name: "a multi-pack index with bitmaps", make: func(s *scene) *gittest.Repo {
		s.Git("repack", "-Aq", "--write-midx", "--write-bitmap-index", "-d")
		return nil
	}},
	{name: "a chain of commit graphs", make: func(s *scene) *gittest.Repo {
		s.Git("commit-graph", "write", "--reachable", "--split", "--changed-paths")
		return nil
	}},
	{name: "another owner", make: func(s *scene) *gittest.Repo {
		if os.Getuid() != 0 {
			return nil // nothing can be given away; .ci/run is root
		}
		err := filepath.WalkDir(s.Dir, func(name string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(name, 1001, 1001)
		})
		if err != nil {
			s.T.Fatal(err)
		}
		return nil
	}},
	{name: "no repository", make: func(s *scene) *gittest.Repo { s.remove(".git"); return nil },
		tree: formRefusal{2, "neither it nor a folder above it holds .git", "git work tree"}, head: formRefusal{2, "neither it nor a folder above it holds .git", "git work tree"}},
	{name: "a bare repository", make: func(s *scene) *gittest.Repo { return cloned(s, "--bare") },
		tree: formRefusal{2, "neither it nor a folder above it holds .git", "git work tree"}, head: formRefusal{2, "neither it nor a folder above it holds .git", "git work tree"}},
}

// beside is a folder for another repository.
func beside(s *scene) *gittest.Repo {
	s.T.Helper()
	return gittest.In(s.T, filepath.Join(s.T.TempDir(), "other"))
}

// cloned is a clone of the scene, with its tag.
func cloned(s *scene, args ...string) *gittest.Repo {
	s.T.Helper()
	s.Git("config", "uploadpack.allowFilter", "true")
	clone := beside(s)
	from := "file://" + s.Dir
	for _, a := range args {
		if a == "--shared" {
			from = s.Dir
		}
	}
	s.Git(append(append([]string{"clone", "-q"}, args...), from, clone.Dir)...)
	return clone
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, f := range forms {
		for exit, edit := range map[int]func(*scene){0: func(s *scene) { s.edit("README.md", "A consumer", "A user") }, 1: blue} {
			t.Run(f.name+", "+map[int]string{0: "intact", 1: "drift"}[exit], func(t *testing.T) {
				t.Parallel()
				s := greenRow{edit: edit}.play(t)
				s.Commit("the change")
				g := s.Repo
				if f.make != nil {
					if other := f.make(s); other != nil {
						g = other
					}
				}
				f.holds(t, g, "work tree", f.tree, exit)
				f.holds(t, g, "commit", f.head, exit, "--head", "HEAD")
			})
		}
	}
}

func (f form) holds(t *testing.T, g *gittest.Repo, mode string, refused formRefusal, exit int, args ...string) {
	t.Helper()
	var out, chatty bytes.Buffer
	args = append([]string{"gate", "--root", g.Dir, "--base", "base", "--bundle-for", "none", "--color", "never"}, args...)
	got := Main(context.Background(), Streams{In: strings.NewReader(""), Out: &out, Err: &chatty, Getenv: func(string) string { return "" }, Now: clock}, args)
	said := strings.Join(strings.Fields(out.String()+chatty.String()), " ") // without wrapping
	t.Logf("%s: exit %d: %s", mode, got, said)
	switch {
	case refused.exit == 0 && got != exit:
		t.Errorf("%s: exit %d, want %d: %s", mode, got, exit, said)
	case refused.exit == 0 && exit == 1 && !strings.Contains(said, "1 published result no longer describes it"):
		t.Errorf("%s: it is another verdict: %s", mode, said)
	case refused.exit != 0 && (got != refused.exit || !strings.Contains(said, refused.says) || !strings.Contains(said, refused.next)):
		t.Errorf("%s: exit %d, want %d with %q and %q: %s", mode, got, refused.exit, refused.says, refused.next, said)
	case strings.Contains(said, "the disk has room"):
		t.Errorf("%s: it is no matter of the disk: %s", mode, said)
	}
}
