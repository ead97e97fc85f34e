package gate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/internal/gittest"
)

const folder = ".assay/bundles"

func names(t *testing.T, g *gittest.Repo) []string {
	t.Helper()
	entries, err := os.ReadDir(g.Path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// sums reports whether the folder verifies: each line of SHA256SUMS is of a file there.
func sums(t *testing.T, g *gittest.Repo) {
	t.Helper()
	data, err := os.ReadFile(g.Path(folder + "/SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(l), "  ")
		content, err := os.ReadFile(g.Path(folder + "/" + name))
		if err != nil || bundle.Digest(content) != "sha256:"+sum {
			t.Errorf("%s does not verify: %v", name, err)
		}
	}
}

// Issue 12, "The folder is whole": after a run it holds what that run wrote and nothing
// older; what is not of the gate's own forms, and what a commit has, stays.
func TestFolderHoldsTheLastRun(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	g.Write(folder+"/committed-0123456789ab.tar.gz", "mine")
	g.Git("add", "-f", folder)
	g.Commit("a bundle of ours")
	gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	sums(t, g)
	first := names(t, g)
	for _, name := range []string{
		"notes.txt", "release.tar.gz", "swiss.tar.gz", "old-0123456789ab.tar.gz", "timeline.svg", ".ABCDEFGHIJKLMNOPQRSTUVWX23.tmp", ".profile.tmp",
	} {
		g.Write(folder+"/"+name, "x")
	}
	g.Mkdir(folder + "/folder-0123456789ab.tar.gz")
	if err := os.Symlink("../../README.md", g.Path(folder+"/link-0123456789ab.tar.gz")); err != nil {
		t.Fatal(err)
	}
	gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	sums(t, g)
	want := append(slices.Clone(first), "notes.txt", "release.tar.gz", "swiss.tar.gz", ".profile.tmp", "folder-0123456789ab.tar.gz", "link-0123456789ab.tar.gz")
	slices.Sort(want)
	if got := names(t, g); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q\nwant %q", got, want)
	}

	// Another verdict under the same names, and then none at all.
	edit(t, g, swissToken, "id:", "was: x\nid:")
	gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	sums(t, g)
	gateOf(t, g, Options{Base: "main", BundleFor: "none", FailOn: "never"})
	for _, name := range names(t, g) {
		if name == "SHA256SUMS" || strings.HasPrefix(name, "2026-") {
			t.Errorf("%s is of an earlier run", name)
		}
	}
	if data, err := os.ReadFile(g.Path(folder + "/committed-0123456789ab.tar.gz")); err != nil || string(data) != "mine" {
		t.Errorf("the committed bundle: %q, %v", data, err)
	}
}

// A committed list of digests is no list of what to delete, and is not deleted.
func TestFolderKeepsCommittedSums(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	g.Write(folder+"/SHA256SUMS", strings.Repeat("0", 64)+"  ../../README.md\n")
	g.Write("README.md", "read me\n")
	g.Git("add", "-f", folder)
	g.Commit("sums")
	gateOf(t, g, Options{Base: "main", BundleFor: "none", FailOn: "never"})
	for _, name := range []string{folder + "/SHA256SUMS", "README.md"} {
		if _, err := os.Stat(g.Path(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A link on the way to the folder is followed neither for writing nor for sweeping.
func TestFolderIsNoLink(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(g *gittest.Repo) error{
		"the folder": func(g *gittest.Repo) error {
			g.Mkdir(".assay")
			return os.Symlink("../.git/hooks", g.Path(folder))
		},
		"above it": func(g *gittest.Repo) error {
			g.Mkdir(".git/bundles")
			return os.Symlink(".git", g.Path(".assay"))
		},
	} {
		for _, bundles := range []string{"all", "none"} {
			g := demoRepo(t)
			if err := link(g); err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{".git/hooks", ".git/bundles"} {
				g.Write(dir+"/old-0123456789ab.tar.gz", "x")
			}
			g.Git("add", "-f", ".assay")
			g.Commit("a link")
			_, err := Run(context.Background(), Options{Root: g.Dir, Base: "main", Scope: "all", BundleFor: bundles, Clock: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)})
			// A link above is refused when the list of accepted drift is read.
			if err == nil || name == "the folder" && !errors.Is(err, bundle.ErrLink) {
				t.Errorf("%s, %s: %v", name, bundles, err)
			}
			for _, dir := range []string{".git/hooks", ".git/bundles"} {
				left, err := filepath.Glob(g.Path(dir + "/*0123456789ab*"))
				if more, _ := filepath.Glob(g.Path(dir + "/2026*")); err != nil || len(left) != 1 || len(more) > 0 {
					t.Errorf("%s, %s: %s holds %q and %q", name, bundles, dir, left, more)
				}
			}
		}
	}
}

// A run that can't be completed leaves the folder as it was.
func TestFolderOfAFailedRun(t *testing.T) {
	t.Parallel()
	g := demoRepo(t)
	gateOf(t, g, Options{Base: "main", Scope: "all", FailOn: "never"})
	before := names(t, g)
	was, err := os.ReadFile(g.Path(folder + "/report.json"))
	if err != nil {
		t.Fatal(err)
	}
	edit(t, g, swissToken, "id:", "was: x\nid:")
	ctx, cancel := context.WithCancel(context.Background())
	_, err = Run(ctx, Options{
		Root: g.Dir, Base: "main", Scope: "all", Clock: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
		Progress: func(stage string, _, _ int) {
			if stage == "writing bundles" {
				cancel()
			}
		},
	})
	if err == nil {
		t.Fatal("the run was not interrupted")
	}
	if got := names(t, g); !slices.Equal(got, before) {
		t.Errorf("the folder holds %q, before %q", got, before)
	}
	if is, err := os.ReadFile(g.Path(folder + "/report.json")); err != nil || string(is) != string(was) {
		t.Errorf("the report is another one: %v", err)
	}
	sums(t, g)
}
