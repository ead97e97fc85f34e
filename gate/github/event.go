package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// Event is what a gate needs to know of the event that started the run. Commit
// ids are hex digits, or empty where the event has none.
type Event struct {
	// Name is the event's name (GITHUB_EVENT_NAME), such as "pull_request".
	Name string
	// Number is the pull request's; 0 when the event is about none.
	Number int
	// BaseSHA is the commit that the event compares with: the tip of the pull
	// request's base branch when the event was made, the merge group's base,
	// the commit before the push.
	BaseSHA string
	// HeadSHA is the commit that people look at, to which a check run belongs:
	// the pull request's head, the merge group's head, the commit pushed.
	HeadSHA string
	// MergeSHA is the commit that actions/checkout checks out by default
	// (GITHUB_SHA): on pull_request, the test merge of head into base.
	MergeSHA string
	// Before is the commit before a push; empty where GitHub sends zeros,
	// because the push created the branch.
	Before     string
	Repository string // owner/name
	// ChangedFiles is the number of files that the pull request changes.
	ChangedFiles int
	// Fork says that the head is in another repository, or was in one that is
	// gone, so that the token of a pull_request event is read-only.
	Fork bool
}

// EventError says that the event can't be used, and what to do about it.
type EventError struct {
	NextStep string
	Err      error
}

func (e *EventError) Error() string { return "reading the event: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *EventError) Unwrap() error { return e.Err }

// maxEvent is the largest payload that GitHub sends for any event, in bytes.
const maxEvent = 25 << 20

// Event reads the event that started the run: GITHUB_EVENT_NAME, and the
// payload in the file GITHUB_EVENT_PATH. It knows pull_request,
// pull_request_target, push, merge_group, workflow_run, workflow_dispatch and
// schedule; any other event has a name, a repository and a commit. Errors are
// of type *[EventError].
func (a *Actions) Event() (Event, error) {
	name := a.env("GITHUB_EVENT_NAME")
	if name == "" {
		return Event{}, &EventError{
			"run the gate in a step of a workflow, or without GITHUB_ACTIONS and with --base",
			errors.New("GITHUB_EVENT_NAME is not set"),
		}
	}
	content, err := readBounded(a.env("GITHUB_EVENT_PATH"), maxEvent)
	if err != nil {
		return Event{}, &EventError{"GITHUB_EVENT_PATH must name the file that the runner wrote; in a container of your own, mount its folder and pass the variable", err}
	}
	e, err := parseEvent(name, content)
	if err == nil {
		err = e.complete(a)
	}
	if err != nil {
		return Event{}, &EventError{"the payload is not one that GitHub sends for " + visible.Line(name) + "; look at the file that GITHUB_EVENT_PATH names", err}
	}
	return e, nil
}

func readBounded(name string, limit int64) ([]byte, error) {
	if name == "" {
		return nil, errors.New("GITHUB_EVENT_PATH is not set")
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("the payload is not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("the payload is larger than %d MiB", limit>>20)
	}
	return content, nil
}

// parseEvent takes from a payload what is valid by itself.
func parseEvent(name string, content []byte) (Event, error) {
	var p payload
	if err := json.Unmarshal(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), &p); err != nil {
		return Event{}, err
	}
	e := Event{Name: name, Repository: p.Repository.FullName}
	var err error
	switch name {
	case "pull_request", "pull_request_target":
		err = e.fromPullRequest(p)
	case "push":
		err = e.fromPush(p)
	case "merge_group":
		err = e.fromMergeGroup(p)
	case "workflow_run":
		err = e.fromWorkflowRun(p)
	}
	if err != nil {
		return Event{}, err
	}
	return e, e.validate()
}

// complete adds what the environment knows.
func (e *Event) complete(a *Actions) error {
	e.MergeSHA = a.env("GITHUB_SHA")
	if e.Repository == "" { // schedule has none in its payload
		e.Repository = a.env("GITHUB_REPOSITORY")
	}
	if e.HeadSHA == "" {
		e.HeadSHA = e.MergeSHA
	}
	return e.validate()
}

// A commit's id: SHA-1, or SHA-256 in repositories that use it.
var commitID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

func (e *Event) validate() error {
	for _, f := range []struct{ what, id string }{
		{"base", e.BaseSHA}, {"head", e.HeadSHA}, {"before", e.Before}, {"GITHUB_SHA", e.MergeSHA},
	} {
		if f.id != "" && !commitID.MatchString(f.id) {
			return fmt.Errorf("%s: %q is no commit id", f.what, cut(f.id, 100))
		}
	}
	if e.Repository != "" && !fullName.MatchString(e.Repository) {
		return fmt.Errorf("%q is no repository", cut(e.Repository, 100))
	}
	if e.Number < 0 || e.ChangedFiles < 0 {
		return errors.New("a number is negative")
	}
	return nil
}
