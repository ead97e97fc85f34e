package sources

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

func tree(files map[string]string) *verify.Tree {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return verify.NewTree(fsys)
}

func names(s pin.Source) []string {
	var all []string
	for _, ref := range s.Inputs {
		name := ref.Path
		if len(ref.Keys) > 0 {
			name += "#" + strings.Join(ref.Keys, ",")
		}
		all = append(all, name)
	}
	return all
}

// What is named is what promptfoo reads: the lists are promptfoo's own (make interop-pin).
func TestPromptfooReadsWhatPromptfooReads(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/promptfoo/*/want.txt")
	if err != nil || len(folders) == 0 {
		t.Fatal("no projects", err)
	}
	for _, file := range folders {
		dir := filepath.Dir(file)
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Read(verify.NewTree(os.DirFS(dir)), "promptfooconfig.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ref := range s.Inputs {
			got = append(got, ref.Path)
		}
		if !slices.Equal(got, strings.Fields(string(want))) {
			t.Errorf("%s: %q, want %q", dir, got, strings.Fields(string(want)))
		}
		if len(s.NotPinned) > 0 {
			t.Errorf("%s: %q", dir, s.NotPinned)
		}
		if _, err := pin.Build(verify.NewTree(os.DirFS(dir)), nil, pin.Request{Subjects: []string{"want.txt"}, Sources: []pin.Source{s}}); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// What depends on the environment, or is remote, is listed and not pinned.
func TestPromptfooNotPinned(t *testing.T) {
	t.Parallel()
	s, err := Promptfoo(tree(map[string]string{
		"e/c.yaml": `description: x
prompts:
  - file://{{env.WHICH}}.txt
  - langfuse://prompt
  - package:@acme/prompts:main
  - file://gone.txt
  - file://../../out.txt
  - file://{{name}}.txt
  - gone/and/a text
  - file://../top.txt
providers: [openai:gpt-4.1, 'https://example.com/x', 'exec:answer --now', 'python:p.py:call', './local.js']
tests: [huggingface://datasets/x, 'https://docs.google.com/spreadsheets/d/1']
`, "top.txt": "t\n", "e/p.py": "", "e/local.js": "",
	}), "e/c.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(s), []string{"e/c.yaml#prompts,providers,tests", "e/local.js", "e/p.py", "top.txt"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want := []string{
		"answer --now (a command that names no file of the repository)",
		"file://../../out.txt (lies outside of the repository)",
		"file://gone.txt (there is no such file)",
		"file://{{env.WHICH}}.txt (depends on the environment)",
		"file://{{name}}.txt (named by a template)",
		"https://docs.google.com/spreadsheets/d/1 (lies on another machine or in a package)",
		"https://example.com/x (lies on another machine or in a package)",
		"huggingface://datasets/x (lies on another machine or in a package)",
		"langfuse://prompt (lies on another machine or in a package)",
		"package:@acme/prompts:main (lies on another machine or in a package)",
	}
	if !slices.Equal(s.NotPinned, want) {
		t.Errorf("%s", strings.Join(s.NotPinned, "\n"))
	}
}

// The globs that lead to files are noted: a new file under one would be read by a run.
func TestPromptfooGlobs(t *testing.T) {
	t.Parallel()
	s, err := Promptfoo(tree(map[string]string{
		"e/c.yaml":  "prompts: [file://p/*.txt, 'What is *this*?']\nproviders: [echo]\ntests: 'cases/**/*.yaml'\n",
		"e/p/a.txt": "", "e/cases/x/y.yaml": "[]",
	}), "e/c.yaml")
	if want := []string{"e/cases/**/*.yaml", "e/p/*.txt"}; err != nil || !slices.Equal(s.Globs, want) {
		t.Errorf("%q, %v", s.Globs, err)
	}
}

