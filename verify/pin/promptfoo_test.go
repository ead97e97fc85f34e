package pin

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/verifytest"
)

const resultsPath = "evals/results.json"

// results is a project with an output of promptfoo, as version 0.120.25 wrote it for
// these prompts, but for members that nothing here reads.
func results() fstest.MapFS {
	return tree(map[string]string{
		"evals/prompts/ask.txt": "Ask {{question}}\n---\nAsk again: {{question}}\n", "evals/prompts/long.md": "# Long\n\n{{question}}\n",
		"evals/prompts/chat.json": "[{\"role\": \"user\",\n  \"content\": \"{{question}}\"}]\n", "evals/prompts/p.py": "x",
		resultsPath: `{
  "evalId": "eval-VnB-2026-11-22T02:22:57",
  "results": {
    "version": 3, "timestamp": "2026-11-22T02:22:57.836Z",
    "prompts": [
      {"raw": "Ask {{question}}", "label": "prompts/ask.txt: Ask {{question}}", "provider": "echo"},
      {"raw": "Ask again: {{question}}", "label": "prompts/ask.txt: Ask again: {{question}}", "provider": "echo"},
      {"raw": "# Long\n\n{{question}}\n", "label": "evals/prompts/long.md: # Long", "provider": "echo"},
      {"raw": "[{\"role\":\"user\",\"content\":\"{{question}}\"}]", "label": "prompts/chat.json: x", "provider": "echo"},
      {"raw": "Answer {{question}} in one line", "provider": "echo"}
    ],
    "results": []
  },
  "config": {"prompts": ["prompts/ask.txt", "file:///home/ada/work/evals/prompts/long.md", {"id": "file://prompts/chat.json"}, "Answer {{question}} in one line", "prompts/p.py:f"]},
  "metadata": {"promptfooVersion": "0.120.25"}
}
`})
}

func judgeResults(t testing.TB, fsys fstest.MapFS) verify.Result {
	t.Helper()
	return verify.Engine{}.Verify(t.Context(), verify.NewTree(fsys), []verify.Item{{Path: resultsPath, Format: Promptfoo{}}})[0]
}

func TestPromptfooConforms(t *testing.T) {
	t.Parallel()
	verifytest.Conform(t, Promptfoo{}, results(), resultsPath)
}

// FAIL only if the embedded configuration names a text file and no stored prompt equals it
// (issue 16, Checking); all else is info.
func TestPromptfooOutput(t *testing.T) {
	t.Parallel()
	const code = "info config.prompts[4] not-compared"
	replace := func(old, with string) map[string]string {
		text := string(results()[resultsPath].Data)
		if !strings.Contains(text, old) {
			t.Fatal(old)
		}
		return map[string]string{resultsPath: strings.ReplaceAll(text, old, with)}
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"as it was", nil, code},
		{"a prompt edited", map[string]string{"evals/prompts/long.md": "# Longer\n"}, code + "\nFAIL config.prompts[1] prompt-differs"},
		{"one of two prompts edited", map[string]string{"evals/prompts/ask.txt": "Ask {{question}}\n---\nAsk once more\n"}, code},
		{"both prompts edited", map[string]string{"evals/prompts/ask.txt": "Asked\n---\nAsk once more\n"}, code + "\nFAIL config.prompts[0] prompt-differs"},
		{"Windows line ends", map[string]string{"evals/prompts/ask.txt": "Ask {{question}}\r\n---\r\nx", "evals/prompts/long.md": "# Long\r\n\r\n{{question}}\r\n"}, code},
		{"white space in JSON", map[string]string{"evals/prompts/chat.json": "[{\"role\":\"user\",\"content\":\"{{question}}\"}]"}, code},
		{"another JSON", map[string]string{"evals/prompts/chat.json": "[]"}, code + "\nFAIL config.prompts[2] prompt-differs"},
		{"JSON that names files", map[string]string{"evals/prompts/chat.json": `["file://x"]`}, "info config.prompts[2] not-compared\n" + code},
		{"a prompt deleted", map[string]string{"evals/prompts/ask.txt": ""}, "info config.prompts[0] not-found\n" + code},
		{"prompts stripped", replace("# Long\\n\\n{{question}}\\n", "[prompt stripped]"), "info results.prompts stripped"},
		{"a prompt filtered out", replace(`      {"raw": "# Long\n\n{{question}}\n", "label": "evals/prompts/long.md: # Long", "provider": "echo"},
`, ""), code + "\ninfo config.prompts[1] not-evaluated"},
		{"prompts of code", replace(`"Answer {{question}} in one line", "provider"`, `"Made by code", "label": "prompts/p.py:f", "provider"`), "info config.prompts[3] not-compared\n" + code},
		{"a name twice", replace(`"evalId"`, `"evalId": "x", "evalId"`), "FAIL evalId duplicate-key\n" + code},
		{"no configuration", replace(`"config"`, `"was"`), "info config.prompts not-compared"},
		{"prompts that are none", replace(`"raw": "Ask {{question}}"`, `"raw": 1`), "FAIL results.prompts[0].raw wrong-type"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if s := said(judgeResults(t, write(results(), tc.files))); s != tc.want {
				t.Errorf("it says\n%s\nwant\n%s", s, tc.want)
			}
		})
	}
	r := judgeResults(t, results())
	if r.Recording.InvokedAt != "2026-11-22T02:22:57.836Z" || r.Recording.ToolVersion != "0.120.25" || len(r.Inputs) != 3 || r.Inputs[1].Path != "evals/prompts/long.md" {
		t.Errorf("%+v %+v", r.Recording, r.Inputs)
	}
	if (Promptfoo{}).Marks("results.json", []byte(`{"results": [1], "prompts": 2}`)) {
		t.Error("anybody's results are promptfoo's")
	}
}

func FuzzPromptfoo(f *testing.F) {
	f.Add(results()[resultsPath].Data, []byte("a\n---\nb\n"))
	f.Fuzz(func(t *testing.T, data, prompt []byte) {
		fsys := results()
		fsys[resultsPath] = &fstest.MapFile{Data: data}
		fsys["evals/prompts/ask.txt"], fsys["evals/prompts/chat.json"] = &fstest.MapFile{Data: prompt}, &fstest.MapFile{Data: prompt}
		if r := (Promptfoo{}).Verify(t.Context(), &verify.Evidence{Path: resultsPath, Tree: verify.NewTree(fsys)}); len(r.Checks) == 0 {
			t.Error("nothing was said")
		}
	})
}
