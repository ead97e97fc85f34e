package pin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, dir string
		yes, no      []string
	}{
		{"evals/prompts/*.md", "evals/prompts", []string{"evals/prompts/a.md", "evals/prompts/.md"}, []string{"evals/prompts/a/b.md", "evals/prompts/a.txt"}},
		{"**/*.md", ".", []string{"a.md", "a/b/c.md"}, []string{"a.md/b"}},
		{"a/**", "a", []string{"a/b", "a/b/c"}, []string{"a", "b"}},
		{"a/**/z", "a", []string{"a/z", "a/b/c/z"}, []string{"az", "a/bz"}},
		{"a?c", ".", []string{"abc", "aüc"}, []string{"a/c", "ac"}},
		{"[a-c]x[!d]", ".", []string{"bxe"}, []string{"dxe", "bxd", "bx/"}},
		{"p/{a,b/{c,d}}.md", "p", []string{"p/a.md", "p/b/d.md"}, []string{"p/b.md"}},
		{`a\*`, ".", []string{"a*"}, []string{"ab"}},
		{"x/{a,b}/*", "x", []string{"x/a/1"}, []string{"x/c/1"}},
	} {
		g, err := ParseGlob(tc.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if g.Dir() != tc.dir {
			t.Errorf("%s lies in %s", tc.pattern, g.Dir())
		}
		for _, name := range tc.yes {
			if !g.Match(name) {
				t.Errorf("%s does not match %s", tc.pattern, name)
			}
		}
		for _, name := range tc.no {
			if g.Match(name) {
				t.Errorf("%s matches %s", tc.pattern, name)
			}
		}
	}
	for _, bad := range []string{"[a", "{a", `a\`, strings.Repeat("a", 2000), strings.Repeat("{*,*}", 30)} {
		if _, err := ParseGlob(bad); err == nil {
			t.Errorf("%.20s is a glob", bad)
		}
	}
}

// The work on hostile globs is bounded: the pin fails, and soon.
func TestGlobWork(t *testing.T) {
	t.Parallel()
	files := repo()
	for i := range 500 {
		name := "evals/" + strings.Repeat("a", 200) + strconv.Itoa(i)
		files[name] = files[reportPath]
	}
	p, err := Build(verify.NewTree(files), nil, Request{Subjects: []string{reportPath}, Inputs: []string{"uv.lock"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		p.Globs = append(p.Globs, "evals/{"+strings.Repeat("*a,", 200)+"}"+strings.Repeat("*a", 50)+"z*")
	}
	if s := said(check(t, withPin(t, files, p))); s != "FAIL globs too-much-work" {
		t.Error(s)
	}
}

// FuzzGlob parses and matches anything: it ends, and what matches lies in Dir.
func FuzzGlob(f *testing.F) {
	f.Add("a/{b,c}/**/*.[!x]?", "a/b/c.yz")
	f.Add(strings.Repeat("{*,*}", 30), "x")
	f.Add(strings.Repeat("*a", 100), strings.Repeat("a", 200))
	f.Fuzz(func(t *testing.T, pattern, name string) {
		g, err := ParseGlob(pattern)
		if err != nil || len(name) > 1000 || !g.Match(name) {
			return
		}
		if d := g.Dir(); d != "." && !strings.HasPrefix(name, d+"/") {
			t.Errorf("%q matches %q, which is not in %q", pattern, name, d)
		}
	})
}
