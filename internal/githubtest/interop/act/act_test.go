// Package act uploads to the artifact server of the workflow engine act. It is
// a module of its own, so that nothing else depends on the engine.
package act

import (
	"archive/zip"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nektos/act/pkg/artifacts"
	"github.com/nektos/act/pkg/common"

	"github.com/replay-gate/replay-gate/gate/github"
)

// serve starts act's server and returns its address. The server takes no
// listener, so its port is one that was free just now.
func serve(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	stop := artifacts.Serve(ctx, dir, "127.0.0.1", port)
	t.Cleanup(stop)
	address := "http://127.0.0.1:" + port
	for range 100 {
		if resp, err := http.Get(address); err == nil {
			resp.Body.Close()
			return address
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("act's server does not answer")
	return ""
}

// The zip arrives whole at a server that knows no mime_type, ignores the list
// of blocks and keeps nothing of a single PUT.
func TestActTakesOurUpload(t *testing.T) {
	dir := t.TempDir()
	token, err := common.CreateAuthorizationToken(1, 42, 42)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "ACTIONS_RESULTS_URL": serve(t, dir) + "/", "ACTIONS_RUNTIME_TOKEN": token,
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "42",
	}
	a, ok := github.Detect(func(name string) string { return env[name] })
	if !ok {
		t.Fatal("not detected")
	}
	big := strings.Repeat("0123456789abcdef", 20<<20/16) // three blocks
	got, err := a.UploadArtifact(t.Context(), io.Discard, github.ArtifactRequest{Name: "replay-bundles-gate-1", Files: []github.ArtifactFile{{
		Name: "a.tar.gz", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(big)), nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	stored := filepath.Join(dir, "42", got.Name, got.Name+".zip")
	if info, err := os.Stat(stored); err != nil || info.Size() != got.Size {
		t.Fatalf("%v, %v; uploaded was %+v", info, err, got)
	}
	z, err := zip.OpenReader(stored)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("a.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(f); err != nil || string(b) != big {
		t.Errorf("%d bytes, %v; want %d", len(b), err, len(big))
	}
}
