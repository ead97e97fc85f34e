package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

func (a *app) bundleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Make, check, and look into replay bundles",
		Args:  unknownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.bundleCreateCommand(), a.bundleCheckCommand(), a.bundleListCommand(), a.bundleCatCommand(), a.bundleDiffCommand())
	return cmd
}

func (a *app) bundleCreateCommand() *cobra.Command {
	var o gate.Options
	cmd := &cobra.Command{
		Use:   "create <sidecar>...",
		Short: "Write a replay bundle for each sidecar, whatever changed",
		Long: `Check each sidecar (a path from the root of the repository) and write its replay
bundle. The same commit and evidence give the same bytes on any machine. All evidence
is judged, as by a gate: whether a report is the newest word on something depends on the
others. With --base, rows that are held against the base are in it, too.

Exit codes: 0 all bundles were written, also when they record drift; 2 usage; 3
disk.`,
		Example: `  replay-gate bundle create docs/evals/2026-04-22-swiss-n30.replay.json
  replay-gate bundle create --head v1.2.0 docs/evals/2026-04-22-swiss-n30.replay.json
  replay-gate bundle create --base origin/main docs/evals/2026-04-22-swiss-n30.replay.json`,
		Args: wants("name the evidence to bundle: replay-gate bundle create docs/evals/x.replay.json", "sidecar..."),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, paths, err := a.evidenceBelow(cmd.Context(), args)
			if err != nil {
				return err
			}
			a.root = root
			o.Evidence, o.Whole, o.FailOn, o.BundleFor = paths, true, "never", "all"
			report, err := a.run(cmd.Context(), &o)
			if err != nil {
				return err
			}
			if a.unsaved != nil && !a.json { // there is no verdict to show here
				return &gate.Error{Exit: report.ExitCode, Reason: report.ReasonCode, NextStep: report.NextStep, Err: errors.New(report.Message)}
			}
			missing := withoutBundle(report, paths)
			if a.json {
				if missing != nil && a.unsaved == nil {
					report.Verdict, report.ExitCode, report.ReasonCode = summary.Unchecked, missing.Exit, missing.Reason
					report.Message, report.NextStep = missing.Error(), missing.NextStep
				}
				return a.print(report)
			}
			for _, e := range report.Evidence {
				if e.Bundle == nil || e.Bundle.Path == "" {
					continue
				}
				if _, err := fmt.Fprintf(a.Out, "%s  %s\n", e.Bundle.SHA256, e.Bundle.Path); err != nil {
					return writing(err)
				}
			}
			if missing != nil {
				return missing
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Base, "base", "", "revision to hold the evidence against, as the gate that is to be repeated did")
	cmd.Flags().StringVar(&o.Head, "head", "", "revision to take the files from (default: the work tree)")
	cmd.Flags().StringVar(&o.BundleDir, "bundle-dir", gate.DefaultBundleDir, "folder for bundles, inside the repository")
	return cmd
}

// withoutBundle says which of the named evidence no bundle holds, and why; it is nil
// when there is none. A copy is in the bundle of what it is a copy of.
func withoutBundle(r *summary.Report, named []string) *gate.Error {
	written := make(map[string]bool)
	for _, e := range r.Evidence {
		if e.Bundle != nil && e.Bundle.Path != "" {
			written[e.Bundle.RunID] = true
		}
	}
	var notes []string
	for _, path := range named {
		if !slices.ContainsFunc(r.Evidence, func(e summary.Entry) bool { return e.Path == path }) {
			notes = append(notes, path+": no bundle: nothing marks it as evidence")
		}
	}
	for _, e := range r.Evidence {
		switch {
		case !slices.Contains(named, e.Path):
		case e.Bundle != nil && written[e.Bundle.RunID]:
		case e.Bundle != nil:
			notes = append(notes, e.Path+": "+e.Bundle.Note)
		case e.Kind == bundle.Kind:
			notes = append(notes, e.Path+": no bundle: it is one")
		default:
			notes = append(notes, e.Path+": no bundle: nothing in it is judged")
		}
	}
	if len(notes) == 0 {
		return nil
	}
	return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Unchecked, Err: errors.New(strings.Join(notes, "; ")),
		NextStep: "mend what the reason names; replay-gate gate --scope all shows every check"}
}

func (a *app) bundleCheckCommand() *cobra.Command {
	var rev string
	cmd := &cobra.Command{
		Use:   "check <bundle.tar.gz>...",
		Short: "Check a replay bundle field by field",
		Long: `Read each bundle under strict limits and check every rule of Replay Bundle v1:
archive, manifest, and each digest. "-" reads standard input.

With --rebuild, each bundle is also made again from that commit of the repository,
and must come out the same, byte for byte: so a downloaded bundle is proved to be
what the commit gives.

Exit codes: 0 all rules hold; 1 a digest or rule does not hold; 2 not a readable
bundle; 3 disk.`,
		Example: `  replay-gate bundle check .assay/bundles/2026-04-22-swiss-n30-5bbb04b2bc60.tar.gz
  gh run download 42 --name bundles && replay-gate bundle check *.tar.gz
  replay-gate bundle check --rebuild v1.2.0 swiss.tar.gz`,
		Args: wants("name a bundle, or - for standard input: replay-gate bundle check .assay/bundles/*.tar.gz", "bundle.tar.gz..."),
		RunE: func(cmd *cobra.Command, args []string) error { return a.bundleCheck(cmd.Context(), args, rev) },
	}
	cmd.Flags().StringVar(&rev, "rebuild", "", "also make each bundle again from this revision and compare")
	return cmd
}

func (a *app) bundleCheck(ctx context.Context, args []string, rev string) error {
	var checked []judge.Account
	advised := false // a rule that does not hold has advice of its own
	for _, arg := range args {
		in, name := io.NopCloser(a.In), "standard input"
		if arg != "-" {
			f, err := os.Open(arg)
			if err != nil {
				return usage("name a bundle file, or - for standard input", "%w", err)
			}
			if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
				f.Close()
				return usage("name a bundle file, or - for standard input", "%s is not a regular file", arg)
			}
			in, name = f, filepath.ToSlash(arg)
		}
		var res verify.Result
		var err error
		if rev == "" {
			res = bundle.Check(in, name, bundle.DefaultLimits())
		} else {
			res, err = a.checkRebuilt(ctx, in, name, rev)
		}
		in.Close()
		if err != nil {
			return err
		}
		checked = append(checked, judge.Account{Path: res.Path, Format: bundle.Format{}, Head: &res})
		advised = advised || slices.ContainsFunc(res.Checks, func(c verify.Check) bool { return c.Status == verify.Fail && c.Hint != "" })
	}
	report := gate.Standalone(gate.Options{Version: tool().Version}, "any", "a bundle is checked by itself", checked)
	if report.ExitCode != gate.ExitIntact && !advised {
		report.NextStep = "don't use it: get it again from where it was made"
	}
	return a.print(report)
}
