//go:build e2e

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
	"github.com/replay-gate/replay-gate/internal/gittest"
)

// repositoryName is the consumer's repository on GitHub.
const repositoryName = "octo/consumer"

// Where things lie in a consumer's repository.
const (
	tokenPath   = "tokens/swiss.yml"
	briefPath   = "briefs/landing.md"
	workflow    = ".github/workflows/evidence.yml"
	reportPath  = "docs/evals/2026-05-01-swiss.md"
	sidecarPath = "docs/evals/2026-05-01-swiss.replay.json"
)

// A token and its canonical JSON, written down by hand: the expected hash does
// not come from the code under test.
const (
	token          = "name: swiss\nscale: 2\n"
	tokenCanonical = `{"name":"swiss","scale":2}`
	tokenReworded  = "# same value, other words\nscale: 2\nname: 'swiss'\n"
	tokenEdited    = "name: swiss\nscale: 3\n"
	// The line of tokenEdited that differs from token.
	tokenEditedLine = 2

	brief = "# Landing page\n\nOne column, one accent.\n"
)

// consumer is a repository that publishes one eval report, and its GitHub.
type consumer struct {
	t      *testing.T
	github *githubtest.GitHub
	root   string
	files  edits  // all that is committed
	remote bool   // artifacts go to GitHub, not to the engine's server
	server string // the address of GitHub's pages, and of git there
	base   string // commit id
	head   string // commit id of the pull request's branch
	// machines are set where each job has a work tree of its own.
	machines *machines
}

// newConsumer makes a repository whose main holds the report and its sidecar. A
// commit per set of edits follows on main: what the base has already.
func newConsumer(t *testing.T, onBase ...edits) *consumer {
	t.Helper()
	c := &consumer{t: t, github: githubtest.Start(t), server: serverURL, root: t.TempDir(), files: edits{}}
	c.github.Repository = repositoryName
	c.git("init", "--quiet", "--initial-branch", "main")
	c.git("remote", "add", "origin", "https://github.com/"+repositoryName)
	c.commit("Publish an eval report", edits{
		tokenPath:   token,
		briefPath:   brief,
		reportPath:  "# Swiss, n = 30\n\nIt went well.\n",
		sidecarPath: sidecar(t),
		"README.md": "# Consumer\n",
		workflow:    workflowWith(t, ""),
	})
	for _, e := range onBase {
		c.commit("Edit on main", e)
	}
	c.base = c.git("rev-parse", "HEAD")
	return c
}

// workflowWith is the consumer's workflow, with inputs for the gate: lines of YAML.
func workflowWith(t *testing.T, inputs string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "evidence.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if inputs == "" {
		return string(b)
	}
	const with = "        with:\n          "
	return string(b) + with + strings.ReplaceAll(inputs, "\n", "\n          ") + "\n"
}

// sidecar is a complete AHD replay sidecar (schema version 1) for the files above.
func sidecar(t *testing.T) string {
	t.Helper()
	b, err := json.MarshalIndent(map[string]any{
		"schema_version": 1,
		"kind":           "eval-live",
		"ahd_version":    "0.11.0",
		"ahd_commit":     nil,
		"git_dirty":      nil,
		"node_version":   "v22.22.2",
		"platform":       "linux-x64",
		"invoked_at":     "2026-05-01T04:19:45.259Z",
		"argv":           []string{"node", "bin/ahd.js", "eval-live", "swiss", "--brief", briefPath, "--n", "30"},
		"token":          map[string]any{"path": tokenPath, "hash": sum(tokenCanonical)},
		"brief":          map[string]any{"path": briefPath, "hash": sum(brief)},
		"sampling":       map[string]any{"n": 30, "temperature": nil, "seed": nil},
		"models": []any{map[string]any{
			"id": "model-a", "provider": "provider-a", "provider_request_ids": []string{"req_1"},
		}},
		"conditions": map[string]any{"requested": []string{"raw", "compiled"}, "effective": []string{"raw", "compiled"}},
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// tokenHashLine is the line of the sidecar that holds the token's hash.
func tokenHashLine(t *testing.T) int {
	t.Helper()
	lines := strings.Split(sidecar(t), "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, sum(tokenCanonical)) })
	if i < 0 {
		t.Fatal("the sidecar holds no hash of the token")
	}
	return i + 1
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(h[:])
}

// edits are new contents of files, by path.
type edits map[string]string

// commit writes the files and commits them.
func (c *consumer) commit(message string, files edits) {
	c.t.Helper()
	maps.Copy(c.files, files)
	for name, content := range files {
		p := filepath.Join(c.root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			c.t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
	c.git("add", "--all")
	c.git("commit", "--quiet", "--message", message)
}

// pullRequest commits the edits on a branch, leaves the work tree on the merge
// commit, as actions/checkout does, and returns the event's payload.
func (c *consumer) pullRequest(files edits) []byte {
	c.t.Helper()
	c.git("switch", "--quiet", "--create", "feature")
	c.commit("The pull request", files)
	c.head = c.git("rev-parse", "HEAD")
	c.git("switch", "--quiet", "main")
	c.git("merge", "--quiet", "--no-ff", "--message", "Merge the pull request", "feature")

	repository := map[string]any{"full_name": repositoryName, "default_branch": "main"}
	payload, err := json.Marshal(map[string]any{
		"action": "synchronize",
		"number": 7,
		"pull_request": map[string]any{
			"number":        7,
			"changed_files": len(files),
			"head":          map[string]any{"sha": c.head, "ref": "feature", "repo": repository},
			"base":          map[string]any{"sha": c.base, "ref": "main", "repo": repository},
		},
		"repository": repository,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return payload
}

// makeShallow puts a clone of depth 1 in the repository's place, as
// actions/checkout makes it by default.
func (c *consumer) makeShallow() {
	c.t.Helper()
	// What the clone lacks is to be had from git's own server.
	git := httptest.NewServer(gittest.NewServer(c.root, nil))
	c.t.Cleanup(git.Close)
	c.server = git.URL
	shallow := c.t.TempDir()
	c.git("clone", "--quiet", "--depth", "1", "file://"+c.root, shallow)
	c.root = shallow
	c.git("remote", "set-url", "origin", "https://github.com/"+repositoryName)
}

// git runs git in the repository, the same on every machine, and returns what it
// printed.
func (c *consumer) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-05-02T08:00:00Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-05-02T08:00:00Z",
	)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
