package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

// githubKey is where a script's loopback GitHub lies among its values.
type githubKey struct{}

func script(ts *testscript.TestScript) *githubtest.GitHub {
	g, ok := ts.Value(githubKey{}).(**githubtest.GitHub)
	if !ok || *g == nil {
		ts.Fatalf("the script has no githubserver")
	}
	return *g
}

// githubserver [readonly] [truncated] starts a GitHub and points the runner's
// environment at it. A rule of GitHub that a request breaks ends the script.
func githubserver(ts *testscript.TestScript, _ bool, args []string) {
	g := githubtest.New()
	for _, a := range args {
		switch a {
		case "readonly":
			g.ReadOnly = true
		case "truncated":
			g.Truncated = true
		default:
			ts.Fatalf("githubserver: %s?", a)
		}
	}
	srv := httptest.NewServer(g)
	*ts.Value(githubKey{}).(**githubtest.GitHub) = g
	ts.Defer(func() {
		srv.Close()
		if problems := g.Problems(); len(problems) > 0 {
			ts.Fatalf("GitHub's rules were broken:\n%s", strings.Join(problems, "\n"))
		}
	})
	for k, v := range map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": srv.URL + g.Prefix, "GITHUB_SERVER_URL": "https://github.example",
		"GITHUB_REPOSITORY": g.Repository, "GITHUB_RUN_ID": "42", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_JOB": "evidence",
		"ACTIONS_RESULTS_URL": srv.URL, "ACTIONS_RUNTIME_TOKEN": g.RuntimeToken, "INPUT_TOKEN": g.Token,
	} {
		ts.Setenv(k, v)
	}
}

// githubstate FILE [comments] writes what the server holds, or its comments
// alone, as JSON.
func githubstate(ts *testscript.TestScript, _ bool, args []string) {
	g := script(ts)
	state := map[string]any{"comments": g.Comments()}
	if len(args) == 1 {
		state["check_runs"], state["artifacts"] = g.CheckRuns(), g.Artifacts()
	}
	data, err := json.Marshal(state)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// githubartifact DIR unpacks the newest artifact.
func githubartifact(ts *testscript.TestScript, _ bool, args []string) {
	all := script(ts).Artifacts()
	if len(all) == 0 {
		ts.Fatalf("the server has no artifact")
	}
	content := all[len(all)-1].Content
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	ts.Check(err)
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), z))
}

// githubcommit DIR REV puts a commit of a repository on the server.
func githubcommit(ts *testscript.TestScript, _ bool, args []string) {
	git := func(a ...string) string {
		out, err := exec.Command("git", append([]string{"-C", ts.MkAbs(args[0])}, a...)...).Output()
		ts.Check(err)
		return string(out)
	}
	files := make(map[string]string)
	for name := range strings.SplitSeq(strings.Trim(git("ls-tree", "-rz", "--name-only", args[1]), "\x00"), "\x00") {
		files[name] = git("show", args[1]+":"+name)
	}
	script(ts).AddCommit(strings.TrimSpace(git("rev-parse", args[1])), files)
}

// githubpull NUMBER NAME... says which files a pull request changes.
func githubpull(ts *testscript.TestScript, _ bool, args []string) {
	var number int
	_, err := fmt.Sscan(args[0], &number)
	ts.Check(err)
	var files []githubtest.File
	for _, name := range args[1:] {
		files = append(files, githubtest.File{Name: name, Status: "modified"})
	}
	script(ts).SetPull(number, files...)
}

// pullevent FILE HEAD BASE writes a pull_request event for pull request 2.
func pullevent(ts *testscript.TestScript, _ bool, args []string) {
	head, base := strings.TrimSpace(ts.ReadFile(args[1])), strings.TrimSpace(ts.ReadFile(args[2]))
	repo := map[string]any{"full_name": "octo-org/replays", "fork": false}
	data, err := json.Marshal(map[string]any{
		"number": 2,
		"pull_request": map[string]any{
			"number": 2, "changed_files": 2,
			"head": map[string]any{"sha": head, "ref": "soften-the-accent", "repo": repo},
			"base": map[string]any{"sha": base, "ref": "main", "repo": repo},
		},
		"repository": map[string]any{"full_name": "octo-org/replays", "default_branch": "main"},
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
	ts.Setenv("GITHUB_EVENT_NAME", "pull_request")
	ts.Setenv("GITHUB_EVENT_PATH", ts.MkAbs(args[0]))
}
