package gate

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/decide"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Run gates one change. The report says everything, including the exit code. An
// error is always an *[Error]: the run could not be completed.
func Run(ctx context.Context, o Options) (*summary.Report, error) {
	run, ctx, end, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := run.judge(ctx); err != nil {
		return nil, err
	}
	run.shown = run.named(scope(run.judged, run.Scope))
	if err := run.readSecrets(ctx); err != nil {
		return nil, err
	}
	run.explained = explain.Explain(ctx, run.source(), run.judged, run.shown)
	history := explain.Timeline(ctx, run.source(), run.judged, run.explained, run.shown)
	run.decided = decide.Decide(run.judged, run.policy(), run.acceptances())
	report := run.report()
	if err := run.scrub(ctx, report, history); err != nil {
		return nil, err
	}
	target, done, err := run.bundleAll(ctx, report, history)
	defer done()
	if err != nil {
		return nil, err
	}
	run.forget(len(report.Evidence))
	return report, publish.Publish(ctx, target, report)
}

// run is one run under way: what each stage learned, for the stages behind it.
type run struct {
	Options
	repo      *repo.Repository
	change    *change.Change
	head      *verify.Tree
	bases     []*verify.Tree
	histories *repo.Histories
	judged    *judge.Judgement
	shown     []bool
	placed    []judge.Kind // see kinds
	explained *explain.Explanation
	decided   *decide.Decision
	lines     lineFinder
	scrubber  *scrubber
	shards    sharded
}

// manyListed is from how many pieces of evidence on a report is so large that what was let go
// of is not left lying about until the collector comes by.
const manyListed = 1000

// forget lets go of what is in the report: rendering needs room of its own.
func (x *run) forget(listed int) {
	x.judged, x.shown, x.explained, x.decided, x.head, x.bases, x.scrubber = nil, nil, nil, nil, nil, nil, nil
	if listed >= manyListed {
		runtime.GC()
	}
}

// start opens a run, which the caller ends.
func (o Options) start(ctx context.Context) (*run, context.Context, func(), error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	r, err := open(o.Root)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	end := func() { r.Close(); cancel() }
	x, err := o.begin(ctx, r)
	if err != nil {
		end()
		return nil, nil, nil, err
	}
	return x, ctx, end, nil
}

// judge judges all evidence; where other machines have judged, on what they came to.
func (x *run) judge(ctx context.Context) error {
	listed := judge.List(x.question())
	known, err := x.gather(ctx, listed)
	if err != nil {
		return err
	}
	x.judged = listed.Judge(ctx, known)
	if err := ctx.Err(); err != nil {
		return reason.Interrupted(err)
	}
	return nil
}

func open(root string) (*repo.Repository, error) {
	r, err := repo.Open(root)
	if errors.Is(err, repo.ErrNotRepository) {
		return nil, reason.Usage(reason.NoRepo, "run it inside a git work tree, or name one with --root", "%w", err)
	} else if err != nil {
		return nil, reason.Infra(err)
	}
	return r, nil
}

// begin finds the change, and opens its trees for judging.
func (o Options) begin(ctx context.Context, r *repo.Repository) (*run, error) {
	noBase := ""
	if len(o.Evidence) > 0 && o.Base == "" && o.Event == nil {
		noBase = "evidence was named"
	}
	if o.Alone {
		noBase = "the state of the files was asked for"
	}
	c, err := change.Find(ctx, change.Options{
		Repo: r, Base: o.Base, Head: o.Head, Event: o.Event, AllowUntrustedTrigger: o.AllowUntrustedTrigger,
		NoBase: noBase, Fetch: o.fetcher(r), Formats: o.formats(), ConfigFrom: o.ConfigFrom, Own: o.ownOutput, Clock: o.Clock,
	})
	if err != nil {
		return nil, err
	}
	x := &run{Options: o, repo: r, change: c, histories: r.Histories(c.HeadCommit, repo.HistoryOptions{MaxCommits: o.HistoryCommits})}
	if slices.ContainsFunc(o.Evidence, func(path string) bool { return c.WorkTree && !c.Head.Lists(path) }) {
		c.Now = o.Clock // git ignores it, so no commit has its time
	}
	x.lines.change = c
	x.scrubber = newScrubber()
	x.head = verify.NewTree(aliased(c.Head, c.Settings.Moved))
	for _, b := range c.Bases {
		x.bases = append(x.bases, x.head.Sibling(aliased(b.Tree, c.Settings.Moved)))
	}
	return x, x.checkNamed()
}

// checkNamed refuses evidence that was named and is none.
func (x *run) checkNamed() error {
	kinds := x.kinds()
	for _, path := range x.Evidence {
		if !claimed(kinds, path) {
			return reason.Usage(reason.InvalidArgs, "name a file that the globs of a kind of evidence match, such as x.replay.json",
				"%s is no evidence of a known kind", path)
		}
		if !x.head.Exists(path) && !x.change.Head.Lists(path) {
			return reason.Usage(reason.InvalidArgs, "check the spelling; paths count from the root of the repository",
				"%s does not exist in the tree", path)
		}
	}
	return nil
}

// policy is what makes a finding fail the run.
func (x *run) policy() decide.Policy {
	p := decide.Policy{FailOn: x.FailOn, Kinds: x.change.Settings.FailOn}
	p.NoBase = x.change.BaseMeant && len(x.change.Bases) == 0
	if p.FailOn != "" {
		p.Kinds = nil
	} else {
		p.FailOn = "introduced"
	}
	return p
}

// acceptances are the drift that people live with. Entries expire by the clock.
func (x *run) acceptances() decide.Acceptances {
	a := decide.Acceptances{Touched: verify.PreExisting}
	if x.change.Accepted != nil {
		a.List = accepted.Parse(x.change.Accepted, x.Clock)
	}
	if x.change.AcceptedBefore != nil {
		a.Before = accepted.Parse(x.change.AcceptedBefore, x.Clock)
	}
	switch {
	case len(x.change.Bases) == 0:
		a.Touched = verify.Unknown
	case x.change.Bases[0].Differs(verify.Read{Op: verify.OpFile, Name: accepted.Path, Outcome: verify.Found}) != "":
		a.Touched = verify.Introduced
	}
	return a
}

// source is where explanations come from.
func (x *run) source() explain.Source {
	s := explain.Source{Repo: x.repo, Head: x.change.Head, Histories: x.histories, MaxTime: x.HistoryTime, Seen: x.seen, CommitURL: x.links().CommitURL}
	if x.Event == nil {
		s.Named = x.Options.Base
	}
	if len(x.change.Bases) > 0 {
		s.Base, s.Differs = x.change.Bases[0].Commit, x.change.Bases[0].Differs
	}
	return s
}

// seen learns the secrets of a version of an input before a difference quotes it.
func (x *run) seen(ctx context.Context, content []byte) { x.scrubber.learn(ctx, content) }
