package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [evidence|report.md|folder]...",
		Short: "Check evidence against its inputs, like ahd verify-replay",
		Long: `Check evidence of any kind against the files it pins, as they are now. An
argument is a piece of evidence, a report that has a replay sidecar, either without
its ending, or a folder; without arguments it is the whole repository.

It works from any folder: the root is the nearest folder above the evidence that
is a git work tree, or whose package.json is named @adastracomputing/ahd.

Exit codes: 0 all intact; 1 drift; 2 evidence that can't be checked; 3 disk.`,
		Example: `  replay-gate verify
  replay-gate verify docs/evals/2026-04-22-swiss-n30.md
  replay-gate verify docs/evals/*.replay.json --json`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.verify(cmd.Context(), args) },
	}
}

// verify judges the arguments, each in its own root.
func (a *app) verify(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{""}
	}
	// A mistake in the call is said before any report is.
	byRoot := make(map[string][]named)
	var roots []string
	for _, arg := range args {
		n, err := a.locate(arg)
		if err != nil {
			return err
		}
		if byRoot[n.root] == nil {
			roots = append(roots, n.root)
		}
		byRoot[n.root] = append(byRoot[n.root], n)
	}
	var all []judge.Account
	for _, root := range roots {
		o, err := a.judgeAt(ctx, root, byRoot[root])
		if err != nil {
			return err
		}
		err = a.showEvidence(o.evidence, byRoot[root], len(all))
		o.close()
		if err != nil {
			return err
		}
		all = append(all, o.evidence...)
	}
	if err := ctx.Err(); err != nil {
		return reason.Interrupted(err)
	}
	if len(all) == 0 {
		return usage("name a piece of evidence, or a folder that holds some", "there is no evidence here that a known kind takes for its own")
	}
	report := gate.Standalone(gate.Options{Version: tool().Version}, "any", "verify compares with no base", all)
	if a.json || a.quiet {
		return a.print(report)
	}
	a.code = report.ExitCode
	if report.ReasonCode != "" {
		a.explain(report.ReasonCode, report.NextStep)
	}
	return nil
}

// showEvidence prints what was found about each piece, in the reference verifier's form.
func (a *app) showEvidence(evidence []judge.Account, names []named, before int) error {
	if a.json || a.quiet {
		return nil
	}
	for i := range evidence {
		if before+i > 0 {
			fmt.Fprintln(a.Out)
		}
		e := &evidence[i]
		if err := summary.WriteReference(a.Out, shownAs(names, e.Path), e.Format.Title(), e.Head, a.terminal()); err != nil {
			return writing(err)
		}
	}
	return nil
}

// rootAbove is the nearest folder at or above dir that is a git work tree or the
// framework's own package (AHD replay, "What changes between runs"); dir itself
// when there is none.
func rootAbove(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if top, ok := repo.FindRoot(d); ok && top == d {
			return d
		}
		var pkg struct{ Name string }
		if data, err := os.ReadFile(filepath.Join(d, "package.json")); err == nil &&
			json.Unmarshal(data, &pkg) == nil && pkg.Name == ahd.PackageName {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}
