package verify

import (
	"encoding/json"
	"testing"
	"time"
)

// The names are part of the report (DESIGN, section 4), and what is not known is left out.
func TestWhyAsJSON(t *testing.T) {
	at := time.Date(2026, 8, 3, 10, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		why  Why
		want string
	}{
		{Why{}, `{}`},
		{
			Why{
				Recorded: &Version{Commit: "c0", Path: "a.yml", Author: "Ada", Date: at, Subject: "s"},
				Since:    &Version{Commit: "c1", Path: "a.yml", Author: "Ada", Date: at, Subject: "s (#7)", PullRequest: 7},
				Case:     CaseStaleFromBirth, Note: "n", More: 2, Unified: "u", HoldsAt: "c0",
				Edits: []Edit{{Path: "f[3]", Op: EditAdded, Count: 2, After: "[1,2]"}, {Path: "a", Op: EditChanged, Before: "1", After: "2"}},
			},
			`{"recorded":{"commit":"c0","path":"a.yml","author":"Ada","date":"2026-08-03T10:00:00Z","subject":"s"},` +
				`"since":{"commit":"c1","path":"a.yml","author":"Ada","date":"2026-08-03T10:00:00Z","subject":"s (#7)","pull_request":7},` +
				`"case":"stale-from-birth","note":"n",` +
				`"edits":[{"path":"f[3]","op":"added","count":2,"after":"[1,2]"},{"path":"a","op":"changed","before":"1","after":"2"}],` +
				`"more":2,"unified":"u","holds_at":"c0"}`,
		},
	} {
		got, err := json.Marshal(tt.why)
		if err != nil || string(got) != tt.want {
			t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
		}
	}
}
