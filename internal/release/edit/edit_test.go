package edit

import (
	"os"
	"strings"
	"testing"
)

const image = "ghcr.io/replay-gate/replay-gate@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// The repository's own action.yml, which is what a release rewrites: one line of it
// changes.
func TestActionChangesOneLine(t *testing.T) {
	before, err := os.ReadFile("../../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	after, err := Action(before, image)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	if len(was) != len(is) {
		t.Fatalf("%d lines became %d", len(was), len(is))
	}
	var changed []string
	for i := range was {
		if was[i] != is[i] {
			changed = append(changed, is[i])
		}
	}
	if len(changed) != 1 || changed[0] != "  image: docker://"+image {
		t.Errorf("changed lines: %q", changed)
	}
	// A released action.yml is not rewritten once more.
	if _, err := Action(after, image); err == nil {
		t.Error("a release of a release was made")
	}
}

func TestActionRefusesWhatPinsNothing(t *testing.T) {
	const action = "runs:\n  using: docker\n  image: Dockerfile\n"
	for _, bad := range []string{
		"", "ghcr.io/replay-gate/replay-gate:v1", "ghcr.io/replay-gate/replay-gate@sha256:0123", "replay-gate@sha256:" + strings.Repeat("0", 64),
		image + "\n  args: [other]", strings.Replace(image, "sha256", "sha1", 1), strings.ToUpper(image),
	} {
		if _, err := Action([]byte(action), bad); err == nil {
			t.Errorf("%q was pinned", bad)
		}
	}
	if _, err := Action([]byte(action+"  image: Dockerfile\n"), image); err == nil {
		t.Error("of two lines one was chosen")
	}
	if _, err := Action([]byte(action), strings.Replace(image, "ghcr.io", "127.0.0.1:5000", 1)); err != nil {
		t.Error(err)
	}
}

func TestMoves(t *testing.T) {
	tags := []string{"v1", "v1.2.0", "v1.10.0", "v1.11.0-rc.1", "v2.0.0-rc.1", "nightly"}
	for tag, want := range map[string]string{
		"v1.10.1": "v1", "v1.11.0": "v1", "v2.0.0": "v2", "v12.0.0": "v12",
		// A repair of an older version.
		"v1.2.1": "", "v1.9.9": "",
		// These promise nothing.
		"v0.9.0": "", "v1.11.0-rc.2": "",
	} {
		if got, err := Moves(tag, tags); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", tag, got, err, want)
		}
	}
	for _, bad := range []string{
		"", "1.0.0", "v1", "v1.0", "v01.0.0", "v1.0.0+build", "v1.0.0\n", "v1.0.0-", "v1.0.0;true", "v1.2.0", "v9999999999.0.0",
	} {
		if moving, err := Moves(bad, tags); err == nil {
			t.Errorf("%q can be released, under %q", bad, moving)
		}
	}
}

func TestNotes(t *testing.T) {
	const changelog = "# Changelog\n\nIntro.\n\n## Unreleased\n\n- New.\n\n## v1.1.0 (2026-12-01)\n\n- More.\n\n### Fixed\n\n- Less.\n\n## v1.0.0\n\n## v1.1.0-rc.1\n\n- Early.\n"
	got, err := Notes([]byte(changelog), "v1.1.0")
	if want := "- More.\n\n### Fixed\n\n- Less.\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for tag, want := range map[string]string{"v1.0.0": "says nothing", "v1.2.0": "no section", "Unreleased": "no version"} {
		if _, err := Notes([]byte(changelog), tag); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", tag, err, want)
		}
	}
	if _, err := Notes([]byte(changelog+"\n## v1.1.0\n"), "v1.1.0"); err == nil || !strings.Contains(err.Error(), "two sections") {
		t.Errorf("two sections of one version: %v", err)
	}
}
