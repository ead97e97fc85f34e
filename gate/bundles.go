package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// bundleAll makes the bundles, and says where everything goes. Where the disk is full or can't
// be written, the verdict stands and is shown, without bundles, and the run exits with 3. The
// folder is this run's until done is called.
func (x *run) bundleAll(ctx context.Context, report *summary.Report, history *verify.Timeline) (target publish.Target, done func(), err error) {
	done, err = x.lock(ctx)
	var names []string
	if err == nil {
		names, err = x.bundles(ctx, report)
	}
	target = x.target(names, history)
	if ctx.Err() != nil {
		return target, done, reason.Interrupted(ctx.Err())
	}
	if err == nil {
		return target, done, nil
	}
	e := reason.Infra(err)
	if e.Reason != reason.IO || errors.Is(err, bundle.ErrLink) {
		return target, done, e // a link in the way is somebody's doing, and nothing is said over it
	}
	for i := range report.Evidence {
		if b := report.Evidence[i].Bundle; b != nil && b.Path != "" {
			report.Evidence[i].Bundle = &summary.Bundle{RunID: b.RunID, Note: "no bundle: the folder of bundles could not be written"}
		}
	}
	target.Root = "" // the folder is left to what an earlier run wrote
	publish.Unwritten(report, "no-bundles", "No bundles", e)
	return target, done, nil
}

// bundles writes a replay bundle for every piece of evidence that is shown and that the
// options ask for, and notes them in the report. It returns their names. The verdict
// stands as it is: what can't be bundled is said.
func (x *run) bundles(ctx context.Context, report *summary.Report) ([]string, error) {
	if err := x.unchanged(); err != nil || x.BundleFor == "none" || x.Dry {
		return nil, err
	}
	root, err := os.OpenRoot(x.repo.Root())
	if err != nil {
		return nil, reason.Infra(err)
	}
	defer root.Close()
	orders := x.orders(report)
	err = x.stage(ctx, root, orders, report.Scope.Checked)
	if err == nil {
		err = x.unchanged()
	}
	if err == nil && ctx.Err() != nil {
		err = reason.Interrupted(ctx.Err())
	}
	if err := x.settle(root, orders, err); err != nil {
		return nil, err
	}
	var names []string
	for _, e := range report.Evidence {
		if e.Bundle != nil && e.Bundle.Path != "" {
			names = append(names, e.Bundle.Path)
		}
	}
	return names, nil
}

// unchanged ends a run during which a file was not always the same.
func (x *run) unchanged() error {
	if name := x.head.Changed(); name != "" {
		return asChanged(fmt.Errorf("%s: %w", name, bundle.ErrChanged))
	}
	return nil
}

// order is a bundle that is to be made.
type order struct {
	evidence *judge.Account
	id       string         // its run id
	entry    *summary.Entry // of the report
	staged   *bundle.Staged // nil until it is made, and where it can't be
}

// orders are the bundles to make, one for each run. Of evidence that gets none, the report
// says why.
func (x *run) orders(report *summary.Report) []order {
	at := make(map[string]*summary.Entry)
	for i := range report.Evidence {
		at[report.Evidence[i].Path] = &report.Evidence[i]
	}
	var orders []order
	runs := make(map[string]*judge.Account) // run id -> the evidence that is bundled under it
	for i := range x.judged.Evidence {
		j := &x.judged.Evidence[i]
		if !x.shown[i] || !x.wanted(j) {
			continue
		}
		e, id := at[j.Path], bundle.RunID(*j.Head)
		if j.OfNothing() {
			e.Bundle = &summary.Bundle{RunID: id, Note: "no bundle: there is no evidence to put into one"}
			continue
		}
		if first := runs[id]; first != nil && sameContent(first, j) {
			e.Bundle = &summary.Bundle{RunID: id, Note: "no bundle of its own: it is the same run as " + first.Path}
			continue
		} else if first != nil { // equal evidence about other files: two runs
			id += "-" + strings.TrimPrefix(bundle.Digest([]byte(j.Path)), "sha256:")[:6]
		}
		runs[id] = j
		orders = append(orders, order{evidence: j, id: id, entry: e})
	}
	return orders
}

// stage makes what was ordered, under temporary names, as much at once as there are
// processors. Its error ends the run.
func (x *run) stage(ctx context.Context, root *os.Root, orders []order, checked int) error {
	m, err := x.maker(ctx)
	if err != nil {
		return reason.Infra(err)
	}
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range orders {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return reason.Interrupted(err)
			}
			o := &orders[i]
			w, base, err := x.bundle(m, root, o.id, o.evidence)
			if why := (*noBundle)(nil); errors.As(err, &why) {
				o.entry.Bundle = &summary.Bundle{RunID: o.id, Note: "no bundle: " + why.Error()}
				return asChanged(err)
			} else if err != nil {
				return reason.Infra(fmt.Errorf("writing the bundle of %s: %w", o.evidence.Path, err))
			}
			o.staged = w
			o.entry.Bundle = &summary.Bundle{RunID: o.id, Path: w.Path, SHA256: w.SHA256, Size: w.Size, Base: base}
			x.Progress("writing bundles", int(done.Add(1)), checked)
			return nil
		})
	}
	return g.Wait()
}

