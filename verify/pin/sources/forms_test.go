package sources

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Which configuration a spec names, by its name alone.
func TestRead(t *testing.T) {
	t.Parallel()
	const config = "prompts: [a]\nproviders: [echo]\n"
	files := tree(map[string]string{
		"c.yaml": config, "c.yml": config, "c.json": `{"prompts": ["a"], "providers": ["echo"]}`, "promptfooconfig.js": "x", "other.js": "x", "c.toml": "a = 1\n",
		"dvc.yaml": "stages:\n  a:\n    cmd: run\n    deps: [c.toml]\n",
		"Makefile": "a: c.toml\n", "makefile": "a: c.toml\n", "GNUmakefile": "a: c.toml\n", "rules.mk": "a: c.toml\n", "rules.txt": "a: c.toml\n",
	})
	for spec, want := range map[string]bool{
		"c.yaml": true, "c.yml": true, "c.json": true, "promptfooconfig.js": true, "other.js": false, "c.toml": false,
		"dvc.yaml:a": true, "c.yaml:a": false, "Makefile:a": true, "makefile:a": true, "GNUmakefile:a": true, "rules.mk:a": true, "rules.txt:a": false, "rules.mk": false,
	} {
		s, err := Read(files, spec)
		if (err == nil) != want || !want && !errors.Is(err, ErrUnknown) || want && len(s.Inputs) == 0 {
			t.Errorf("%s: %v, %v", spec, s, err)
		}
	}
}

// promptfoo, src/prompts/utils.ts, maybeFilePath: what may be a file is looked for.
func TestMaybeFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a/b": true, `a\b`: true, "a*": true, "a.md": true, "a.txt": true, ".md": true, ".txt": true, "a.c": false, "md": false, "text": false, "": false,
		"What is it?": false, "one\ntwo/three": false, "p.jsonl": true, "p.yaml:name": true, "x:p.yaml:name": true, "p.yaml:a:b": false, "ab.cdef": false,
	} {
		if got := maybeFile(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The forms that promptfoo's configurations have had: paths as keys, providers as keys, one
// value in place of a list, members from a merge.
func TestPromptfooForms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, config, want string }{
		{"prompts as keys", "prompts: {p/a.txt: one, p/b.txt: two}\nproviders: echo\n", "c.yaml#prompts,providers p/a.txt p/b.txt"},
		{"one prompt with a raw text", "prompts: {raw: file://p/a.txt, label: p/b.txt}\n", "c.yaml#prompts p/a.txt"},
		{"one prompt with an id", "prompts: {id: file://p/a.txt, label: p/b.txt}\n", "c.yaml#prompts p/a.txt"},
		{"a list of both", "prompts: [{raw: file://p/a.txt}, {id: p/b.txt}]\n", "c.yaml#prompts p/a.txt p/b.txt"},
		{"a raw text before an id", "prompts: [{id: p/b.txt, raw: p/a.txt}]\n", "c.yaml#prompts p/a.txt"},
		{"a provider as a key", "providers: [{'file://q.yaml': {config: {x: file://p/b.txt}}}]\n", "c.yaml#providers p/b.txt q.yaml"},
		{"a provider with an id", "providers: [{id: file://q.yaml, label: x}]\n", "c.yaml#providers q.yaml"},
		{"a provider that is empty", "providers: [{}, ~]\n", "c.yaml#providers"},
		{"a merge at the top", "x: &x {prompts: [p/a.txt]}\n<<: *x\n", "c.yaml"},
		{"a merge below", "defaults: &d {id: file://p/a.txt}\nprompts: [{<<: *d, label: x}]\n", "c.yaml#defaults,prompts p/a.txt"},
		{"no merge, by a name that looks like one", "prompts: [{'x': {id: file://p/a.txt}, label: y}]\n", "c.yaml#prompts"},
		{"a key that can't be named", "prompts: [p/a.txt]\na.b: 1\n", "c.yaml p/a.txt"},
		{"values that can't be hashed", "prompts: [p/a.txt]\nx: !odd 1\n", "c.yaml p/a.txt"},
		{"tests by a path", "prompts: [a]\ntests: {path: file://t.yaml, config: {x: 1}}\n", "c.yaml#prompts,tests t.yaml"},
		{"tests without one", "prompts: [a]\ntests: [{vars: {x: file://p/a.txt}}, {vars: p/b.txt}]\n", "c.yaml#prompts,tests p/a.txt p/b.txt"},
		{"paths of a machine", "prompts: [/p/a.txt, 'C:/p/a.txt', 'C:p/a.txt']\n", "c.yaml#prompts"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := tree(map[string]string{"c.yaml": tc.config, "p/a.txt": "a", "p/b.txt": "b", "q.yaml": "id: echo\n", "t.yaml": "[]\n"})
			s, err := Promptfoo(files, "c.yaml")
			if got := strings.Join(names(s), " "); err != nil || got != tc.want {
				t.Errorf("%q, %v; want %q", got, err, tc.want)
			}
		})
	}
	for name, want := range map[string]string{"a": "d/a", "../a": "a", "../../a": "", "/a": "", "C:/a": "", "C:": "", "": "d", "..": ".", "../..": "", ":a": "d/:a"} {
		got, ok := within("d", name)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t", name, got, ok)
		}
	}
}

// What += adds stands behind what was there; = begins anew.
func TestMakeVariables(t *testing.T) {
	t.Parallel()
	s, err := Make(tree(map[string]string{
		"Makefile": "A = a\nA += b\nB = c\nB = d\nC += e\nall: $(A) $(B) $(C)\n", "a": "", "b": "", "c": "", "d": "", "e": "",
	}), "Makefile", "all")
	if got := names(s); err != nil || !slices.Equal(got, []string{"a", "b", "d", "e"}) {
		t.Errorf("%q, %v", got, err)
	}
}
