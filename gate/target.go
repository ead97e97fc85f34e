package gate

import (
	"context"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// target is where the report is shown.
func (x *run) target(bundles []string, history *verify.Timeline) publish.Target {
	t := x.Options.target()
	t.Bundles, t.History = bundles, history
	if !x.Dry {
		t.Root = x.repo.Root()
	}
	t.Committed, t.CheckFolder = x.committed, bundle.CheckFolder
	return t
}

func (o Options) target() publish.Target {
	return publish.Target{
		Dir: o.BundleDir, Write: bundle.WriteStream, Actions: o.Actions, Out: o.Out, GitHub: o.GitHub,
		Event: o.Event, Upgrades: o.Upgrades, Terminal: o.Terminal,
	}
}

// Fail shows a run in a workflow that could not be completed: in annotations, on the page,
// in the outputs.
func Fail(ctx context.Context, o Options, r *summary.Report) error {
	if full, err := o.withDefaults(); err == nil { // the options may be what failed
		o = full
	}
	return publish.Publish(ctx, o.target(), r)
}
