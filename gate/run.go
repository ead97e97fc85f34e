package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Run gates one change. The report says everything, including the exit code. An
// error is always an *[Error]: the run could not be completed.
func Run(ctx context.Context, o Options) (*summary.Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := repo.Open(o.Root)
	if errors.Is(err, repo.ErrNotRepository) {
		return nil, usageError(ReasonNoRepo, "run it inside a git work tree, or name one with --root", "%w", err)
	} else if err != nil {
		return nil, infraError(err)
	}
	defer r.Close()

	c, err := findChange(ctx, r, o)
	if err != nil {
		return nil, err
	}
	settings, err := c.settings(o)
	if err != nil {
		return nil, err
	}
	head := verify.NewTree(c.head)
	s, err := findScope(ctx, c, head, kindsFor(settings), o)
	if err != nil {
		return nil, err
	}
	report := &summary.Report{
		Schema: summary.Schema,
		Tool:   summary.Tool{Name: "replay-gate", Version: o.Version},
		Change: describe(c, o),
		Scope:  summary.Scope{Mode: s.mode, Total: s.total, Checked: len(s.targets)},
		Policy: summary.Policy{FailOn: cmp.Or(o.FailOn, "introduced"), Kinds: settings.FailOn, Strict: o.Strict},
		Links:  o.links(c),
	}
	report.Notices = append(report.Notices, c.notices...)

	headResults, baseResults := verifyBoth(ctx, c, s, head, o)
	if err := ctx.Err(); err != nil {
		return nil, interrupted(err)
	}
	if o.At != "tree" {
		atRecorded(ctx, r, c, s, head, headResults, o)
	}
	baseKnown := c.base != nil
	if err := c.remoteFailure(); err != nil {
		report.Notices = append(report.Notices, lostBase(err))
		baseKnown, baseResults = false, make([]*verify.Result, len(s.targets))
	}
	lines := changedLines{change: c}
	report.Evidence = make([]summary.Evidence, len(s.targets))
	for i, t := range s.targets {
		report.Evidence[i] = evidence(r, t, &headResults[i], baseResults[i], baseKnown)
		lines.note(report.Evidence[i].Fields)
	}
	histories := r.Histories(c.headCommit, repo.HistoryOptions{MaxCommits: o.HistoryCommits})
	explain(ctx, r, c, report, histories, o)
	if err := writeBundles(ctx, r, c, s, head, headResults, report, histories, o); err != nil {
		return nil, err
	}
	acceptDrift(c, s, report, o)
	for i := range report.Evidence {
		e := &report.Evidence[i]
		for k := range e.Fields {
			e.Fields[k].NextStep = nextStep(e, &e.Fields[k], report.Change.Base)
		}
	}
	Decide(report)
	return report, nil
}

func describe(c *change, o Options) summary.Change {
	d := summary.Change{
		Event: "local", Base: c.baseCommit.Hash, BaseNote: c.baseNote, Head: c.headCommit.Hash,
		WorkTree: o.Head == "", Dirty: len(c.dirty) > 0, Files: len(c.files),
	}
	if o.Event != nil {
		d.Event = o.Event.Name
	}
	return d
}

func (o Options) links(c *change) summary.Links {
	l := summary.Links{Server: o.Links.Server, Repository: o.Links.Repository, Run: o.Links.RunURL, RunID: o.Links.RunID}
	if l.Server != "" {
		l.HeadSHA = c.headCommit.Hash
		if o.Event != nil && o.Event.HeadSHA != "" {
			l.HeadSHA = o.Event.HeadSHA
		}
	}
	return l
}

