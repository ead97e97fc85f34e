// Package cli is the command line: flags in, calls out. Each command lives in a
// file of its own; none of them decides anything.
//
//	code := cli.Main(ctx, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}, os.Args[1:])
//	os.Exit(code)
//
// Rules of the house, for every command: results go to standard output and
// chatter to standard error. A message starts with "replay-gate:", has no
// capital and no full stop, and every failure is followed by a reason code and
// one next step. With --json, standard output holds one report whatever happens.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/summary/visible"
)

// Streams are the command's connections to the world.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	// Now is the time: the clock is read once, by who starts the program.
	Now time.Time
}

// app is one run of the command line.
type app struct {
	Streams
	root    string
	json    bool
	color   string
	quiet   bool
	verbose bool
	// incomplete says why a run in Actions ended before it could judge.
	incomplete *gate.Error
	// unsaved is the report of a run that could not be left beside the bundles.
	unsaved *summary.Report
	// reported: standard output holds the report already.
	reported bool
	// code is what a command that ran to its end exits with.
	code int
}

// Main runs the command line and returns the exit code (see gate.ExitIntact and
// its siblings).
func Main(ctx context.Context, s Streams, args []string) int {
	a := &app{Streams: s}
	out := &sticky{Writer: s.Out}
	root := a.command()
	root.SetOut(out)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if out.err != nil {
		err = writing(out.err)
	}
	if err != nil {
		// A flag that could not be parsed may have kept --json from being seen.
		a.json = a.json || slices.Contains(args, "--json")
		if e := (*gate.Error)(nil); !errors.As(err, &e) {
			// What is left comes from the argument parser.
			err = usage("see "+cmd.CommandPath()+" --help", "%w", err)
		}
		return a.fail(err)
	}
	return a.code
}

// sticky remembers that writing failed: who prints help, a version or a completion does
// not say so.
type sticky struct {
	io.Writer
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.err = cmp.Or(s.err, err)
	return n, err
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "replay-gate",
		Short: "Check recorded eval evidence against the repository it belongs to",
		Long: `Replay Gate finds the eval evidence that a change affects, checks it field by
field against the files it pins by hash, and says which drift the change brought.`,
		Example: `  replay-gate gate --base origin/main
  replay-gate verify docs/evals/2026-04-22-swiss-n30.md
  replay-gate bundle check .assay/bundles/*.tar.gz
  replay-gate demo`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Cobra's own flag prints through a template, and templates make the linker keep
			// every exported method of every package: seven megabytes (TestSize).
			if asked, err := cmd.Flags().GetBool("version"); err != nil || !asked {
				return cmd.Help()
			}
			_, err := fmt.Fprintln(a.Out, versionLine())
			return writing(err)
		},
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
				return usage("use --color auto, always or never", "color %q is not known", a.color)
			}
			return nil
		},
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError)
	root.Flags().Bool("version", false, "print version, commit, and Go release")
	f := root.PersistentFlags()
	f.StringVar(&a.root, "root", "", "root folder of the repository (default: found from the current folder)")
	f.BoolVar(&a.json, "json", false, "print the report as JSON, also when something went wrong")
	f.StringVar(&a.color, "color", "auto", "colour the output: auto, always or never")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print the verdict only")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "print every field, also those that hold")
	root.AddCommand(a.timelineCommand())
	root.AddCommand(a.gateCommand(), a.verifyCommand(), a.bundleCommand(), a.replayCommand(), a.demoCommand(), a.versionCommand())
	root.AddCommand(a.renderCommand(), a.captureCommand(), a.backfillCommand(), a.acceptCommand(), a.pinCommand(), a.manualCommand(), a.explainCommand(), a.mvCommand())
	root.AddCommand(a.statusCommand(), a.initCommand(), a.planCommand(), a.mergeCommand())
	return root
}

// usage is a mistake in the call.
func usage(next, format string, args ...any) error {
	return &gate.Error{Exit: gate.ExitUsage, Reason: reason.InvalidArgs, NextStep: next, Err: fmt.Errorf(format, args...)}
}

// fail reports an error and returns its exit code.
func (a *app) fail(err error) int {
	e := *asGateError(err)
	e.Err = errors.New(veiled(e.Error()))
	e.NextStep = veiled(e.NextStep)
	if a.json && !a.reported {
		// Nothing can be done about a failure to print a failure.
		_ = summary.WriteJSON(a.Out, errorReport(&e))
	}
	fmt.Fprintf(a.Err, "replay-gate: %s\n", visible.Line(e.Error()))
	a.explain(e.Reason, e.NextStep)
	return e.Exit
}

// explain says why the exit code is not 0, and the one next step.
func (a *app) explain(reason, next string) {
	fmt.Fprintf(a.Err, "reason: %s\nnext:   %s\n", reason, visible.Line(next))
}

func asGateError(err error) *gate.Error {
	var e *gate.Error
	if errors.As(err, &e) {
		return e
	}
	return &gate.Error{Exit: gate.ExitUsage, Reason: reason.InvalidArgs, Err: err, NextStep: "see replay-gate --help"}
}

// errorReport is the report of a run that could not be completed.
func errorReport(e *gate.Error) *summary.Report {
	return &summary.Report{
		Schema: summary.Schema, Tool: tool(), Verdict: summary.Unchecked,
		ExitCode: e.Exit, ReasonCode: e.Reason, Message: e.Error(), NextStep: e.NextStep,
		Evidence: []summary.Entry{},
	}
}

// terminal says how to print for people.
func (a *app) terminal() summary.Terminal {
	t := summary.Terminal{Verbose: a.verbose, Quiet: a.quiet}
	f, tty := a.Out.(*os.File)
	tty = tty && term.IsTerminal(int(f.Fd()))
	if tty {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.Width = w
		}
	}
	switch a.color {
	case "always":
		t.Color = true
	case "auto":
		t.Color = a.autoColor(tty)
	}
	return t
}

// autoColor follows FORCE_COLOR, then NO_COLOR, then the terminal.
func (a *app) autoColor(tty bool) bool {
	switch force := a.Getenv("FORCE_COLOR"); {
	case force == "0" || force == "false":
		return false
	case force != "":
		return true
	}
	return tty && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
}

// print writes a finished report to standard output and takes over its exit
// code.
func (a *app) print(r *summary.Report) error {
	a.code = r.ExitCode
	var err error
	if a.json {
		err = summary.WriteJSON(a.Out, r)
	} else {
		err = summary.WriteTerminal(a.Out, r, a.terminal())
	}
	return writing(err)
}

// writing makes a failed write an infrastructure error.
func writing(err error) error {
	if err == nil {
		return nil
	}
	return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("writing the result: %w", err),
		NextStep: "check where standard output goes"}
}
