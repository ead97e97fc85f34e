//go:build interop

package interop

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/internal/githubtest"
)

func env(g *githubtest.GitHub) map[string]string {
	return map[string]string{
		"GITHUB_ACTIONS": "true", "ACTIONS_RESULTS_URL": g.URL() + "/", "ACTIONS_RUNTIME_TOKEN": g.RuntimeToken,
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": g.Repository, "GITHUB_RUN_ID": "7", "GITHUB_RETENTION_DAYS": "90",
	}
}

// official runs GitHub's client and returns the last line it writes.
func official(t *testing.T, g *githubtest.GitHub, args ...string) map[string]any {
	t.Helper()
	dir := os.Getenv("INTEROP_CLIENT")
	if dir == "" {
		t.Fatal("INTEROP_CLIENT names no folder with the client; start this test with run.sh")
	}
	cmd := exec.Command("node", append([]string{filepath.Join(dir, "client.mjs")}, args...)...)
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+t.TempDir(), "GITHUB_WORKSPACE="+t.TempDir())
	for k, v := range env(g) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var result map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &result); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return result
}

func content(name string, b []byte) github.ArtifactFile {
	return github.ArtifactFile{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}
}

// What we upload, GitHub's client downloads and unpacks, byte by byte.
func TestOfficialClientDownloads(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 9<<20/16) // two blocks
	g := githubtest.Start(t)
	a, ok := github.Detect(func(name string) string { return env(g)[name] })
	if !ok {
		t.Fatal("not detected")
	}
	made, err := a.UploadArtifact(t.Context(), io.Discard, github.ArtifactRequest{
		Name:  "replay-bundles-gate-1",
		Files: []github.ArtifactFile{content("report.json", []byte("{}\n")), content("bundles/a-0123.tar.gz", big), content("bundles/é.tar.gz", nil)},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	got := official(t, g, "download", made.Name, dir)
	if got["digest"] != made.Digest || got["size"] != float64(made.Size) {
		t.Errorf("the client sees %v, uploaded was %+v", got, made)
	}
	for name, want := range map[string][]byte{"report.json": []byte("{}\n"), "bundles/a-0123.tar.gz": big, "bundles/é.tar.gz": nil} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(b), err, len(want))
		}
	}
}

// Our server takes what GitHub's client uploads: it is not stricter than GitHub
// where that shows.
func TestOfficialClientUploads(t *testing.T) {
	g := githubtest.Start(t)
	file := filepath.Join(t.TempDir(), "small.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := official(t, g, "upload", "small", file)
	stored := g.Artifacts()
	if len(stored) != 1 || got["id"] != float64(stored[0].ID) || stored[0].ContentType != "application/zip" {
		t.Errorf("the client says %v, stored is %+v", got, stored)
	}
}