// verifyBoth judges the targets in the head tree, and those that were there
// before the change in the base tree: the same code on both sides. A base
// result is nil when the evidence is new or the base is unknown.
func verifyBoth(ctx context.Context, c *change, s *scope, head *verify.Tree, o Options) (headResults []verify.Result, baseResults []*verify.Result) {
	var base *verify.Tree
	known := make(map[string]bool)
	if c.base != nil {
		base = head.Sibling(c.base)
		for _, name := range c.base.Files() {
			known[name] = true
		}
		if local, ok := c.base.(*repo.Tree); ok {
			for _, name := range local.Unusable() {
				known[name] = true
			}
		}
	}
	headResults = make([]verify.Result, len(s.targets))
	baseResults = make([]*verify.Result, len(s.targets))

	var items, baseItems []verify.Item
	var at, baseAt []int // index into targets
	for i, t := range s.targets {
		if t.removed != nil {
			headResults[i] = verify.Result{Path: t.path, Kind: t.format.Kind(), Checks: []verify.Check{*t.removed}}
			continue
		}
		before := t.oldPath
		if before == "" && (known[t.path] || known[t.raw]) {
			before = t.path
		}
		items = append(items, verify.Item{Path: t.path, Format: t.format, BasePath: before, Now: o.judgedAt(c, t.path)})
		at = append(at, i)
		if before != "" {
			baseItems = append(baseItems, verify.Item{Path: before, Format: t.format, Now: o.judgedAt(c, t.path)})
			baseAt = append(baseAt, i)
		}
	}
	en := verify.Engine{Strict: o.Strict, Base: base, Progress: func(done int) {
		o.Progress("checking evidence", done, len(items))
	}}
	for k, r := range en.Verify(ctx, head, items) {
		headResults[at[k]] = r
	}
	if base != nil {
		en := verify.Engine{Strict: o.Strict, NoHints: true, Progress: func(done int) {
			o.Progress("checking the base", done, len(baseItems))
		}}
		for k, r := range en.Verify(ctx, base, baseItems) {
			baseResults[baseAt[k]] = &r
		}
	}
	return headResults, baseResults
}

// judgedAt is the time against which the evidence at path is judged: the time
// of the commit that holds it, so that a commit's verdict never changes; the
// clock for what is not committed yet, or never will be because git ignores it. Of
// a link, it is the file that counts.
func (o Options) judgedAt(c *change, path string) time.Time {
	file, err := c.head.Target(path)
	if err != nil {
		file = path
	}
	if c.headCommit.Hash == "" || c.dirty[path] || c.dirty[file] || !c.head.Lists(file) {
		return o.Now()
	}
	return c.headCommit.When
}

// evidence assembles the report's account of one target.
func evidence(r *repo.Repository, t target, head, base *verify.Result, baseKnown bool) summary.Evidence {
	e := summary.Evidence{
		Path: t.path, OldPath: t.oldPath, Kind: t.format.Kind(), Title: t.format.Title(),
		SHA256: head.SHA256, Because: t.because, Removed: t.removed != nil,
		Unchecked: head.Unchecked, Inputs: head.Inputs, Recording: head.Recording,
		Fields: attribute(head, base, baseKnown),
	}
	addCommitFact(r, &e)
	return e
}

// addCommitFact says whether the recorded commit is in this repository. It is
// no part of verification, which is a function of files alone: the same
// evidence must get the same verdict in a shallow clone and in a bundle.
func addCommitFact(r *repo.Repository, e *summary.Evidence) {
	commit := e.Recording.Commit
	if commit == "" {
		return
	}
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Field != e.Recording.CommitField || f.Status == verify.Fail {
			continue
		}
		f.Observed = "in this repository"
		if !r.Has(commit) {
			f.Observed = "not in this repository"
			if n, shallow := r.Shallow(); shallow {
				f.Observed = fmt.Sprintf("not in this shallow clone (%d commits)", n)
			}
		}
	}
}

func interrupted(err error) error {
	return &Error{Exit: ExitInfra, Reason: ReasonInterrupted, Err: fmt.Errorf("interrupted: %w", err), NextStep: "run it again"}
}

func workers() int { return runtime.GOMAXPROCS(0) }
