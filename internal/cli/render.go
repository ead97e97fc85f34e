package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

func (a *app) renderCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "render <report.md|sidecar>",
		Short: "Print the block that a report derives from its sidecar",
		Long: `Print the replay block and the commands that a report derives from its sidecar.
With --write, put them into the report in place of those it has, or below its title
where it has none, and change nothing else.

Exit codes: 0 printed, or the report is up to date; 2 a sidecar or report that
can't be rendered; 3 disk.`,
		Example: `  replay-gate render docs/evals/2026-04-22-swiss-n30.replay.json
  replay-gate render --write docs/evals/2026-04-22-swiss-n30.md`,
		Args: wants("name a report, or its sidecar: replay-gate render docs/evals/x.md", "report.md"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.render(cmd.Context(), args[0], write) },
	}
	cmd.Flags().BoolVar(&write, "write", false, "put the block into the report instead of printing it")
	return cmd
}

func (a *app) render(ctx context.Context, arg string, write bool) error {
	n, err := a.locate(arg)
	if err != nil {
		return err
	}
	dir, sidecar := n.root, n.path
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
		text := fmt.Sprintf("%s\n%s", block, commands)
		gate.Veil(ctx, &text, data)
		if _, err := io.WriteString(a.Out, text); err != nil {
			return writing(err)
		}
	}
	return a.reportIfJSON(ctx, dir, named{path: sidecar})
}

// rewrite puts the block into the report of sidecar.
func (a *app) rewrite(root *os.Root, tree *verify.Tree, sidecar string, data []byte) error {
	name := ahd.ReportPath(sidecar)
	report, err := tree.ReadFile(name, verify.MaxEvidence)
	if err != nil {
		return usage("write the report first", "reading the report: %w", err)
	}
	updated, err := ahd.PutBlock(report, data)
	switch {
	case errors.Is(err, ahd.ErrOpenBlock):
		return usage("close the block in the report with a line of ```", "%s: %w", name, err)
	case err != nil:
		return notRendered(sidecar, err)
	}
	if string(updated) == string(report) {
		fmt.Fprintf(a.Err, "%s is up to date\n", visible.Line(name))
		return nil
	}
	if err := root.WriteFile(name, updated, 0o644); err != nil {
		return disk(fmt.Errorf("writing the report: %w", err))
	}
	fmt.Fprintf(a.Err, "updated %s\n", visible.Line(name))
	return nil
}

func notRendered(sidecar string, err error) error {
	return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Unchecked, Err: fmt.Errorf("%s: %w", sidecar, err),
		NextStep: "repair the sidecar; replay-gate verify shows each of its fields"}
}

func disk(err error) error {
	return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: err, NextStep: "check that the folder can be read and written"}
}

// reportIfJSON prints, with --json, the report on what the command was about. Whatever it
// finds, the command that was asked for has been done, so it fails nothing.
func (a *app) reportIfJSON(ctx context.Context, dir string, about named) error {
	if !a.json {
		return nil
	}
	o, err := a.judgeAt(ctx, dir, []named{about})
	if err != nil {
		return err
	}
	defer o.close()
	return a.print(gate.Standalone(gate.Options{Version: tool().Version}, "never", "it was asked for", o.evidence))
}
