package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify <report.md|sidecar>...",
		Short: "Check reports against their inputs, like ahd verify-replay",
		Long: `Check each report's replay sidecar against the files it pins, and print the
reference verifier's report for it. An argument is a report, a report without
its ending, or a sidecar.

It works from any folder: the root is the nearest folder above the report that
is a git work tree, or whose package.json is named @adastracomputing/ahd.

Exit codes: 0 all intact; 1 drift; 2 a report that can't be checked; 3 disk.`,
		Example: `  replay-gate verify docs/evals/2026-04-22-swiss-n30.md
  replay-gate verify docs/evals/*.replay.json --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.verify(cmd.Context(), args) },
	}
}

// verify judges the arguments one by one, each in its own root.
func (a *app) verify(ctx context.Context, args []string) error {
	roots := make(map[string]*verify.Tree)
	report := &summary.Report{
		Schema: summary.Schema, Tool: tool(),
		Change: summary.Change{Event: "local", BaseNote: "verify compares with no base", WorkTree: true},
		Scope:  summary.Scope{Mode: "named", Total: len(args), Checked: len(args)},
		Policy: summary.Policy{FailOn: "any"},
	}
	// A mistake in the call is said before any report is.
	type place struct{ dir, sidecar string }
	places := make([]place, len(args))
	for i, arg := range args {
		var err error
		if places[i].dir, places[i].sidecar, err = a.locate(arg); err != nil {
			return err
		}
	}
	for i, p := range places {
		tree, ok := roots[p.dir]
		if !ok {
			root, err := os.OpenRoot(p.dir)
			if err != nil {
				return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonIO, Err: err, NextStep: "check that the folder can be read"}
			}
			defer root.Close()
			tree = verify.NewTree(root.FS())
			roots[p.dir] = tree
		}
		res := verify.Engine{Now: time.Now()}.Verify(ctx, tree, []verify.Item{{Path: p.sidecar, Format: ahd.Format{}}})[0]
		report.Evidence = append(report.Evidence, gate.Evidence(&res, ahd.Format{}.Title()))
		if a.json || a.quiet {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		if err := summary.WriteReference(a.Out, args[i], &res, a.terminal()); err != nil {
			return writing(err)
		}
	}
	gate.Decide(report)
	if a.json || a.quiet {
		return a.print(report)
	}
	a.code = report.ExitCode
	if report.ReasonCode != "" {
		a.explain(report.ReasonCode, report.NextStep)
	}
	return nil
}

// locate finds the sidecar that arg means, and the root it belongs to.
func (a *app) locate(arg string) (root, sidecar string, err error) {
	file := arg
	switch {
	case strings.HasSuffix(arg, ".replay.json"):
	case strings.HasSuffix(arg, ".md"):
		file = strings.TrimSuffix(arg, ".md") + ".replay.json"
	default:
		file = arg + ".replay.json"
	}
	if _, err := os.Stat(file); err != nil {
		return "", "", &gate.Error{Exit: gate.ExitUsage, Reason: gate.ReasonInvalidArgs,
			Err:      fmt.Errorf("%s: there is no replay sidecar %s", arg, file),
			NextStep: "name a report that has a <report>.replay.json beside it"}
	}
	return a.place(file)
}

// place finds the root that file belongs to, and the file's path there. The file
// need not exist, its folder must.
func (a *app) place(file string) (root, name string, err error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", "", usage("run it from a folder that exists", "%w", err)
	}
	// The folder is resolved and the file is not: a sidecar that is a link out of
	// the root has to be refused, not followed.
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", "", usage("check the path", "%w", err)
	}
	abs = filepath.Join(dir, filepath.Base(abs))
	root = a.root
	if root == "" {
		root = rootAbove(dir)
	} else if root, err = filepath.EvalSymlinks(root); err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return "", "", usage("give --root a folder that exists", "--root: %w", err)
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", "", usage("give a --root that holds the report", "%s is not below the root %s", file, root)
	}
	return root, filepath.ToSlash(rel), nil
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
