package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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

// githubserver [readonly] [REPO] starts a GitHub, which serves REPO over git's own protocol if
// it is named, and points the runner's environment at it. A rule of GitHub that a request
// breaks ends the script.
func githubserver(ts *testscript.TestScript, _ bool, args []string) {
	g := githubtest.New()
	served := ""
	for _, a := range args {
		switch a {
		case "readonly":
			g.ReadOnly = true
		default:
			served = ts.MkAbs(a)
		}
	}
	srv := httptest.NewServer(withGit(ts, g, served))
	*ts.Value(githubKey{}).(**githubtest.GitHub) = g
	ts.Defer(func() {
		srv.Close()
		if problems := g.Problems(); len(problems) > 0 {
			ts.Fatalf("GitHub's rules were broken:\n%s", strings.Join(problems, "\n"))
		}
	})
	for k, v := range map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": srv.URL + g.Prefix, "GITHUB_SERVER_URL": srv.URL,
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

// withGit is a server that also serves a repository, by git's own backend. Whoever has no
// repository there has to do without.
func withGit(ts *testscript.TestScript, g *githubtest.GitHub, dir string) http.Handler {
	git, err := exec.LookPath("git")
	ts.Check(err)
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Root: "/" + g.Repository,
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Join(dir, ".git"), "GIT_HTTP_EXPORT_ALL=1"},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.HasPrefix(r.URL.Path, backend.Root):
			g.ServeHTTP(w, r)
		case dir == "":
			http.NotFound(w, r)
		default:
			backend.ServeHTTP(w, r)
		}
	})
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
