//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// The page says that a kind is one room and one line (DESIGN, section 3). Its blocks of
// code are taken at their word: laid over this repository's files for the compiler alone,
// they are a kind that every command knows.
func TestAddingAKind(t *testing.T) {
	t.Parallel()
	page := pages(t)["docs/adding-a-kind.md"]
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("the page has %d blocks of Go, want room, line and test", len(blocks))
	}
	room, line, conform := blocks[0][1], blocks[1][1], blocks[2][1]
	k := newKind(t, map[string]string{
		"verify/score/score.go":        room,
		"verify/score/conform_test.go": conform,
		"gate/formats.go":              withLine(t, line),
	})

	t.Run("conforms", func(t *testing.T) {
		t.Parallel()
		k.tool(t, "test", "-vet=off", "-c", "-o", k.dir+"/score.test", "./verify/score")
		k.run(t, k.dir, 0, k.dir+"/score.test")
	})
	t.Run("documentation", func(t *testing.T) {
		t.Parallel()
		k.tool(t, "build", "-o", k.dir+"/docs", "./internal/docs")
		table := k.run(t, root, 0, k.dir+"/docs", "kinds")
		has(t, table, "| `score` | Score of a prompt | `**/*.score.json` |")
		schema := k.run(t, root, 0, k.dir+"/docs", "settings")
		has(t, schema, `"Globs of: Score of a prompt."`, `"Policy for: Score of a prompt."`)
	})
	t.Run("commands", func(t *testing.T) {
		t.Parallel()
		k.tool(t, "build", "-o", k.dir+"/replay-gate", ".")
		commands(t, k)
	})
}

// commands is the way of a piece of evidence of the new kind through the program.
func commands(t *testing.T, k *kind) {
	gate := k.dir + "/replay-gate"
	g := gittest.New(t)
	run := func(exit int, args ...string) string { return k.run(t, g.Dir, exit, gate, args...) }
	g.Write("prompts/answer.md", "Answer in one sentence.\n")
	evidence := regexp.MustCompile("(?s)Data: \\[\\]byte\\(`(.*?)`").FindStringSubmatch(k.files["verify/score/conform_test.go"])[1]
	g.Write("run.score.json", evidence)
	g.Write(".replay-gate.yml", "evidence:\n  score: ['*.score.json']\nfail-on:\n  score: any\n")
	g.Commit("base")
	has(t, run(0, "verify", "--verbose"), "run.score.json", "Score of a prompt", "intact")

	g.Write("prompts/answer.md", "Answer in two sentences.\n")
	g.Commit("edit")
	has(t, run(1, "gate", "--base", "HEAD~1"), "prompts/answer.md", "introduced", "git checkout", "E_REPLAY_DRIFT")
	bundles, err := filepath.Glob(g.Path(".assay/bundles/*.tar.gz"))
	if err != nil || len(bundles) != 1 {
		t.Fatalf("bundles %q, %v", bundles, err)
	}
	has(t, run(0, "bundle", "ls", bundles[0]), "files/inputs/prompts/answer.md", "files/evidence/run.score.json")
	run(0, "bundle", "check", bundles[0])
	has(t, run(0, "replay", "--bundle", bundles[0]), "drift")
}

// withLine is gate/formats.go with the line and its import.
func withLine(t *testing.T, line string) string {
	t.Helper()
	data, err := os.ReadFile(root + "/gate/formats.go")
	if err != nil {
		t.Fatal(err)
	}
	const imported, first = "\t\"github.com/replay-gate/replay-gate/verify/pin\"\n", "\treturn []verify.Format{\n"
	text := strings.Replace(string(data), imported, imported+"\t\"github.com/replay-gate/replay-gate/verify/score\"\n", 1)
	text = strings.Replace(text, first, first+line, 1)
	if strings.Count(text, "score") != 2 {
		t.Fatal("gate/formats.go is not as this test knows it")
	}
	return text
}

// kind is this repository with some files laid over its own.
type kind struct {
	dir     string // for what is built
	overlay string
	files   map[string]string
}

func newKind(t *testing.T, files map[string]string) *kind {
	t.Helper()
	k := &kind{dir: t.TempDir(), files: files}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	over := make(map[string]string)
	for name, text := range files {
		at := filepath.Join(k.dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		over[filepath.Join(top, name)] = at
	}
	data, err := json.Marshal(map[string]any{"Replace": over})
	if err != nil {
		t.Fatal(err)
	}
	k.overlay = filepath.Join(k.dir, "overlay.json")
	if err := os.WriteFile(k.overlay, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return k
}

// tool runs the go command over the repository with those files.
func (k *kind) tool(t *testing.T, command string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{command, "-overlay", k.overlay}, args...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
}

// run runs a program in a folder. It must exit with a code; what it says is returned.
func (k *kind) run(t *testing.T, dir string, exit int, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit {
		t.Fatalf("%q: %v, want exit code %d\n%s", cmd.Args, err, exit, out)
	}
	return string(out)
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in\n%s", p, text)
		}
	}
}
