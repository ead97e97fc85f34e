package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/explain/since"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/gate/shard"
	"github.com/replay-gate/replay-gate/summary"
)

func (a *app) gateCommand() *cobra.Command {
	var o gate.Options
	var files outFiles
	var share shard.Share
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Check the evidence that a change affects, and write a bundle per run",
		Long: `Check the evidence that a change affects, say which drift the change brought,
and write a replay bundle per run. This is what the action runs.

The change is what lies between the merge base of --base and the head; without
--base, that of the branch's upstream, or else of origin's HEAD. Evidence is affected
when the change touches it, its report, or an input that it pins.

Exit codes: 0 intact, or nothing that the policy fails on; 1 drift that the policy
fails on; 2 usage, configuration, or evidence that can't be checked; 3 network or
disk.`,
		Example: `  replay-gate gate --base origin/main
  replay-gate gate --base HEAD~1 --head HEAD --fail-on any
  replay-gate gate --scope all --bundle-for failed --json`,
		Args: noArgs("--base"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if actions, ok := github.Detect(a.Getenv); ok && share.Count == 0 {
				if err := share.Set(actions.Input("shard")); err != nil {
					return usage("see the inputs in the README", "input shard: %w", err)
				}
			}
			if share.Count > 0 {
				return a.gateShare(cmd, &o, share, files)
			}
			return a.gateAll(cmd, &o, files)
		},
	}
	gateFlags(cmd.Flags(), &o)
	cmd.Flags().Var(&share, "shard", "judge one shard of a plan, such as 2/4, and leave a part of the report and no verdict; see replay-gate plan")
	planned(cmd.Flags(), &o)
	files.add(cmd.Flags())
	return cmd
}

// gateAll gates to a verdict.
func (a *app) gateAll(cmd *cobra.Command, o *gate.Options, files outFiles) error {
	run := a.gateLocal
	if actions, ok := github.Detect(a.Getenv); ok {
		run = func(ctx context.Context, o *gate.Options) error {
			return a.gateInActions(ctx, actions, cmd.LocalFlags(), o)
		}
	}
	err := run(cmd.Context(), o)
	return errors.Join(err, a.writeFiles(files, o.BundleDir, err))
}

// gateFlags are the flags of gate, which are also the inputs of the action.
func gateFlags(f *pflag.FlagSet, o *gate.Options) {
	f.StringVar(&o.Base, "base", "", "revision to compare with; its merge base with the head counts (default: in Actions from the event, else the branch's upstream or origin's HEAD)")
	f.StringVar(&o.Head, "head", "", "revision to check (default: the work tree)")
	f.StringVar(&o.Scope, "scope", "affected", "evidence to check: affected, changed or all")
	f.StringVar(&o.FailOn, "fail-on", "", "drift that fails the run: introduced (default), any or never")
	f.Var((*globList)(&o.Sidecars), "sidecars", "globs of AHD sidecars, separated by commas or lines (default **/*.replay.json)")
	f.StringVar(&o.BundleDir, "bundle-dir", gate.DefaultBundleDir, "folder for bundles, inside the repository")
	f.StringVar(&o.BundleFor, "bundle-for", "all", "evidence to bundle: all, failed or none")
	f.Var((*globList)(&o.Cassettes), "cassettes", "globs of recorded provider responses that go into every bundle, scrubbed")
	f.BoolVar(&o.StrictFixtures, "strict-fixtures", false, "fail on stale agent-eval-kit fixtures")
	f.BoolVar(&o.Strict, "strict", false, "fail on unknown fields and warnings")
	f.StringVar(&o.At, "at", "current", "where inputs are checked: current (claims in the tree, records of the past not), tree, recorded (the commit that the evidence names) or either")
	f.IntVar(&o.HistoryCommits, "history-commits", repo.DefaultMaxCommits, "commits of a file's history to look through for what made it drift")
	f.DurationVar(&o.HistoryTime, "history-time", since.DefaultMaxTime, "time for all of that")
	f.DurationVar(&o.Timeout, "timeout", gate.DefaultTimeout, "time for the whole run")
	f.StringVar(&o.ConfigFrom, "config-from", "base", "whose .replay-gate.yml counts: base or head")
}

// globList is a flag of globs. A later use replaces what an earlier one set, as
// with any other flag.
type globList []string

func (g *globList) String() string { return strings.Join(*g, ",") }
func (g *globList) Type() string   { return "globs" }

