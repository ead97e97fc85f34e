package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/cli"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// TestMain makes this test several programs, by the name under which it is called: the
// command line itself, and stand-ins for the tools that printed commands name.
func TestMain(m *testing.M) {
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "replay-gate":
		os.Exit(replayGate(os.Args[1:]))
	case "docker":
		os.Exit(docker(os.Args[1:]))
	case "ahd":
		if err := framework(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// stand is a folder with the programs.
func stand(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"replay-gate", "docker", "ahd"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func replayGate(args []string) int {
	return cli.Main(context.Background(), cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: now}, args)
}

// docker runs what is asked of the image replay-gate, with the folder that is mounted.
func docker(args []string) int {
	here, err := os.Getwd()
	want := []string{"run", "--rm", "--network", "none", "--volume", here + ":/repo", "--workdir", "/repo", "replay-gate"}
	if err != nil || len(args) < len(want) || !slices.Equal(args[:len(want)], want) {
		fmt.Fprintf(os.Stderr, "docker %q", args)
		return 125
	}
	return replayGate(args[len(want):])
}

// framework stands for the framework's own tool: it runs an evaluation again, and leaves a sidecar
// of a new run over the files as they are now.
func framework(args []string) error {
	flags := make(map[string]string)
	for i := 2; i+1 < len(args); i += 2 {
		flags[args[i]] = args[i+1]
	}
	report, ok := strings.CutSuffix(flags["--report"], ".md")
	if !ok || args[0] != "eval-live" {
		return fmt.Errorf("ahd %q", args)
	}
	data, err := os.ReadFile(report + ".replay.json")
	if err != nil {
		return err
	}
	var sidecar map[string]any
	if err := json.Unmarshal(data, &sidecar); err != nil {
		return err
	}
	var failed error
	input := func(path string) map[string]any {
		content, err := os.ReadFile(path)
		hash, err2 := canonical.Hash(content)
		failed = errors.Join(failed, err, err2)
		return map[string]any{"path": path, "hash": hash}
	}
	n, err := strconv.Atoi(flags["--n"])
	if err != nil {
		return err
	}
	var models []map[string]any
	for _, id := range strings.Split(flags["--models"], ",") {
		models = append(models, map[string]any{"id": id, "provider": "example", "provider_request_ids": []string{"again-" + filepath.Base(report) + "-" + id}})
	}
	sidecar["token"], sidecar["brief"] = input("tokens/"+args[1]+".yml"), input(flags["--brief"])
	sidecar["sampling"] = map[string]any{"n": n, "temperature": nil, "seed": nil}
	sidecar["models"], sidecar["invoked_at"] = models, "2026-08-31T08:00:00.000Z"
	sidecar["ahd_commit"], sidecar["git_dirty"] = nil, nil
	if data, err = json.MarshalIndent(sidecar, "", "  "); err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	return os.WriteFile(report+".replay.json", append(data, '\n'), 0o644)
}
