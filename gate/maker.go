package gate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// makers make the bundles of a run. What the work tree has as its commit has it is
// bundled from the commit, so that the bundle is what that commit gives, whatever else
// lies in the work tree; the rest from the work tree, and its bundle says so.
type makers struct {
	commit   *maker // nil before the first commit
	workTree *maker // nil when a commit is judged
}

func newMakers(ctx context.Context, r *repo.Repository, c *change, head *verify.Tree, histories *repo.Histories, o Options) (*makers, error) {
	ofTree := func(fsys *repo.Tree, tree *verify.Tree, dirty bool) *maker {
		m := &maker{tree: tree, commit: c.headCommit, past: newPast(ctx, r, fsys, dirty, histories), strict: o.Strict, dirty: dirty}
		for _, name := range tree.Files() {
			if matches(name, o.Cassettes) {
				m.cassettes = append(m.cassettes, name)
			}
		}
		return m
	}
	switch {
	case o.Head != "":
		return &makers{commit: ofTree(c.head, head, false)}, nil
	case c.headCommit.Hash == "":
		return &makers{workTree: ofTree(c.head, head, true)}, nil
	}
	committed := c.committed
	if committed == nil {
		var err error
		if committed, err = r.CommitTree(c.headCommit); err != nil {
			return nil, fmt.Errorf("reading HEAD: %w", err)
		}
	}
	return &makers{commit: ofTree(committed, head.Sibling(committed), false), workTree: ofTree(c.head, head, true)}, nil
}

// make makes the bundle of one target. res is the run's verdict on it, and now the
// time for what is not committed.
func (ms *makers) make(ctx context.Context, t target, res *verify.Result, now time.Time) (*bundle.Bundle, error) {
	if t.raw != "" {
		return nil, errors.New("it can't be opened by its path")
	}
	if t.then != nil {
		return ms.makeThen(ctx, t, now)
	}
	if m := ms.commit; m != nil && ms.committed(res) {
		// The commit may have what the work tree lacks, so its verdict is asked too.
		if r := m.judge(ctx, t, m.commit.When); ms.committed(&r) {
			return m.make(r, t.format.Title(), m.commit.When)
		}
	}
	return ms.workTree.makeAt(ctx, t, now)
}

// makeThen makes the bundle of evidence that was judged with the inputs of its recorded
// commit, so that a replay comes to that verdict. No commit has it like this.
func (ms *makers) makeThen(ctx context.Context, t target, now time.Time) (*bundle.Bundle, error) {
	m := *cmp.Or(ms.workTree, ms.commit)
	m.tree, m.dirty, m.cassettes = t.then, true, nil
	return m.makeAt(ctx, t, now)
}

// committed reports whether the work tree holds everything that the bundle of r is
// made from as the commit does. Content is compared and no list of changes: a file
// that is ignored, that a filter of git alters, or that a link leads to, is in none.
func (ms *makers) committed(r *verify.Result) bool {
	if ms.workTree == nil {
		return true
	}
	names := slices.Concat([]string{r.Path, config.Name}, ms.commit.cassettes, ms.workTree.cassettes)
	for _, in := range r.Inputs {
		names = append(names, in.Path)
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !ms.same(name) })
}

type sameKey string

// same reports whether both trees hold the same under a name, if anything.
func (ms *makers) same(name string) bool {
	return verify.Once(ms.workTree.tree, sameKey(name), func() bool {
		is, whyNot := read(ms.workTree.tree, name)
		was, whyNotThen := read(ms.commit.tree, name)
		return whyNot == whyNotThen && bytes.Equal(is, was)
	})
}

// read returns the content of a file, or why it can't be read.
func read(tree *verify.Tree, name string) (content []byte, whyNot string) {
	content, err := tree.ReadFile(name, verify.MaxInput)
	var re *verify.ReadError
	if errors.As(err, &re) {
		whyNot = re.Why
	}
	return content, whyNot
}

// maker makes the bundles of one tree.
type maker struct {
	tree      *verify.Tree
	commit    repo.Commit // that the tree holds, or comes from; zero when there is none
	dirty     bool        // the tree is not that of the commit
	past      *past       // of the commit; nil when it is not at hand
	strict    bool
	cassettes []string
}

