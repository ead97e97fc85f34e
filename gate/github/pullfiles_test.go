package github

import (
	"errors"
	"fmt"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

func TestPullFiles(t *testing.T) {
	g := githubtest.Start(t)
	var files []githubtest.File
	for i := range 249 {
		files = append(files, githubtest.File{Name: fmt.Sprintf("f%d", i), Status: "modified"})
	}
	files = append(files, githubtest.File{Name: "new", Status: "renamed", Previous: "old"})
	g.SetPull(3, files...)
	c, _ := newClient(t, g)
	got, err := c.PullFiles(t.Context(), 3, 250)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 250 || got[0].Path != "f0" || got[249] != (ChangedFile{"new", "renamed", "old"}) {
		t.Errorf("%d files, last %+v", len(got), got[len(got)-1])
	}
	if n := len(g.Requests()); n != 3 {
		t.Errorf("%d requests, want 3 of 100 files", n)
	}
}

// GitHub lists 3,000 files and says nothing of the rest. A list that is not all
// must never look like one.
func TestPullFilesIncomplete(t *testing.T) {
	g := githubtest.Start(t)
	many := make([]githubtest.File, 3001)
	for i := range many {
		many[i] = githubtest.File{Name: fmt.Sprint(i), Status: "added"}
	}
	g.SetPull(1, many...)
	g.SetPull(2, many[:2]...)
	g.SetPull(3)
	c, _ := newClient(t, g)
	for _, test := range []struct {
		number, want int
		complete     bool
	}{
		{1, 0, false}, {1, 2999, false}, {1, 3001, false}, {2, 3, false}, {2, 1, false}, {3, 1, false},
		{2, 2, true}, {2, 0, true}, {3, 0, true},
	} {
		files, err := c.PullFiles(t.Context(), test.number, test.want)
		if got := !errors.Is(err, ErrTooManyFiles); got != test.complete || (err != nil) != !test.complete {
			t.Errorf("pull request %d, %d said: %d files, %v", test.number, test.want, len(files), err)
		}
	}
}

func TestPullFilesErrors(t *testing.T) {
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	var p *PermissionError
	if _, err := c.PullFiles(t.Context(), 9, 1); !errors.As(err, &p) || p.Missing != "pull-requests: read" || p.Status != 404 {
		t.Errorf("err = %v", err)
	}
	for _, body := range []string{`[null]`, `[{}]`, `{}`, `[{"filename":3}]`} {
		g.Fail(githubtest.Fault{Status: 200, Body: body})
		if files, err := c.PullFiles(t.Context(), 1, 1); err == nil {
			t.Errorf("%s: %v", body, files)
		}
	}
}
