package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The files of the runner, in which a step shows its summary and its outputs: where one
// can't be written, the process, the output exit-code and the report all say the same.
func (f faults) runner(t *testing.T) {
	t.Parallel()
	for own, s := range scenes(t, 0) {
		for _, tc := range []struct {
			summary, output string // empty: one that can be written
			exit            int    // -1: the scene's own
		}{
			{"", "", -1},
			{"/nonexistent/summary", "", -1}, // the runner gave none: a line says so
			{"", "/nonexistent/output", -1},
			{"/dev/full", "", 3}, {t.TempDir(), "", 3},
			{"", "/dev/full", 3}, {"", t.TempDir(), 3},
			{"/dev/full", "/dev/full", 3},
		} {
			dir := t.TempDir()
			files := map[string]string{"GITHUB_STEP_SUMMARY": tc.summary, "GITHUB_OUTPUT": tc.output}
			env := []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + s.event(filepath.Join(dir, "event.json"))}
			for variable, name := range files {
				if name == "" {
					files[variable] = filepath.Join(dir, variable)
					if err := os.WriteFile(files[variable], nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				env = append(env, variable+"="+files[variable])
			}
			exit := tc.exit
			if exit < 0 {
				exit = own
			}
			got := f.run(t, s, `"$@"`, env, "gate")
			if got.code != exit || exit == 3 && (!strings.Contains(got.chatty, "reason: E_IO\n") || !strings.Contains(got.out, "::error title=not-shown::")) {
				t.Errorf("%+v: exit %d, want %d\n%s\n%s", tc, got.code, exit, got.out, got.chatty)
			}
			if tc.output == "" {
				text, err := os.ReadFile(files["GITHUB_OUTPUT"])
				if m := regexp.MustCompile(`(?m)^exit-code<<.*\n(\d+)\n`).FindSubmatch(text); err != nil || m == nil || string(m[1]) != strconv.Itoa(got.code) {
					t.Errorf("%+v: exit %d, and the outputs are\n%s", tc, got.code, text)
				}
			}
			var report greenReport
			text, err := os.ReadFile(s.Path(".assay/bundles/report.json"))
			if err == nil {
				err = json.Unmarshal(text, &report)
			}
			if err != nil || report.ExitCode != got.code {
				t.Errorf("%+v: exit %d, and the report says %d (%v)", tc, got.code, report.ExitCode, err)
			}
		}
	}
}

// event writes the event of a pull request from the tag base to HEAD.
func (s *scene) event(name string) string {
	s.T.Helper()
	repository := map[string]any{"full_name": "octo-org/replays"}
	side := func(rev string) map[string]any {
		return map[string]any{"sha": s.Git("rev-parse", rev), "ref": rev, "repo": repository}
	}
	text, err := json.Marshal(map[string]any{
		"number": 2, "repository": repository,
		"pull_request": map[string]any{"number": 2, "head": side("HEAD"), "base": side("base")},
	})
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		s.T.Fatal(err)
	}
	return name
}
