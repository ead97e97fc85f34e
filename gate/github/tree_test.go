package github

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

func newTree(t *testing.T, files map[string]string) (*Tree, *githubtest.GitHub) {
	t.Helper()
	g := githubtest.Start(t)
	g.AddCommit(merge, files)
	c, _ := newClient(t, g)
	tree, err := c.Tree(t.Context(), merge)
	if err != nil {
		t.Fatal(err)
	}
	return tree, g
}

func TestTree(t *testing.T) {
	files := map[string]string{
		"evals/a.replay.json": "{}", "evals/deep/er/b": "b", "tokens/swiss.yml": "a: 1\n", "empty": "", "same": "b", "module/": "",
	}
	tree, g := newTree(t, files)
	if err := fstest.TestFS(tree, "evals/a.replay.json", "evals/deep/er/b", "tokens/swiss.yml", "empty"); err != nil {
		t.Error(err)
	}
	if want := "[empty evals/a.replay.json evals/deep/er/b same tokens/swiss.yml]"; fmt.Sprint(tree.Files()) != want {
		t.Errorf("Files() = %v, want %s", tree.Files(), want)
	}
	// printf b | git hash-object --stdin
	if id, ok := tree.BlobID("same"); !ok || id != "63d8dbd40c23542e740659a7168a0ce3138ea748" {
		t.Errorf("BlobID(same) = %s, %v", id, ok)
	}
	if id, ok := tree.BlobID("evals"); ok {
		t.Errorf("a folder has the id %s", id)
	}
	// the list, and each of the four contents once
	if n := len(g.Requests()); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
	before := len(g.Requests())
	for _, name := range []string{"gone", "evals/gone", "empty/x", "module", "module/x"} {
		if _, err := fs.Stat(tree, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"../x", "/etc/passwd", "a//b", ""} {
		if _, err := tree.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if len(g.Requests()) != before || tree.Err() != nil {
		t.Errorf("what does not exist was asked for, or is a failure: %v", tree.Err())
	}
}

func TestTreeLinks(t *testing.T) {
	tree, _ := newTree(t, map[string]string{
		"tokens/swiss.yml": "a: 1\n", "current@": "tokens", "tokens/latest@": "./swiss.yml", "a/b/up@": "../../current/latest",
		"out@": "../x", "absolute@": "/etc/passwd", "loop@": "loop", "dangling@": "gone", "far/out@": "../../x", "long@": strings.Repeat("x", 5000),
	})
	for _, name := range []string{"current/swiss.yml", "tokens/latest", "current/latest", "a/b/up"} {
		content, err := fs.ReadFile(tree, name)
		info, err2 := fs.Stat(tree, name)
		if string(content) != "a: 1\n" || err != nil || err2 != nil || !info.Mode().IsRegular() || info.Size() != 5 {
			t.Errorf("%s: %q, %v, %v", name, content, err, err2)
		}
	}
	for name, want := range map[string]error{
		"out": errEscapes, "far/out": errEscapes, "absolute": errEscapes, "loop": fs.ErrInvalid, "dangling": fs.ErrNotExist, "long": fs.ErrInvalid,
	} {
		if _, err := tree.Open(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if err := tree.Err(); err != nil {
		t.Errorf("a link that leads nowhere is no failure to read: %v", err)
	}
}

// A file that is read by many is fetched once.
func TestTreeConcurrently(t *testing.T) {
	tree, g := newTree(t, map[string]string{"a": "1", "b": "2", "link@": "a"})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for _, name := range []string{"a", "b", "link"} {
				if content, err := fs.ReadFile(tree, name); err != nil || len(content) != 1 {
					t.Errorf("%s: %q, %v", name, content, err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(g.Requests()); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

// A base that can't be read must not look like a base without the file.
func TestTreeFailureIsNotAbsence(t *testing.T) {
	tree, g := newTree(t, map[string]string{"a": "1", "b": "2"})
	g.Fail(githubtest.Fault{Path: "/repos/octo-org/replays/git/blobs", Status: 500, Times: 5})
	_, err := tree.Open("a")
	var u *UnavailableError
	if !errors.As(err, &u) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v", err)
	}
	before := len(g.Requests())
	if _, err := tree.Open("b"); !errors.As(err, &u) || !errors.As(tree.Err(), &u) {
		t.Errorf("after a failure: %v, %v", err, tree.Err())
	}
	if len(g.Requests()) != before {
		t.Error("GitHub was asked on after it failed")
	}
}

func TestTreeBounds(t *testing.T) {
	files := make(map[string]string)
	for i := range MaxReads + 1 {
		files[fmt.Sprintf("f%03d", i)] = fmt.Sprint(i)
	}
	tree, g := newTree(t, files)
	var err error
	for _, name := range tree.Files() {
		if _, err = fs.ReadFile(tree, name); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrTooManyReads) || !errors.Is(tree.Err(), ErrTooManyReads) || len(g.Requests()) != 1+MaxReads {
		t.Errorf("%v after %d requests", err, len(g.Requests()))
	}

	g = githubtest.Start(t)
	g.AddCommit(merge, map[string]string{"a": "", "b": "", "c": ""})
	g.Truncated = true
	c, _ := newClient(t, g)
	if _, err := c.Tree(t.Context(), merge); !errors.Is(err, ErrTreeTruncated) {
		t.Errorf("truncated: %v", err)
	}
}

func TestTreeHostile(t *testing.T) {
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	id := strings.Repeat("a", 40)
	entry := func(path, mode, sha string) string {
		return fmt.Sprintf(`{"path":%q,"mode":%q,"type":"blob","sha":%q,"size":1}`, path, mode, sha)
	}
	for name, entries := range map[string]string{
		"leaves":           entry("../a", "100644", id),
		"absolute":         entry("/a", "100644", id),
		"no name":          entry("", "100644", id),
		"dot":              entry(".", "100644", id),
		"twice":            entry("a", "100644", id) + "," + entry("a", "100644", id),
		"file then folder": entry("a", "100644", id) + "," + entry("a/b", "100644", id),
		"folder then file": entry("a/b", "100644", id) + "," + entry("a", "100644", id),
		"id is a path":     entry("a", "100644", "../../../../user"),
		"null":             "null",
	} {
		g.Fail(githubtest.Fault{Status: 200, Body: `{"sha":"` + id + `","truncated":false,"tree":[` + entries + `]}`})
		if tree, err := c.Tree(t.Context(), merge); err == nil {
			t.Errorf("%s: %v", name, tree.Files())
		}
	}
	// A base with a file that can't be had is a base that can't be read.
	for name, reply := range map[string]githubtest.Fault{
		`{"path":"huge","mode":"100644","type":"blob","sha":"` + id + `","size":99999999}`: {Status: 200, Body: "never asked for"},
		entry("forged", "100644", id): {Status: 200, Body: "not what the id says"},
	} {
		g := githubtest.Start(t)
		c, _ := newClient(t, g)
		g.Fail(githubtest.Fault{Status: 200, Body: `{"sha":"` + id + `","truncated":false,"tree":[` + name + `]}`}, reply)
		tree, err := c.Tree(t.Context(), merge)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Open(tree.Files()[0]); err == nil || tree.Err() == nil {
			t.Errorf("%s: %v", name, err)
		}
		if huge := strings.Contains(name, "huge"); errors.Is(tree.Err(), ErrFileTooLarge) != huge || len(g.Requests()) == 1 != huge {
			t.Errorf("%s: %v after %d requests", name, tree.Err(), len(g.Requests()))
		}
	}
	if _, err := c.Tree(t.Context(), "main"); err == nil {
		t.Error("a branch was taken for a commit")
	}
}
