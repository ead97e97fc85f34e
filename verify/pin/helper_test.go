package pin

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// now is when the tests judge: after every run that they record.
var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

const (
	reportPath = "evals/report.md"
	pinPath    = reportPath + Ending
)

// repo is a project with a result and what it was made from; no pin yet.
func repo() fstest.MapFS {
	return tree(map[string]string{
		reportPath:                "# 42 of 50\n",
		"evals/prompts/answer.md": "Answer.\n",
		"evals/prompts/ask.md":    "Ask.\n",
		"evals/config.yml":        "# the model\nmodel: m-1\ntemperature: 0.5\njobs: 4\n",
		"evals/cases.json":        "{\"cases\": [1, 2]}\n",
		"pyproject.toml":          "[tool.eval]\nseed = 7\n[tool.black]\nline-length = 100\n",
		"uv.lock":                 "version = 1\n",
	})
}

func tree(files map[string]string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// request asks for a pin of the project's result.
func request() Request {
	return Request{
		Subjects: []string{reportPath},
		Inputs:   []string{"evals/prompts/*.md", "evals/config.yml#model,temperature", "evals/cases.json", "pyproject.toml#tool.eval"},
		Notes:    []string{"uv.lock", "judge=m-2"},
		Command:  []string{"make", "eval"}, StartedOn: now.Add(-time.Hour), Tool: "replay-gate 1.2.3",
	}
}

// pinned is the project with the pin that req asks for.
func pinned(t testing.TB, fsys fstest.MapFS, req Request) fstest.MapFS {
	t.Helper()
	p, err := Build(verify.NewTree(fsys), nil, req)
	if err != nil {
		t.Fatal(err)
	}
	return withPin(t, fsys, p)
}

func withPin(t testing.TB, fsys fstest.MapFS, p Pin) fstest.MapFS {
	t.Helper()
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	fsys = maps.Clone(fsys)
	fsys[pinPath] = &fstest.MapFile{Data: text}
	return fsys
}

// write is the project with other texts; "" removes a file.
func write(fsys fstest.MapFS, files map[string]string) fstest.MapFS {
	fsys = maps.Clone(fsys)
	for name, text := range files {
		if text == "" {
			delete(fsys, name)
			continue
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// edit replaces a text of the pin, which it must hold once.
func edit(t testing.TB, fsys fstest.MapFS, old, with string) fstest.MapFS {
	t.Helper()
	text := string(fsys[pinPath].Data)
	if strings.Count(text, old) != 1 {
		t.Fatalf("the pin holds %q %d times:\n%s", old, strings.Count(text, old), text)
	}
	return write(fsys, map[string]string{pinPath: strings.Replace(text, old, with, 1)})
}

func check(t testing.TB, fsys fstest.MapFS) verify.Result {
	t.Helper()
	return checkAt(t, fsys, pinPath)
}

func checkAt(t testing.TB, fsys fstest.MapFS, path string) verify.Result {
	t.Helper()
	return verify.Engine{Now: now}.Verify(t.Context(), verify.NewTree(fsys), []verify.Item{{Path: path, Format: Format{}}})[0]
}

// said writes the checks but for those that are plainly ok, one a line, as
// "FAIL field code". The row about the run is left out.
func said(r verify.Result) string {
	var b strings.Builder
	for _, c := range r.Checks {
		if (c.Status != verify.OK || c.Code != "") && c.Field != "run" && c.Code != "noted" {
			fmt.Fprintf(&b, "%s %s %s\n", c.Status, c.Field, c.Code)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// row is the check of a field.
func row(t testing.TB, r verify.Result, field string) verify.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", field, r.Checks)
	return verify.Check{}
}
