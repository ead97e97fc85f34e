//go:build unix

package repo

import (
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

func readFile(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The names that every pattern is tried on; each is a file.
var ignoreNames = []string{
	"a", "b", "ab", "abc", "a.log", ".hidden", "foo", "foo.txt", "a b", "a ", "#x", "!x", "x]", "a-c", "a[b]", "*", "a*b", "a\\b", "é", "Z",
	"dir/a", "dir/foo", "dir/sub/a", "dir/sub/foo", "dir/sub/deep/foo.txt", "foo2/a", "foo2/bar/a", "foo2/x/y/bar", "foo2/bar2",
	"sub/foo/a", "sub/dir/foo/b", "build/out/x.o", "x/build/out/y.o",
}

// Lines from the rules and examples of gitignore(5), and from its corners.
var ignorePatterns = []string{
	"a", "/a", "a/", "foo", "/foo", "foo/", "dir/a", "/dir/a", "dir/", "dir/*", "dir/**", "dir/**/foo", "**/foo", "**/foo/a", "foo2/**/bar",
	"**", "/**", "**/", "*", "/*", "*.log", "*.*", "a?", "?", "??c", "[ab]", "[a-c]bc", "[!a]", "[^a]", "[]x]*", "x[]]", "[[:alpha:]]", "[[:upper:]]",
	"[[:punct:]]x", "[[:nope:]]", "[a", "[", "[!", "a[[]b]", "a\\*b", "\\*", "\\a", "a\\", "\\#x", "#x", "\\!x", "!a", "a ", "a\\ ", "a b", " a", "a\t",
	"a\\\\b", "é", "?é", "??", "*é*", "dir/*/foo", "*/foo", "*/*/foo", "d*r/foo", "dir*foo", "dir?foo", "dir[/]foo", "***/foo", "**foo", "foo**", "a**c", "**/*/a",
	"/**/foo", "foo2/**", "foo2/**/", "sub/**/foo/", "//a", "/", "//", "", "build/out", "out", "*.o", ".*", ".hidden", "z", "[z-a]", "[a-]c", "a[-]c", "dir/sub/",
}

// git ls-files --others is the oracle.
func TestIgnoreAgreesWithGit(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, name := range ignoreNames {
		g.Write(name, "")
	}
	check := func(t *testing.T, root, below string) {
		t.Helper()
		g.Write(".git/info/exclude", root)
		g.Write("foo2/.gitignore", below)
		if got, want := g.workTree().Files(), gitFiles(g); !slices.Equal(got, want) {
			t.Errorf("%q, below %q:\n got %q\n git %q", root, below, got, want)
		}
	}
	for _, p := range ignorePatterns {
		check(t, p+"\n", "")
		check(t, "", p+"\r\n")
	}
	check(t, "\ufeffa\r\n\r\n# comment\nfoo", "!a")
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() string { return ignorePatterns[random.IntN(len(ignorePatterns))] + "\n" }
	for range 60 {
		check(t, pick()+"!"+pick()+pick(), pick()+"!"+pick())
	}
}

// A pattern with many stars must not take exponential time.
func TestIgnoreIsFastForHostilePatterns(t *testing.T) {
	t.Parallel()
	glob, ok := parseGlob(strings.Repeat("*a", 1000) + "b")
	if !ok {
		t.Fatal("not a pattern")
	}
	done := make(chan bool, 1)
	go func() { done <- match(glob, strings.Repeat("a", 4000)+"cb") }()
	select {
	case matched := <-done:
		if matched {
			t.Error("matched")
		}
	case <-time.After(time.Minute):
		t.Fatal("does not come to an end")
	}
}

// On one name without slashes and quotes, a simple glob is what path.Match has.
func FuzzGlob(f *testing.F) {
	for _, p := range ignorePatterns {
		f.Add(p, "foo")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		glob, ok := parseGlob(pattern)
		if !ok || len(glob) == 0 {
			return
		}
		got := match(glob, name)
		if strings.Trim(pattern, "abcxyz.*?") != "" || strings.Trim(name, "abcxyz.") != "" || name == "" {
			return
		}
		want, err := path.Match(pattern, name)
		if err != nil || got != want {
			t.Fatalf("%q on %q: got %v, want %v, %v", pattern, name, got, want, err)
		}
	})
}