func (g *globList) Set(s string) error {
	*g = nil
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' }) {
		if part = strings.TrimSpace(part); part != "" {
			*g = append(*g, part)
		}
	}
	return nil
}

// flagsFromInputs sets each flag that the command line left alone from the
// action's input of the same name.
func flagsFromInputs(f *pflag.FlagSet, actions *github.Actions) error {
	var first error
	f.VisitAll(func(flag *pflag.Flag) {
		value := actions.Input(flag.Name)
		if flag.Changed || value == "" || first != nil {
			return
		}
		if flag.Value.Type() == "bool" {
			on, err := boolInput(actions, flag.Name, false)
			if err != nil {
				first = err
				return
			}
			value = strconv.FormatBool(on)
		}
		if err := f.Set(flag.Name, value); err != nil {
			first = usage("see the inputs in the README", "input %s: %w", flag.Name, err)
		}
	})
	return first
}

// gateLocal gates, and prints the report.
func (a *app) gateLocal(ctx context.Context, o *gate.Options) error {
	report, err := a.run(ctx, o)
	if err != nil {
		return err
	}
	return a.print(report)
}

// run gates with progress on a terminal.
func (a *app) run(ctx context.Context, o *gate.Options) (*summary.Report, error) {
	defer a.prepare(o)()
	report, err := gate.Run(ctx, *o)
	if report != nil && report.Folder == "" {
		a.unsaved = report
	}
	return report, err
}

// prepare says where, when and by whom a run is made, and shows its progress until the
// function that it returns is called.
func (a *app) prepare(o *gate.Options) (end func()) {
	p := a.newProgress()
	if secret := a.Getenv("REPLAY_GATE_GOLDEN_SECRET"); secret != "" && o.GoldenSecret == nil {
		o.GoldenSecret = []byte(secret)
	}
	o.Root, o.Version, o.Progress, o.Clock = a.root, tool().Version, p.update, a.Now
	return p.clear
}

// gateInActions gates the event's change and shows the verdict where reviewers
// look: log, annotations, step summary, outputs.
func (a *app) gateInActions(ctx context.Context, actions *github.Actions, flags *pflag.FlagSet, o *gate.Options) error {
	o.Actions, o.Terminal, o.Out = actions, a.terminal(), a.Out
	if a.json {
		o.Out = a.Err
	}
	report, err := a.runForEvent(ctx, actions, flags, o)
	if report == nil {
		// The run could not be completed, and annotation, page and outputs say so.
		a.incomplete = asGateError(err)
		report = errorReport(a.incomplete)
		err = gate.Fail(ctx, *o, report)
	}
	if a.json {
		// What could not be published is part of it.
		err = errors.Join(err, summary.WriteJSON(a.Out, report))
		a.reported = true
	}
	a.code = report.ExitCode
	return err
}

func (a *app) runForEvent(ctx context.Context, actions *github.Actions, flags *pflag.FlagSet, o *gate.Options) (*summary.Report, error) {
	if err := a.forEvent(actions, flags, o, false); err != nil {
		return nil, err
	}
	return a.run(ctx, o)
}

// forEvent sets options from the action's inputs and from the event. keep says that what is
// fetched is left for the other machines of the plan.
func (a *app) forEvent(actions *github.Actions, flags *pflag.FlagSet, o *gate.Options, keep bool) error {
	// Where the failure of the rest is shown depends on these, so they come first.
	if err := upgradesFromInputs(&o.Upgrades, o, actions); err != nil {
		return err
	}
	if err := flagsFromInputs(flags, actions); err != nil {
		return err
	}
	event, err := actions.Event()
	if err != nil {
		e := &gate.Error{Exit: gate.ExitUsage, Reason: reason.Event, Err: err, NextStep: "run the action in a step of a workflow"}
		var unusable *github.EventError
		if errors.As(err, &unusable) {
			e.NextStep = unusable.NextStep
		}
		return e
	}
	o.Event, o.Links = &event, actions.Links()
	token := actions.Input("token")
	if token != "" && event.Repository != "" && actions.API() != "" {
		// Without a client the gate does without: the run says what is missing.
		o.GitHub, _ = github.NewClient(github.ClientOptions{API: actions.API(), Token: token, Repository: event.Repository})
	}
	if url := actions.RemoteURL(event.Repository); url != "" {
		remote := a.handOver(o, keep, github.Remote{URL: url, Token: token})
		o.Fetch = func(ctx context.Context, r *repo.Repository, commits ...string) error {
			return r.Fetch(ctx, remote, commits...)
		}
	}
	return nil
}
