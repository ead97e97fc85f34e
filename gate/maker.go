package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// maker makes bundles of evidence that was judged.
type maker struct {
	head      *verify.Tree
	commit    repo.Commit  // the commit of the tree; zero when there is none
	committed *verify.Tree // what that commit holds; nil if the tree judged is the commit's own
	now       time.Time    // that it was judged at
	strict    bool
	options   []string
	settings  string // as [bundle.ReplayGate] has it
	moved     bool   // settings say where inputs were moved to
	base      *judge.Base
	baseAt    string // the base's commit
	cassettes []string
	lost      bool // the commit has other cassettes
	judge     bundle.Judge
	secrets   func(data []byte) ([]bundle.Secret, bool)
	veil      func(e *judge.Account, base *verify.Tree) *judge.Account
}

// maker returns the maker of the run's bundles.
func (x *run) maker(ctx context.Context) (*maker, error) {
	m := &maker{
		head: x.head, commit: x.change.HeadCommit, now: x.change.Now, strict: x.Strict, settings: x.settings(),
		cassettes: globbed(x.head, x.Cassettes), judge: judging(ctx, x.change.Now, x.head, veil{x.scrubber}, nil),
	}
	m.veil = func(e *judge.Account, base *verify.Tree) *judge.Account {
		return veil{x.scrubber}.over(ctx, e, base)
	}
	m.secrets = func(data []byte) ([]bundle.Secret, bool) { return screened(x.scrubber.learn(ctx, data)) }
	var err error
	if x.StrictFixtures {
		m.options = []string{strictFixtures}
	}
	if q := x.question(); len(q.Bases) > 0 {
		m.base, m.baseAt = &q.Bases[0], x.change.Bases[0].Commit.Hash
	}
	if !x.change.WorkTree || m.commit.Hash == "" {
		return m, nil
	}
	files := x.change.Committed
	if files == nil {
		if files, err = x.repo.CommitTree(m.commit); err != nil {
			return nil, fmt.Errorf("reading HEAD: %w", err)
		}
	}
	m.committed = x.head.Sibling(aliased(files, x.change.Settings.Moved))
	m.lost = !slices.Equal(m.cassettes, globbed(m.committed, x.Cassettes))
	m.moved = len(x.change.Settings.Moved) > 0
	return m, nil
}

// settings says whose settings evidence was judged by: empty where they are those of the
// tree itself (gate/change decides).
func (x *run) settings() string {
	text := func(t *verify.Tree) string {
		data, _ := t.Aside().ReadFile(config.Name, config.MaxSize)
		return string(data)
	}
	switch {
	case x.ConfigFrom == "head" || len(x.bases) == 0 && x.Event == nil:
		return ""
	case len(x.bases) > 0 && text(x.bases[0]) != text(x.head):
		return settingsBase
	case len(x.bases) == 0 && text(x.head) != "":
		return settingsNone
	}
	return ""
}

