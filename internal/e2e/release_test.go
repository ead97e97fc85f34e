//go:build e2e && release

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// goal is the time from the start of a job to the verdict, image and all. Building
// the image on every job took about a minute.
const goal = 5 * time.Second

// Its image is not there when a job starts: it is pulled by the digest that stands in
// the released action.yml, and then the verdict comes as from any other image.
func TestReleasedActionGivesAVerdictInSeconds(t *testing.T) {
	image := os.Getenv("REPLAY_GATE_E2E_IMAGE")
	if image == "" {
		t.Fatal("REPLAY_GATE_E2E_IMAGE is not set: run this test with bash .ci/release")
	}
	action, err := os.ReadFile(actionFile(t, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(action), "\n  image: docker://"+image+"\n") {
		t.Fatalf("the action does not pull %s", image)
	}
	// A shared machine is now and then busy with something else: the best of three.
	best := time.Hour
	for range 3 {
		c := newConsumer(t)
		event := c.pullRequest(edits{tokenPath: tokenEdited})
		_ = exec.Command("docker", "image", "rm", "--force", image).Run()
		if exec.Command("docker", "image", "inspect", image).Run() == nil {
			t.Fatal("the image is there before the job starts")
		}
		start := time.Now()
		got := c.run(event)
		took := time.Since(start)
		if got.exit != 1 || got.outputs["verdict"] != "drift" || got.outputs["introduced"] != "1" {
			t.Errorf("exit code %d, outputs %v", got.exit, got.outputs)
		}
		if err := exec.Command("docker", "image", "inspect", image).Run(); err != nil {
			t.Errorf("the job did not pull %s: %v", image, err)
		}
		t.Logf("from the start of the engine to the verdict and the end of the job, with the image pulled: %.1f s", took.Seconds())
		best = min(best, took)
	}
	// Printed and not judged: a busy machine is no failure.
	t.Logf("best of three: %.1f s to the verdict; the goal is %.0f s", best.Seconds(), goal.Seconds())
}

// The image says what it is: a digest in action.yml leads back to a version and to
// the commit before the release's.
func TestReleasedImageNamesItsCommit(t *testing.T) {
	image, version := os.Getenv("REPLAY_GATE_E2E_IMAGE"), os.Getenv("REPLAY_GATE_E2E_VERSION")
	if out, err := exec.Command("docker", "pull", "--quiet", image).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("docker", "image", "inspect", "--format", "{{json .Config.Labels}}", image).Output()
	if err != nil {
		t.Fatal(err)
	}
	var labels map[string]string
	if err := json.Unmarshal(out, &labels); err != nil {
		t.Fatal(err)
	}
	parent, err := exec.Command("git", "-C", actionFile(t, "."), "rev-parse", "HEAD~1").Output()
	if err != nil {
		t.Fatal(err)
	}
	commit := strings.TrimSpace(string(parent))
	if labels["org.opencontainers.image.version"] != version || labels["org.opencontainers.image.revision"] != commit {
		t.Errorf("labels %v, want version %s and revision %s", labels, version, commit)
	}
	said, exit := docker(t, image, "--version")
	if want := "replay-gate " + version + " (" + commit + " "; exit != 0 || !strings.HasPrefix(said, want) {
		t.Errorf("exit code %d, %q, want it to start with %q", exit, said, want)
	}
}
