//go:build e2e

package e2e

import (
	"compress/gzip"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// gateImage is the image under test; the script that calls these tests builds it.
const gateImage = "replay-gate-e2e/gate"

// gate runs the image as any CI would: a folder mounted and current, no network,
// nothing of GitHub in the environment.
func gate(t *testing.T, root string, args ...string) (output string, exit int) {
	t.Helper()
	return docker(t, append([]string{"--volume", root + ":/repo", "--workdir", "/repo", gateImage}, args...)...)
}

func docker(t *testing.T, args ...string) (output string, exit int) {
	t.Helper()
	cmd := exec.Command("docker", append([]string{"run", "--rm", "--network", "none"}, args...)...)
	out, err := cmd.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatalf("docker run %s: %v", strings.Join(args, " "), err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The same image is a command: without GITHUB_* it behaves as the CLI does.
func TestImageAsCommand(t *testing.T) {
	intact := newConsumer(t)
	drifted := newConsumer(t, edits{tokenPath: tokenEdited})
	tests := []struct {
		name string
		repo *consumer
		args []string
		exit int
		want string
	}{
		{"help", intact, nil, 0, "Usage"},
		{"version", intact, []string{"version"}, 0, "replay-gate devel"},
		{"demo, which needs a temporary folder", intact, []string{"demo"}, 0, "drift"},
		{"verify, intact", intact, []string{"verify", reportPath}, 0, "verdict: replay inputs intact"},
		{"verify, drift", drifted, []string{"verify", reportPath}, 1, "verdict: drift detected"},
		{"gate, nothing introduced", intact, []string{"gate", "--base", "HEAD"}, 0, "intact"},
		{"gate, drift introduced", drifted, []string{"gate", "--base", "HEAD~1"}, 1, "tokens/swiss.yml changed"},
		{"usage error", intact, []string{"gate", "--scope", "some"}, 2, "E_INVALID_ARGS"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, exit := gate(t, test.repo.root, test.args...)
			if exit != test.exit || !strings.Contains(out, test.want) {
				t.Errorf("exit code %d, want %d with %q in\n%s", exit, test.exit, test.want, out)
			}
		})
	}
}

// verify reads and nothing else: it works where nothing can be written, and as
// nobody in particular.
func TestImageReadOnly(t *testing.T) {
	c := newConsumer(t)
	out, exit := docker(t, "--read-only", "--user", "65534:65534", "--volume", c.root+":/repo:ro", "--workdir", "/repo",
		gateImage, "verify", reportPath)
	if exit != 0 {
		t.Errorf("exit code %d\n%s", exit, out)
	}
}

// Who may not write into the repository is told so, and what to do.
func TestImageAsSomeoneElse(t *testing.T) {
	c := newConsumer(t, edits{tokenPath: tokenEdited})
	out, exit := docker(t, "--user", "65534:65534", "--volume", c.root+":/repo", "--workdir", "/repo",
		gateImage, "gate", "--base", "HEAD~1")
	if exit != 3 || !strings.Contains(out, "E_IO") || !strings.Contains(out, "--user") {
		t.Errorf("exit code %d, want 3 with E_IO and what to do in\n%s", exit, out)
	}
}

// The image stays small enough that pulling it is not what a job waits for.
func TestImageSize(t *testing.T) {
	const limit = 12 << 20
	save := exec.Command("docker", "save", gateImage)
	tar, err := save.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := save.Start(); err != nil {
		t.Fatal(err)
	}
	var size counter
	zip := gzip.NewWriter(&size)
	if _, err := io.Copy(zip, tar); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(zip.Close(), save.Wait()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB compressed", float64(size)/1e6)
	if size == 0 || size >= limit {
		t.Errorf("the image has %d bytes compressed, want more than 0 and less than %d", size, limit)
	}
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