func globbed(tree *verify.Tree, globs []string) []string {
	if len(globs) == 0 {
		return nil
	}
	var names []string
	for _, name := range tree.Aside().Files() {
		if slices.ContainsFunc(globs, func(g string) bool { return doublestar.MatchUnvalidated(g, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// make makes the bundle of judged evidence. What goes in depends on the commit, the
// evidence and what its rows rest on: on no history, no attribution, and no clock.
func (m *maker) make(j *judge.Account) (*bundle.Bundle, error) {
	v, err := m.verdict(j)
	if err != nil {
		return nil, err
	}
	return m.build(j, v)
}

// verdict is the one that a bundle carries; based says that the base goes with it.
type verdict struct {
	verify.Result
	based bool
}

// verdict is what the bundle of judged evidence says of it.
func (m *maker) verdict(j *judge.Account) (verdict, error) {
	r, related := carried(j)
	based := m.base != nil && (related || configurable(j.Format) && m.settings == settingsBase)
	var base *verify.Tree
	if based {
		base = m.base.Tree
	}
	r, _ = carried(m.veil(j, base))
	switch {
	case r.Lost != "":
		return verdict{}, errors.New("it could not be judged: " + r.Lost)
	case slices.ContainsFunc(r.Checks, func(c verify.Check) bool { return c.Code == judge.CodeBaseUnreadable }):
		return verdict{}, errors.New("its version on the base could not be read: " + j.BaseLost)
	}
	return verdict{r, based}, nil
}

// build makes the bundle of a verdict on judged evidence.
func (m *maker) build(j *judge.Account, v verdict) (*bundle.Bundle, error) {
	r := v.Result
	src := bundle.Source{
		Tree: j.Tree, Strict: m.strict, GitSHA: m.commit.Hash, Secrets: m.secrets, Cassettes: m.cassettes,
		Options: m.options, Rendering: summary.Rendering, Judge: m.judge,
	}
	// Rendered from what a replay comes to, which takes the settings for no input.
	outputs, err := renderings(r, m.strict)
	if err != nil {
		return nil, err
	}
	if restsOnPeers(j) {
		src.Peers = j.Peers
	}
	if configurable(j.Format) {
		if src.Settings = m.settings; m.settings == "" && j.Tree.Aside().Exists(config.Name) {
			r.Inputs = append(slices.Clone(r.Inputs), verify.Input{Role: "settings", Path: config.Name, Place: verify.PlaceInputs})
		}
	}
	if j.Tree != m.head {
		src.At = r.Recording.Commit
	}
	if v.based {
		src.Base = m.baseOf(j)
	}
	src.GitDirty = !m.isCommitted(j, src.Peers, &r)
	now := m.now.Truncate(time.Second)
	switch {
	case !src.GitDirty: // also where something else in the work tree is not as the commit has it
		src.Created = m.commit.When
	case r.Timed: // of any other, no later time changes a row: the same files give the same bytes on any day
		src.Created = now
	}
	src.Result, src.Outputs = r, outputs
	b, err := bundle.Build(src)
	if err != nil || !r.Timed || src.Created.Equal(now) || len(b.Manifest.Coverage.Incomplete) == 0 {
		return b, err
	}
	// At the commit's time another verdict holds: this one is of its own time.
	src.Created = now
	return bundle.Build(src)
}

// renderings are the outputs of a bundle.
func renderings(r verify.Result, strict bool) (bundle.Outputs, error) {
	title := r.Kind
	for _, f := range Formats() {
		if f.Kind() == r.Kind {
			title = f.Title()
		}
	}
	o, err := summary.BundleOutputs(r, title, strict)
	return bundle.Outputs{Summary: o.Summary, JUnit: o.JUnit, SARIF: o.SARIF, HTML: o.HTML}, err
}

// restsOnPeers reports whether a row is what it is because of other evidence.
func restsOnPeers(j *judge.Account) bool {
	for k, row := range j.Rows {
		if k < len(j.Head.Checks) && row.Code != j.Head.Checks[k].Code || row.Code == judge.CodeTakesOver || row.Code == judge.CodeWeaker {
			return true
		}
	}
	return false
}

// configurable reports whether settings of its own change what a kind says.
func configurable(f verify.Format) bool {
	for _, known := range Formats() {
		if known.Kind() == f.Kind() {
			_, ok := known.(verify.Configurable)
			return ok
		}
	}
	return false
}

// baseOf is the part of the base that rows of the evidence are held against.
func (m *maker) baseOf(j *judge.Account) *bundle.BaseSource {
	names := map[string]bool{j.Path: true, config.Name: true}
	old := j.Path
	if j.OldPath != "" {
		old = j.OldPath
	}
	names[old] = true
	results := []*verify.Result{j.Head}
	if len(j.Bases) > 0 && j.Bases[0] != nil {
		results = append(results, j.Bases[0])
	}
	for _, r := range results {
		for _, in := range r.Inputs {
			names[in.Path] = in.Path != ""
		}
		for _, read := range r.Reads.All() {
			// Listings and what is larger than any file that is judged stay outside.
			if read.Op == verify.OpFile {
				names[read.Name] = true
			}
		}
	}
	src := &bundle.BaseSource{Commit: m.baseAt, Tree: m.base.Tree, Renamed: make(map[string]string)}
	for name, in := range names {
		if in {
			src.Names = append(src.Names, name)
		}
		if was := m.base.Renamed[name]; was != "" {
			src.Renamed[name] = was
		}
	}
	if j.OldPath != "" {
		src.Renamed[j.Path] = j.OldPath
	}
	return src
}

// isCommitted reports whether everything that a verdict rests on is as the commit has it.
// Content is compared and no list of changes: a file that is ignored, that a filter of git
// alters, or that a link leads to, is in none.
func (m *maker) isCommitted(j *judge.Account, peers []string, r *verify.Result) bool {
	if m.committed == nil {
		return m.commit.Hash != ""
	}
	other := func(name string) bool { return !m.same(j.Tree, name) }
	reads := r.Reads.All()
	verify.AtOnce(len(reads), 0, func(i int) { // read side by side; what it tells is looked at below
		if reads[i].Op == verify.OpFile {
			m.same(j.Tree, reads[i].Name)
		}
	})
	return !slices.ContainsFunc(reads, func(read verify.Read) bool {
		switch {
		case read.Op == verify.OpNamed: // of several namesakes, the commit may have others
			return !slices.Equal(j.Tree.Aside().Named(read.Name), m.committed.Aside().Named(read.Name))
		case read.Op == verify.OpUnder && read.Name != ".":
			return !slices.Equal(j.Tree.Aside().Under(read.Name), m.committed.Aside().Under(read.Name))
		}
		return read.Op == verify.OpFile && other(read.Name)
	}) &&
		!slices.ContainsFunc(r.Inputs, func(in verify.Input) bool { return in.Role == "settings" && other(in.Path) }) &&
		!m.lost && !(m.moved && other(config.Name)) && !slices.ContainsFunc(peers, other) && !slices.ContainsFunc(m.cassettes, other)
}

type sameKey string

// same reports whether both trees hold the same under a name, if anything.
func (m *maker) same(tree *verify.Tree, name string) bool {
	return verify.Once(tree.Aside(), sameKey(name), func(t *verify.Tree) bool {
		is, err1 := t.ReadFile(name, verify.MaxInput)
		was, err2 := m.committed.Aside().ReadFile(name, verify.MaxInput)
		return (err1 == nil) == (err2 == nil) && bytes.Equal(is, was)
	})
}