// A configuration in code is pinned as bytes, one that names itself ends, and what is no
// configuration is said to be none.
func TestPromptfooOdd(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{
		"promptfooconfig.ts": "export default {}", "a.yaml": "x: 1\n", "bad.yaml": "a: [\n", "list.yaml": "- 1\n",
		"loop.yaml": "prompts: [file://loop.json]\nproviders: [echo]\n", "loop.json": `["file://loop.json", "file://loop.yaml"]`,
		"merge.yaml": "x: &x {prompts: [a], providers: [echo]}\n<<: *x\n",
		"deep.yaml":  "prompts: &a [*a]\nproviders: []\n",
	})
	s, err := Read(files, "promptfooconfig.ts")
	if err != nil || !slices.Equal(names(s), []string{"promptfooconfig.ts"}) || len(s.NotPinned) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Read(files, "loop.yaml"); err != nil || !slices.Equal(names(s), []string{"loop.json", "loop.yaml#prompts,providers"}) {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Read(files, "merge.yaml"); err != nil || !slices.Equal(names(s), []string{"merge.yaml"}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, spec := range []string{"a.yaml", "bad.yaml", "list.yaml", "gone.yaml", "dvc.yaml", "x.md", "a.yaml:train"} {
		if _, err := Read(files, spec); err == nil {
			t.Errorf("%s is a configuration", spec)
		}
	}
	if _, err := Read(files, "a.yaml:train"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	_, _ = Read(files, "deep.yaml")
}

func TestDVC(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{
		"ml/dvc.yaml": `stages:
  train:
    cmd: python train.py
    wdir: work
    deps: [train.py, data/raw, ../lib, big.bin, 's3://bucket/x', '${model.path}', {more.py: {}}]
    params: [lr, model.size, {other.toml: [a.b]}, {whole.json: null}]
    outs: [model.bin]
`, "ml/work/train.py": "", "ml/work/data/raw/1.csv": "", "ml/lib/x.py": "", "ml/work/more.py": "", "ml/work/params.yaml": "lr: 1\nmodel: {size: 2}\n",
		"ml/work/other.toml": "[a]\nb = 1\n", "ml/work/whole.json": "{}",
	})
	s, err := Read(files, "ml/dvc.yaml:train")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ml/dvc.yaml#stages.train", "ml/lib/x.py", "ml/work/data/raw/1.csv", "ml/work/more.py", "ml/work/other.toml#a.b",
		"ml/work/params.yaml#lr,model.size", "ml/work/train.py", "ml/work/whole.json"}
	if !slices.Equal(names(s), want) {
		t.Errorf("%q, want %q", names(s), want)
	}
	if want := []string{"ml/lib/**", "ml/work/data/raw/**"}; !slices.Equal(s.Globs, want) {
		t.Errorf("%q, want %q", s.Globs, want)
	}
	if want := []string{"${model.path} (named by a template)", "big.bin (is not in git)", "s3://bucket/x (lies outside of the repository)"}; !slices.Equal(s.NotPinned, want) {
		t.Errorf("%q", s.NotPinned)
	}
	if _, err := Read(files, "ml/dvc.yaml:test"); err == nil || !strings.Contains(err.Error(), "no stage test") {
		t.Error(err)
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{
		"Makefile": "PROMPTS := $(wildcard prompts/*.md)\nDIR = conf\n.PHONY: eval\n" +
			"eval: report.md\nreport.md: run.py $(DIR)/eval.yml $(PROMPTS) \\\n  data | out # why\n\tpython run.py > $@\ndata: $(shell ls) cases.json\n",
		"run.py": "", "conf/eval.yml": "", "prompts/a.md": "", "prompts/b.md": "", "cases.json": "", "out": "",
	})
	s, err := Read(files, "Makefile:eval")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"conf/eval.yml", "prompts/a.md", "prompts/b.md", "run.py"}; !slices.Equal(names(s), want) {
		t.Errorf("%q, want %q", names(s), want)
	}
	if want := []string{"prompts/*.md"}; !slices.Equal(s.Globs, want) {
		t.Errorf("%q, want %q", s.Globs, want)
	}
	if want := []string{"$(shell ls) cases.json (needs make to expand it)", "Makefile (the recipe)"}; !slices.Equal(s.NotPinned, want) {
		t.Errorf("%q", s.NotPinned)
	}
	if _, err := Read(files, "Makefile:all"); err == nil {
		t.Error("there is no target all")
	}
}

// FuzzSources reads any configuration: it ends, and names nothing but files of the tree.
func FuzzSources(f *testing.F) {
	f.Add("promptfooconfig.yaml", "prompts: [file://a/*.txt, 'exec:a b']\nproviders: [{id: file://b.json}]\ntests: c.csv\n", "x,file://a/1.txt\n")
	f.Add("dvc.yaml:s", "stages: {s: {deps: [a], params: [b]}}\n", "")
	f.Add("Makefile:x", "A = $(B)\nB = $(A)$(A)\nx: $(A) a $(wildcard {a,b}*)\n", "")
	f.Fuzz(func(t *testing.T, spec, text, table string) {
		name, _, _ := strings.Cut(spec, ":")
		files := tree(map[string]string{name: text, "a/1.txt": "", "b.json": text, "c.csv": table, "params.yaml": "b: 1\n"})
		s, err := Read(files, spec)
		if err != nil {
			return
		}
		for _, ref := range s.Inputs {
			if !files.Exists(ref.Path) {
				t.Errorf("%q is no file", ref.Path)
			}
		}
	})
}
