package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// askGitHub looks for what the clone does not hold. A commit's files are listed
// and read over the API, so that attribution works with the default checkout;
// where that can't be had, the pull request's changed files at least say what is
// in scope. It reports whether there is a base now, in words if not.
func (c *change) askGitHub(ctx context.Context, o Options) {
	if o.GitHub == nil || o.Event == nil || o.Base != "" {
		return
	}
	note, err := c.baseOverAPI(ctx, o)
	if err == nil && note == "" {
		return
	}
	if err != nil {
		c.baseNote += "; over the API: " + err.Error()
	}
	if o.Event.Number == 0 {
		return
	}
	files, err := o.GitHub.PullFiles(ctx, o.Event.Number, o.Event.ChangedFiles)
	if err != nil {
		c.baseNote += "; the list of changed files: " + err.Error()
		return
	}
	c.files, c.filesKnown = fromPullFiles(files), true
}

// baseOverAPI makes the base a tree behind the API. Only a commit whose
// difference to the checkout is the change itself will do: the first parent of
// the test merge, the commit before a push, the merge group's base.
func (c *change) baseOverAPI(ctx context.Context, o Options) (note string, err error) {
	sha := ""
	switch e := o.Event; e.Name {
	case "pull_request", "pull_request_target":
		if p := c.headCommit.Parents; len(p) == 2 && p[1] == e.HeadSHA {
			sha = p[0]
		}
	case "merge_group":
		sha = e.BaseSHA
	case "push":
		sha = e.Before
	}
	if sha == "" {
		return "no commit to ask for", nil
	}
	tree, err := o.GitHub.Tree(ctx, sha)
	if err != nil {
		return "", err
	}
	files, err := diffRemote(tree, c.head)
	if err != nil {
		return "", err
	}
	c.base, c.baseCommit, c.baseNote = tree, repo.Commit{Hash: sha}, ""
	c.files, c.filesKnown = files, true
	return "", nil
}

// remoteFailure is why the base could not be read to its end, if it is behind
// the API; what was concluded from it then counts for nothing.
func (c *change) remoteFailure() error {
	if t, ok := c.base.(*github.Tree); ok {
		return t.Err()
	}
	return nil
}

// diffRemote compares a base behind the API with the head by their blob ids,
// without reading anything of the base. A file that was moved unchanged is
// Renamed.
func diffRemote(base *github.Tree, head *repo.Tree) ([]repo.Change, error) {
	var changes []repo.Change
	deleted := make(map[string][]string) // blob id -> paths on the base
	kept := make(map[string]bool)
	type added struct{ path, id string }
	var news []added
	for _, name := range head.Files() {
		id, err := head.ContentID(name)
		if err != nil {
			id = "" // unreadable: equal to nothing
		}
		was, ok := base.BlobID(name)
		switch {
		case !ok:
			news = append(news, added{name, id})
		case was != id:
			changes = append(changes, repo.Change{Path: name, Kind: repo.Modified})
		}
		kept[name] = ok
	}
	for _, name := range base.Files() {
		if !kept[name] {
			id, _ := base.BlobID(name)
			deleted[id] = append(deleted[id], name)
		}
	}
	for _, a := range news {
		if from := deleted[a.id]; a.id != "" && len(from) > 0 {
			changes = append(changes, repo.Change{Path: a.path, OldPath: from[0], Kind: repo.Renamed})
			deleted[a.id] = from[1:]
			continue
		}
		changes = append(changes, repo.Change{Path: a.path, Kind: repo.Added})
	}
	for _, names := range deleted {
		for _, name := range names {
			changes = append(changes, repo.Change{Path: name, Kind: repo.Deleted})
		}
	}
	slices.SortFunc(changes, func(a, b repo.Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

func fromPullFiles(files []github.ChangedFile) []repo.Change {
	var changes []repo.Change
	for _, f := range files {
		ch := repo.Change{Path: f.Path, Kind: repo.Modified}
		switch f.Status {
		case "added", "copied":
			ch.Kind = repo.Added
		case "removed":
			ch.Kind = repo.Deleted
		case "renamed":
			ch.Kind, ch.OldPath = repo.Renamed, f.OldPath
		case "unchanged":
			continue
		}
		changes = append(changes, ch)
	}
	return changes
}

// missingBase is what a reader must know when there is no base.
func (c *change) missingBase(o Options) summary.Notice {
	n := summary.Notice{Status: verify.Warn, Code: "base-missing", NextStep: baseNextStep(o.Event)}
	if o.Event != nil && o.Event.BaseSHA == "" { // there is nothing that could be fetched
		n.NextStep = "set the input base, such as origin/main with fetch-depth: 0, if there is something to compare with"
	}
	if c.filesKnown {
		n.Message = "No base to compare with: " + c.baseNote + ". GitHub listed the changed files; every FAIL in what they affect counts as introduced"
	} else {
		n.Message = "No base to compare with: " + c.baseNote + ". All evidence is checked, and every FAIL counts as introduced"
	}
	return n
}

// lostBase is the notice for a base behind the API that failed on the way.
func lostBase(err error) summary.Notice {
	next := "set fetch-depth: 2 in actions/checkout, so that the base need not be fetched file by file"
	if errors.Is(err, github.ErrTooManyReads) {
		next += fmt.Sprintf(" (at most %d are)", github.MaxReads)
	}
	return summary.Notice{
		Status: verify.Warn, Code: "base-unreadable", NextStep: next,
		Message: "The base could not be read over the API: " + err.Error() + ". Every FAIL counts as introduced",
	}
}

// gone describes a deleted file whose base is out of reach: all that is known
// is that it was there.
type gone string

func (g gone) Name() string     { return string(g) }
func (gone) Size() int64        { return 0 }
func (gone) Mode() fs.FileMode  { return 0 }
func (gone) ModTime() time.Time { return time.Time{} }
func (gone) IsDir() bool        { return false }
func (gone) Sys() any           { return nil }
