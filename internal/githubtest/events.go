package githubtest

import (
	"embed"
	"testing"
)

//go:embed events
var events embed.FS

// Event returns a webhook payload by its file's name in the folder events,
// without ".json": pull_request, fork, fork-deleted, dependabot, merge_group,
// push, push-created, push-deleted, workflow_run, workflow_dispatch, schedule.
func Event(t testing.TB, name string) []byte {
	t.Helper()
	content, err := events.ReadFile("events/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return content
}