// judge judges one target by the tree alone, with no settings but the tree's own.
func (m *maker) judge(ctx context.Context, t target, now time.Time) verify.Result {
	item := verify.Item{Path: t.path, Format: t.format, Now: now}
	for _, f := range ownFormats(m.tree) {
		if f.Kind() == t.format.Kind() {
			item.Format = f
		}
	}
	r := verify.Engine{Strict: m.strict}.Verify(ctx, m.tree, []verify.Item{item})[0]
	if r.Kind != "ahd" && m.tree.Exists(config.Name) {
		r.Inputs = append(r.Inputs, verify.Input{Role: "settings", Path: config.Name, Place: verify.PlaceInputs})
	}
	return r
}

// makeAt judges one target that no commit has like this at a time, and makes its
// bundle. A bundle has no time finer than a second, and a replay judges at it. Where no
// later time changes the verdict the bundle needs none, and the same files give the same
// bytes on any day.
func (m *maker) makeAt(ctx context.Context, t target, now time.Time) (*bundle.Bundle, error) {
	now = now.Truncate(time.Second)
	r := m.judge(ctx, t, now)
	if later := m.judge(ctx, t, now.AddDate(1000, 0, 0)); reflect.DeepEqual(later.Checks, r.Checks) {
		now = time.Time{}
	}
	return m.make(r, t.format.Title(), now)
}

// noHistory is what a page says in place of a timeline. The reason is not told apart:
// every clone without the whole history gives the same bytes.
const noHistory = "The history of the inputs was not at hand when this page was made: the clone was shallow or partial, or time ran out. " +
	"In a full clone, replay-gate timeline shows it"

// make makes the bundle of a verdict that judge came to at a time, which becomes the
// bundle's: a replay judges at it. It is zero for a verdict that no time changes. What goes in depends on the commit with its history,
// and the evidence: on no base and no attribution, and on the clock only for
// evidence that is not committed.
func (m *maker) make(r verify.Result, title string, judged time.Time) (*bundle.Bundle, error) {
	if err := m.lacks(&r); err != nil {
		return nil, err
	}
	// Without a version: a bundle's bytes must not change with the release of
	// the tool that happens to write it.
	tool := summary.Tool{Name: "replay-gate"}
	pure := Evidence(&r, title)
	pure.Because = ""

	var junit, sarif bytes.Buffer
	if err := summary.WriteJUnit(&junit, pure.Path, []summary.Evidence{pure}); err != nil {
		return nil, fmt.Errorf("rendering JUnit: %w", err)
	}
	if err := summary.WriteSARIF(&sarif, tool, []summary.Evidence{pure}); err != nil {
		return nil, fmt.Errorf("rendering SARIF: %w", err)
	}
	secrets, err := leaks(m.tree)
	if err != nil {
		return nil, err
	}
	history, err := m.past.tell(&pure, r, m.tree)
	if err != nil {
		return nil, err
	}
	src := bundle.Source{
		Result: r, Tree: m.tree, Strict: m.strict, GitSHA: m.commit.Hash, GitDirty: m.dirty, Created: judged, History: history != nil,
		Secrets: secrets, Cassettes: m.cassettes,
		Outputs: bundle.Outputs{
			Summary: summary.EvidenceSummary(tool, r, m.strict),
			JUnit:   junit.Bytes(), SARIF: sarif.Bytes(),
		},
	}
	switch {
	case history == nil:
		history = &verify.Timeline{Notes: []string{noHistory}}
	case len(history.Lanes) > 0:
		src.Outputs.Timeline = summary.TimelineSVG(history)
	}
	src.Outputs.HTML = summary.HTML([]summary.Evidence{pure}, tool, history)
	return bundle.Build(src)
}

// lacks is the error of a file that belongs in the bundle of r and is not in this
// partial clone ([repo.ErrMissingObject]): without it, a verdict is not that on the commit.
func (m *maker) lacks(r *verify.Result) error {
	names := append([]string{r.Path}, m.cassettes...)
	for _, in := range r.Inputs {
		names = append(names, in.Path)
	}
	for _, name := range names {
		if _, err := fs.Stat(m.tree.FS(), name); errors.Is(err, repo.ErrMissingObject) {
			return fmt.Errorf("%s: %w", name, repo.ErrMissingObject)
		}
	}
	return nil
}
