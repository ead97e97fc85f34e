package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

func (a *app) renderCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "render <report.md|sidecar>",
		Short: "Print the block that a report derives from its sidecar",
		Long: `Print the replay block and the commands that a report derives from its sidecar.
With --write, put them into the report in place of those it has, and change
nothing else. A report without a block is left alone.

Exit codes: 0 printed, or the report is up to date; 2 a sidecar or report that
can't be rendered; 3 disk.`,
		Example: `  replay-gate render docs/evals/2026-04-22-swiss-n30.replay.json
  replay-gate render --write docs/evals/2026-04-22-swiss-n30.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.render(cmd.Context(), args[0], write) },
	}
	cmd.Flags().BoolVar(&write, "write", false, "update the block in the report instead of printing it")
	return cmd
}

func (a *app) render(ctx context.Context, arg string, write bool) error {
	dir, sidecar, err := a.locate(arg)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	tree := verify.NewTree(root.FS())
	data, err := tree.ReadFile(sidecar, verify.MaxEvidence)
	if err != nil {
		return usage("name a sidecar that can be read", "reading the sidecar: %w", err)
	}
	if write {
		if err := a.rewrite(root, tree, sidecar, data); err != nil {
			return err
		}
	} else if !a.json {
		block, err := ahd.RenderBlock(data)
		if err != nil {
			return notRendered(sidecar, err)
		}
		commands, err := ahd.RenderCommands(data)
		if err != nil {
			return notRendered(sidecar, err)
		}
		if _, err := fmt.Fprintf(a.Out, "%s\n%s", block, commands); err != nil {
			return writing(err)
		}
	}
	return a.reportIfJSON(ctx, dir, sidecar)
}

// rewrite puts the block into the report of sidecar.
func (a *app) rewrite(root *os.Root, tree *verify.Tree, sidecar string, data []byte) error {
	name := ahd.ReportPath(sidecar)
	report, err := tree.ReadFile(name, verify.MaxEvidence)
	if err != nil {
		return usage("write the report first, with a ```yaml ahd-replay block near its top", "reading the report: %w", err)
	}
	updated, err := ahd.ReplaceBlock(report, data)
	switch {
	case errors.Is(err, ahd.ErrNoBlock):
		return usage("paste what replay-gate render prints without --write below the report's heading; from then on --write keeps it up to date",
			"%s: %w", name, err)
	case errors.Is(err, ahd.ErrOpenBlock):
		return usage("close the block in the report with a line of ```", "%s: %w", name, err)
	case err != nil:
		return notRendered(sidecar, err)
	}
	if string(updated) == string(report) {
		fmt.Fprintf(a.Err, "%s is up to date\n", summary.TerminalText(name))
		return nil
	}
	if err := root.WriteFile(name, updated, 0o644); err != nil {
		return disk(fmt.Errorf("writing the report: %w", err))
	}
	fmt.Fprintf(a.Err, "updated %s\n", summary.TerminalText(name))
	return nil
}

func notRendered(sidecar string, err error) error {
	return &gate.Error{Exit: gate.ExitUsage, Reason: gate.ReasonUnchecked, Err: fmt.Errorf("%s: %w", sidecar, err),
		NextStep: "repair the sidecar; replay-gate verify shows each of its fields"}
}

func disk(err error) error {
	return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonIO, Err: err, NextStep: "check that the folder can be read and written"}
}

// reportIfJSON prints, with --json, the report on one sidecar. Whatever it finds,
// the command that was asked for has been done, so it fails nothing.
func (a *app) reportIfJSON(ctx context.Context, dir, sidecar string) error {
	if !a.json {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	res := verify.Engine{Now: time.Now()}.Verify(ctx, verify.NewTree(root.FS()), []verify.Item{{Path: sidecar, Format: ahd.Format{}}})[0]
	report := &summary.Report{
		Schema: summary.Schema, Tool: tool(),
		Change:   summary.Change{Event: "local", BaseNote: "one sidecar was named", WorkTree: true},
		Scope:    summary.Scope{Mode: "named", Total: 1, Checked: 1},
		Policy:   summary.Policy{FailOn: "never"},
		Evidence: []summary.Evidence{gate.Evidence(&res, ahd.Format{}.Title())},
	}
	gate.Decide(report)
	return a.print(report)
}
