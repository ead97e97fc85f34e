//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// jobImage is where a job's steps run; the script that calls these tests makes it.
const jobImage = "replay-gate-e2e/job:bookworm"

// What the engine tells the step of where it runs. The server is nobody's, so
// that a link which does not follow it is seen.
const (
	serverURL = "https://github.example"
	runID     = "42"
)

// step is what the engine saw of the action's step.
type step struct {
	exit        int // of the container
	outputs     map[string]string
	annotations []annotation
	summary     string
	log         string // what the container printed
	artifacts   string // the folder of the engine's artifact server
}

// annotation is a workflow command that marks a line of a file.
type annotation struct {
	level, file, message string
}

// run has the engine run the consumer's workflow for a pull request.
func (c *consumer) run(event []byte) step {
	c.t.Helper()
	return c.runOn("pull_request", event)
}

// runOn has the engine run the consumer's workflow for any event.
func (c *consumer) runOn(name string, event []byte) step {
	c.t.Helper()
	action := actionFile(c.t, ".")
	home := c.t.TempDir()
	artifacts := filepath.Join(home, "artifacts")
	eventPath := filepath.Join(home, "event.json")
	if err := os.WriteFile(eventPath, event, 0o644); err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command("act", name, "--json",
		"--eventpath", eventPath,
		"--platform", "ubuntu-latest="+jobImage, "--pull=false",
		"--local-repository", "replay-gate/replay-gate@v1="+action,
		"--network", "host",
		"--container-daemon-socket", "-",
		"--artifact-server-path", artifacts,
		"--artifact-server-addr", "127.0.0.1", "--artifact-server-port", freePort(c.t),
		"--no-cache-server",
		"--env", "GITHUB_API_URL="+c.github.API(), "--env", "GITHUB_SERVER_URL="+c.server,
		"--env", "GITHUB_RUN_ID="+runID, "--secret", "GITHUB_TOKEN="+c.github.Token,
	)
	if c.machines != nil {
		cmd.Args = append(cmd.Args, c.machines.flags...)
	} else {
		// The engine takes actions/checkout as done when the work tree is there.
		cmd.Args = append(cmd.Args, "--bind")
	}
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	if c.remote {
		cmd.Env = append(cmd.Env, "ACTIONS_RUNTIME_URL="+c.github.URL()+"/", "ACTIONS_RUNTIME_TOKEN="+c.github.RuntimeToken)
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("act: %v", err)
	}
	s, err := readLog(out)
	if err != nil {
		c.t.Fatalf("act: %v\n%s", err, out)
	}
	s.artifacts = artifacts
	c.t.Cleanup(func() {
		if c.t.Failed() {
			c.t.Logf("log:\n%s\nsummary:\n%s", s.log, s.summary)
		}
	})
	if failed := exit != nil; failed != (s.exit != 0) {
		c.t.Errorf("the step's exit code is %d, but the workflow failed: %t\n%s", s.exit, failed, out)
	}
	return s
}

// actionFile is a file of the action as a consumer gets it.
func actionFile(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("REPLAY_GATE_E2E_ACTION")
	if folder == "" {
		t.Fatal("REPLAY_GATE_E2E_ACTION is not set: run these tests with make e2e")
	}
	return filepath.Join(folder, name)
}

// readLog finds the action's step in the engine's log: an object a line, with the
// step's id, and a "command" where the engine acted on something.
func readLog(out []byte) (step, error) {
	s := step{outputs: map[string]string{}}
	var log strings.Builder
	done := false
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l struct {
			Message    string            `json:"msg"`
			StepID     []string          `json:"stepID"`
			Result     string            `json:"stepResult"`
			Raw        bool              `json:"raw_output"`
			Command    string            `json:"command"`
			Name       string            `json:"name"`
			Arg        string            `json:"arg"`
			Properties map[string]string `json:"kvPairs"`
			Content    string            `json:"content"`
		}
		if json.Unmarshal(lines.Bytes(), &l) != nil || len(l.StepID) != 1 || l.StepID[0] != "gate" {
			continue
		}
		switch l.Command {
		case "set-output":
			s.outputs[l.Name] = l.Arg
			continue
		case "summary":
			s.summary = l.Content
			continue
		case "error", "warning", "notice":
			s.annotations = append(s.annotations, annotation{l.Command, l.Properties["file"], l.Arg})
		}
		switch {
		case l.Raw || l.Command != "":
			log.WriteString(strings.TrimSuffix(l.Message, "\n") + "\n")
		case l.Result != "":
			done = true
		default:
			// Printed only when the exit code is not 0.
			_, _ = fmt.Sscanf(l.Message, "exit with `FAILURE`: %d", &s.exit)
		}
	}
	s.log = log.String()
	if !done {
		return s, errors.New("the action's step did not run to its end")
	}
	return s, lines.Err()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
