package github

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

const merge = "1111111111111111111111111111111111111111" // GITHUB_SHA

func readEvent(t testing.TB, name string, content []byte, env ...string) (Event, error) {
	t.Helper()
	env = append([]string{
		"GITHUB_EVENT_NAME", name, "GITHUB_EVENT_PATH", tempFile(t, string(content)),
		"GITHUB_SHA", merge, "GITHUB_REPOSITORY", "octo-org/octo-repo",
	}, env...)
	return runnerWith(env...).Event()
}

// The expected values were read off the payloads by eye.
func TestEvent(t *testing.T) {
	t.Parallel()
	const (
		head = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
		base = "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
	)
	a40, b40 := strings.Repeat("a", 40), strings.Repeat("b", 40)
	pull := Event{
		Name: "pull_request", Number: 2, BaseSHA: base, HeadSHA: head, MergeSHA: merge,
		Repository: "Codertocat/Hello-World", ChangedFiles: 2,
	}
	with := func(e Event, change func(*Event)) Event { change(&e); return e }
	push := Event{
		Name: "push", BaseSHA: b40, Before: b40, HeadSHA: a40, MergeSHA: merge,
		Repository: "Codertocat/Hello-World",
	}
	for _, test := range []struct {
		name, file string
		want       Event
	}{
		{"pull_request", "pull_request", pull},
		{"pull_request_target", "pull_request", with(pull, func(e *Event) { e.Name = "pull_request_target" })},
		{"pull_request", "fork", with(pull, func(e *Event) { e.Fork = true })},
		{"pull_request", "fork-deleted", with(pull, func(e *Event) { e.Fork = true })},
		{"pull_request", "dependabot", pull},
		{"merge_group", "merge_group", Event{
			Name: "merge_group", BaseSHA: "380387fbc80638b734a49e1be1c4dfec1c01b33c", HeadSHA: "2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d",
			MergeSHA: merge, Repository: "octo-org/octo-repo",
		}},
		{"push", "push", push},
		{"push", "push-created", with(push, func(e *Event) { e.BaseSHA, e.Before = "", "" })},
		{"push", "push-deleted", with(push, func(e *Event) { e.HeadSHA = merge })},
		{"workflow_dispatch", "workflow_dispatch", Event{
			Name: "workflow_dispatch", HeadSHA: merge, MergeSHA: merge, Repository: "octo-org/octo-repo",
		}},
		{"schedule", "schedule", Event{Name: "schedule", HeadSHA: merge, MergeSHA: merge, Repository: "octo-org/octo-repo"}},
		{"workflow_run", "workflow_run", Event{
			Name: "workflow_run", Number: 2, BaseSHA: base, HeadSHA: head, MergeSHA: merge,
			Repository: "octo-org/octo-repo",
		}},
	} {
		got, err := readEvent(t, test.name, githubtest.Event(t, test.file))
		if err != nil {
			t.Errorf("%s (%s): %v", test.name, test.file, err)
			continue
		}
		if got != test.want {
			t.Errorf("%s (%s):\ngot  %+v\nwant %+v", test.name, test.file, got, test.want)
		}
	}
}

