package pin

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// init and status know results that nothing pins, and the one command that does (issue 16).
func TestUnpinned(t *testing.T) {
	t.Parallel()
	fsys := pinned(t, repo(), request())
	fsys = write(fsys, map[string]string{
		"evals/weekly-report.md":                                 "# 1\n",
		"evals/metrics.json":                                     "{}",
		"app/eval/results.json":                                  string(results()[resultsPath].Data),
		"app/promptfooconfig.yaml":                               "prompts: [a]\n",
		"benchmarks/m-1/results_2024-05-01T12-30-45.123456.json": "{}",
		"benchmarks/logs/2026-05-01_task.eval":                   "PK",
		"results/results.json":                                   "{}",
		"docs/report.md":                                         "# no result\n",
		"evals/notes.md":                                         "# notes\n",
		"evals/sidecar-report.md":                                "# by a sidecar\n",
		"benchmarks/tasks/one.yml":                               "a: 1\n",
	})
	var got []string
	for _, s := range Unpinned(verify.NewTree(fsys), func(p string) bool { return p == "evals/sidecar-report.md" }) {
		got = append(got, s.What+": "+strings.Join(s.Command, " "))
	}
	want := []string{
		"promptfoo output: replay-gate pin app/eval/results.json --from app/promptfooconfig.yaml",
		"log of Inspect: replay-gate pin benchmarks/logs/2026-05-01_task.eval --input benchmarks/tasks/**",
		"results of lm-evaluation-harness: replay-gate pin benchmarks/m-1/results_2024-05-01T12-30-45.123456.json --input benchmarks/tasks/**",
		"metrics: replay-gate pin evals/metrics.json --input evals/prompts/** --input evals/config.yml",
		"report: replay-gate pin evals/weekly-report.md --input evals/prompts/** --input evals/config.yml",
		"results: replay-gate pin results/results.json --input <what it was made from>",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