// lock keeps other runs out of the folder of bundles until this one is done with it.
func (x *run) lock(ctx context.Context) (unlock func(), err error) {
	unlock = func() {}
	if x.Dry {
		return unlock, nil
	}
	root, err := os.OpenRoot(x.repo.Root())
	if err != nil {
		return unlock, reason.Infra(err)
	}
	defer root.Close()
	release, err := bundle.Lock(ctx, root, x.BundleDir)
	if err != nil {
		return unlock, reason.Infra(fmt.Errorf("opening the folder of bundles: %w", err))
	}
	return release, nil
}

// bundle stages the bundle of a piece of evidence: that of a shard which made the very same,
// or else its own. It returns the base that rows of it are held against. What can't be
// bundled is a *[noBundle].
func (x *run) bundle(m *maker, root *os.Root, id string, j *judge.Account) (*bundle.Staged, string, error) {
	v, err := m.verdict(j)
	if err != nil {
		return nil, "", &noBundle{err}
	}
	key := m.keyOf(j, v)
	if data, base, ok := x.take(j, key); ok {
		w, err := bundle.StageFile(root, path.Join(x.BundleDir, id+".tar.gz"), data)
		return w, base, err
	}
	b, err := m.build(j, v)
	if err != nil {
		return nil, "", &noBundle{err}
	}
	b.RunID = id
	w, err := b.Stage(root, x.BundleDir)
	x.shards.made.Store(j.Path, key)
	return w, b.BaseCommit(), err
}

// noBundle says why there is no bundle of evidence.
type noBundle struct{ error }

func (e *noBundle) Unwrap() error { return e.error }

// settle gives the bundles their names, once all of them are there: a run that ends in err
// leaves the folder as it was. The list of digests goes first where it would not hold any
// more, and comes last: a folder without it is one that no run has finished.
func (x *run) settle(root *os.Root, orders []order, err error) error {
	var staged []*bundle.Staged
	for _, o := range orders {
		if o.staged != nil {
			staged = append(staged, o.staged)
		}
	}
	if err == nil && slices.ContainsFunc(staged, (*bundle.Staged).Replaces) {
		sums := path.Join(x.BundleDir, publish.SumsFile)
		if info, gone := root.Lstat(sums); gone == nil && info.Mode().IsRegular() && !x.committed(sums) {
			err = root.Remove(sums)
		}
	}
	for _, s := range staged {
		if err == nil {
			err = s.Commit()
		} else {
			s.Discard()
		}
	}
	var known *Error
	if err != nil && !errors.As(err, &known) {
		return reason.Infra(fmt.Errorf("writing the bundles: %w", err))
	}
	return err
}

// committed reports whether a commit has a file, which is then nobody's leftover.
func (x *run) committed(path string) bool {
	if x.change.Committed != nil {
		return x.change.Committed.Lists(path)
	}
	return x.change.HeadCommit.Hash != "" && x.change.Head.Lists(path)
}

// wanted reports whether there is a verdict to bundle, and somebody asked for it.
func (x *run) wanted(j *judge.Account) bool {
	if j.Removed || j.Format.Kind() == bundle.Kind || j.Raw() != "" {
		return false
	}
	if j.Head.Count(verify.Info) == len(j.Head.Checks) {
		return false // only recognised as an input of some other
	}
	return x.BundleFor == "all" || slices.ContainsFunc(j.Rows, func(r judge.Row) bool { return r.Status == verify.Fail })
}

// sameContent reports whether two pieces of evidence of one run id are copies of one run:
// of equal bytes, about inputs of equal content, with one verdict.
func sameContent(a, b *judge.Account) bool {
	if is, was := verdictOf(a), verdictOf(b); is != was {
		return false
	}
	if a.Head.SHA256 == "" || a.Head.SHA256 != b.Head.SHA256 || len(a.Head.Inputs) != len(b.Head.Inputs) {
		return false
	}
	for i, in := range a.Head.Inputs {
		other := b.Head.Inputs[i]
		if in.Path == other.Path || in.Subject && in.Hash == "" {
			continue
		}
		one, err1 := a.Tree.Aside().ReadFile(in.Path, verify.MaxInput)
		two, err2 := b.Tree.Aside().ReadFile(other.Path, verify.MaxInput)
		if err1 != nil || err2 != nil || string(one) != string(two) {
			return false
		}
	}
	return true
}

// verdictOf is what of evidence does not hold, without where.
func verdictOf(e *judge.Account) string {
	r, _ := carried(e)
	var s strings.Builder
	for _, c := range r.Checks {
		if c.Status != verify.Fail {
			continue
		}
		fmt.Fprintf(&s, "%s\x00%s\x00%s\x00%s\n", c.Field, c.Status, c.Code, c.Observed)
	}
	return s.String()
}

// named narrows what is shown to the evidence that was named, where all was judged.
func (x *run) named(shown []bool) []bool {
	if x.Whole {
		for i := range shown {
			shown[i] = slices.Contains(x.Evidence, x.judged.Evidence[i].Path)
		}
	}
	return shown
}

// asChanged ends the run when a file changed while it was judged: no verdict is one on
// both of its contents. Any other reason for no bundle is said, and the verdict stands.
func asChanged(err error) error {
	if errors.Is(err, bundle.ErrChanged) {
		return &Error{Exit: ExitInfra, Reason: reason.Changed, Err: err, NextStep: "run it again when nothing writes to the work tree"}
	}
	return nil
}