// act sends an empty payload unless it is told which. A base is never guessed,
// so the answer says how to give one.
func TestEventOfAct(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pull_request", "push", "merge_group"} {
		if _, err := readEvent(t, name, []byte("{}")); err == nil || !strings.Contains(err.Error(), "--eventpath") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"workflow_dispatch", "schedule", "release", "repository_dispatch", "issue_comment"} {
		if e, err := readEvent(t, name, []byte("{}")); err != nil || e.HeadSHA != merge || e.Repository != "octo-org/octo-repo" {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

// What a payload may leave null, as GitHub's own schemas allow.
func TestEventWithNulls(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"push":              `{"before":"` + merge + `","after":"` + merge + `","base_ref":null,"head_commit":null,"repository":{"full_name":"o/r","default_branch":null}}`,
		"workflow_dispatch": `{"inputs":null,"repository":null}`,
		"schedule":          `{"schedule":null,"repository":null,"sender":null}`,
		"workflow_run":      `{"workflow_run":{"head_sha":"` + merge + `","head_branch":null,"head_repository":null,"pull_requests":[]}}`,
		"pull_request": `{"number":1,"pull_request":{"number":null,"changed_files":null,"head":{"ref":null,"sha":"` + merge +
			`","repo":null},"base":{"ref":"main","sha":"` + merge + `","repo":null}},"repository":{"full_name":"o/r"},"sender":null}`,
	} {
		if e, err := readEvent(t, name, []byte(content)); err != nil || e.HeadSHA != merge {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

func TestEventRefusesHostilePayloads(t *testing.T) {
	t.Parallel()
	pull := string(githubtest.Event(t, "pull_request"))
	const head = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
	replaced := func(old, new string) string {
		if !strings.Contains(pull, old) {
			t.Fatalf("the payload holds no %s", old)
		}
		return strings.ReplaceAll(pull, old, new)
	}
	for name, content := range map[string]string{
		"empty":                  "",
		"not JSON":               "<html>",
		"an array":               "[]",
		"null":                   "null",
		"cut short":              pull[:len(pull)/2],
		"no pull request":        `{"number": 1}`,
		"head is an option":      replaced(head, "--upload-pack=/bin/sh"),
		"head is a short id":     replaced(head, head[:12]),
		"head in capitals":       replaced(head, strings.ToUpper(head)),
		"head is a number":       replaced(`"`+head+`"`, "12"),
		"repository with a path": replaced("Codertocat/Hello-World", "Codertocat/../../x"),
		"no such number":         replaced(`"number": 2`, `"number": 1e999`),
		"negative number":        replaced(`"number": 2`, `"number": -2`),
		"fraction of files":      replaced(`"changed_files": 2`, `"changed_files": 0.5`),
		"10,001 levels":          strings.Repeat(`{"pull_request":`, 10_001),
		"over 25 MiB":            pull + strings.Repeat(" ", 25<<20),
	} {
		e, err := readEvent(t, "pull_request", []byte(content))
		var ee *EventError
		if !errors.As(err, &ee) || ee.NextStep == "" {
			t.Errorf("%s: %+v, %v; want an EventError with a next step", name, e, err)
		} else if len(err.Error()) > 400 || len(parseLog(err.Error())) > 0 {
			t.Errorf("%s: the error repeats too much: %.500s", name, err)
		}
	}
}

func TestEventWithoutFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, a := range map[string]*Actions{
		"no name":  runnerWith("GITHUB_EVENT_PATH", tempFile(t, "{}")),
		"no path":  runnerWith("GITHUB_EVENT_NAME", "push"),
		"no file":  runnerWith("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", filepath.Join(dir, "gone")),
		"a folder": runnerWith("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", dir),
		"device":   runnerWith("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", os.DevNull),
		"bad sha":  runnerWith("GITHUB_EVENT_NAME", "schedule", "GITHUB_EVENT_PATH", tempFile(t, "{}"), "GITHUB_SHA", "HEAD"),
	} {
		var ee *EventError
		if _, err := a.Event(); !errors.As(err, &ee) || ee.NextStep == "" {
			t.Errorf("%s: %v, want an EventError with a next step", name, err)
		}
	}
}

// Whatever the payload, there is no panic, and what comes out is of its form.
func FuzzEvent(f *testing.F) {
	for _, name := range []string{"pull_request", "fork-deleted", "merge_group", "push", "workflow_run", "schedule"} {
		f.Add(strings.TrimSuffix(name, "-deleted"), githubtest.Event(f, name))
	}
	f.Add("pull_request", []byte(`{"number":1,"pull_request":{"base":{"sha":"`+merge+`"},"head":{"sha":"`+merge+`"}}}`))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		e, err := parseEvent(name, content)
		if err != nil {
			return
		}
		for _, id := range []string{e.BaseSHA, e.HeadSHA, e.Before} {
			if id != "" && !commitID.MatchString(id) {
				t.Errorf("%q is no commit id", id)
			}
		}
		if e.Repository != "" && !fullName.MatchString(e.Repository) {
			t.Errorf("%q is no repository", e.Repository)
		}
	})
}
