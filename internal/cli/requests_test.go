package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// What a clone of depth 1 lacks is fetched in a handful of requests, however much of it there
// is: 5,000 changed fixtures, in a tree of 300,000 files (issue 10: at most 50).
func TestFewRequestsHoweverMuchChanged(t *testing.T) {
	t.Parallel()
	h := house{}
	fixtures(h)
	g := gittest.New(t)
	const changed, others = 5_000, 300_000
	// Each is one blob under many names, which no work tree needs to hold.
	commit := func(answer string) string {
		blob := func(content string) string { return g.GitWith(content, "hash-object", "-w", "--stdin") }
		fixture, other := blob(strings.ReplaceAll(h[greeting], "Agent response", answer)), blob("nothing\n")
		var index strings.Builder
		fmt.Fprintf(&index, "100644 %s\teval.config.ts\n", blob(h["eval.config.ts"]))
		for i := range changed {
			fmt.Fprintf(&index, "100644 %s\t%s\n", fixture, strings.ReplaceAll(greeting, "greeting", fmt.Sprintf("case-%d", i)))
		}
		for i := range others {
			fmt.Fprintf(&index, "100644 %s\tother/%03d/%03d.txt\n", other, i/1000, i%1000)
		}
		g.GitWith(index.String(), "update-index", "--index-info")
		g.At++
		g.GitWith(answer, "commit", "-q", "-F", "-")
		return g.Head()
	}
	base := commit("Agent response")
	head := commit("Another response")
	g.Git("config", "uploadpack.allowAnySHA1InWant", "true")

	clone := filepath.Join(t.TempDir(), "clone")
	g.Git("clone", "-q", "--depth=1", "--no-checkout", "file://"+g.Dir, clone)
	r, requests := gateInAction(t, g, clone, base, head)
	rewritten := 0
	fails, _ := r.rows()
	for _, row := range fails {
		if strings.HasSuffix(row, " recorded.output.text rewritten introduced") {
			rewritten++
		}
	}
	if r.ExitCode != 1 || rewritten != changed {
		t.Errorf("exit %d, %d rewritten fixtures, want %d\n%s %s", r.ExitCode, rewritten, changed, r.ReasonCode, r.Message)
	}
	if requests == 0 || requests > 50 {
		t.Errorf("%d requests", requests)
	}
}

// New evidence of the past holds at the commit that it records, which is fetched as the base
// is: the verdict does not depend on the clone's depth (issue 11).
func TestRecordedCommitIsFetched(t *testing.T) {
	t.Parallel()
	h := newHouse()
	s := &scene{Repo: gittest.New(t), house: h}
	s.At = 1_780_300_000
	for name, content := range h {
		s.put(name, content)
	}
	then, red := s.Commit("red"), tokenHash(h["tokens/swiss.yml"])
	blue(s)
	s.remove(sidecarOf("a"), reportOf("a"))
	s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"})
	base := s.Commit("blue, and run again")
	s.record("old", run{token: "tokens/swiss.yml", tokenHash: red, commit: then, at: "2026-04-01T10:00:00.000Z"})
	head := s.Commit("an old run")
	s.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	for _, depth := range []string{"1", "50"} {
		clone := filepath.Join(t.TempDir(), "clone")
		s.Git("clone", "-q", "--depth="+depth, "file://"+s.Dir, clone)
		r, requests := gateInAction(t, s.Repo, clone, base, head)
		fails, all := r.rows()
		if r.Verdict != "intact" || len(fails) > 0 || !slices.Contains(all, "old info token.hash superseded") {
			t.Errorf("depth %s: %s %s %s: %q", depth, r.Verdict, r.ReasonCode, r.Message, fails)
		}
		if deep := depth == "50"; deep != (requests == 0) {
			t.Errorf("depth %s: %d requests", depth, requests)
		}
	}
}

// gateInAction runs the gate as the action does for a pull request, and counts what it asks
// the server of the repository.
func gateInAction(t *testing.T, g *gittest.Repo, clone, base, head string) (r greenReport, requests int) {
	t.Helper()
	repository := map[string]any{"full_name": "octo-org/replays", "fork": false}
	data, err := json.Marshal(map[string]any{
		"number": 2,
		"pull_request": map[string]any{
			"number": 2, "changed_files": 1,
			"head": map[string]any{"sha": head, "ref": "topic", "repo": repository},
			"base": map[string]any{"sha": base, "ref": "main", "repo": repository},
		},
		"repository": repository,
	})
	if err != nil {
		t.Fatal(err)
	}
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, data, 0o600); err != nil {
		t.Fatal(err)
	}
	server := gittest.NewServer(g.Dir, g.Env)
	listener := httptest.NewServer(server)
	defer listener.Close()
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": listener.URL, "GITHUB_SERVER_URL": listener.URL, "GITHUB_REPOSITORY": "octo-org/replays",
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": event, "GITHUB_RUN_ID": "42", "INPUT_TOKEN": "a token",
		"INPUT_CHECK-RUN": "never", "INPUT_UPLOAD": "never",
	}
	var out, chatter bytes.Buffer
	args := []string{"gate", "--root", clone, "--head", "HEAD", "--json", "--bundle-for", "none"}
	code := Main(t.Context(), Streams{In: strings.NewReader(""), Out: &out, Err: &chatter, Getenv: func(k string) string { return env[k] }, Now: clock}, args)
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || code != r.ExitCode {
		t.Fatalf("exit %d: %v\n%s", code, err, chatter.String())
	}
	return r, len(server.Requests())
}
