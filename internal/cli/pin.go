package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/internal/pinning"
	"github.com/replay-gate/replay-gate/summary/visible"
)

type pinFlags struct {
	inputs, notes, from []string
	refresh, rerun      bool
}

func (a *app) pinCommand() *cobra.Command {
	var p pinFlags
	cmd := &cobra.Command{
		Use:   "pin <result>... [flags] [-- <command>...]",
		Short: "Pin results to the prompts and settings that they were made from",
		Long: `Write a pin beside a result: the hashes of the result and of what it was made from. When
one of them changes without a new run, the gate says so.

A pin is an in-toto statement, <result>.pin.json. With a command behind -- it is run
first, on this one's streams, and recorded word for word; pass secrets in the
environment. Nothing is written when the command fails or changes its own inputs.

An input is a path or a glob. Behind a # stand keys of a YAML, JSON or TOML file that are
pinned in place of all of it. What a note names only informs: a lockfile, or a fact such
as model=gpt-4.1.

Exit codes: 0 written; 2 usage, or the command failed (its own code is in the
message); 3 disk.`,
		Example: `  replay-gate pin evals/report.md --input 'evals/prompts/*.md' --input evals/config.yml#model -- make eval
  replay-gate pin evals/report.md --input 'evals/prompts/*.md' --note uv.lock
  replay-gate pin --refresh evals/report.md
  replay-gate pin evals/results.json --from promptfooconfig.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			switch {
			case len(args) == 0 || dash == 0:
				return usage("name it: replay-gate pin evals/report.md", "there is no result to pin")
			case dash == len(args):
				return usage("put the command behind --", "there is no command to run")
			case p.rerun && (!p.refresh || dash > 0):
				return usage("use --refresh --run, or give a command behind --", "--run runs the command that a pin records")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var argv []string
			if dash := cmd.ArgsLenAtDash(); dash > 0 {
				args, argv = args[:dash], args[dash:]
			}
			return a.pin(cmd.Context(), p, args, argv)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&p.inputs, "input", nil, "file or glob that the result was made from, with #key,key.sub for keys; repeatable")
	f.StringArrayVar(&p.notes, "note", nil, "file, or name=value, that only informs; repeatable")
	f.StringArrayVar(&p.from, "from", nil, "configuration that names the inputs: promptfooconfig.yaml, dvc.yaml:STAGE, Makefile:TARGET; repeatable")
	f.BoolVar(&p.refresh, "refresh", false, "pin anew what the pin that is there names")
	f.BoolVar(&p.rerun, "run", false, "with --refresh: run the command that the pin records")
	return cmd
}

func (a *app) pin(ctx context.Context, p pinFlags, results, argv []string) error {
	first, err := a.place(named{}, results[0])
	if err != nil {
		return err
	}
	dir, name := first.root, first.path
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return disk(err)
	}
	o := pinning.Options{
		Root: dir, Subjects: []string{name}, Refresh: p.refresh, Rerun: p.rerun, Command: argv, Tool: "replay-gate " + tool().Version,
		Exec: a.pinnedRun, Now: func() time.Time { return a.Now }, Secrets: assaySecrets, GitConfig: gitConfig(a.Getenv),
	}
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{results[1:], &o.Subjects}, {p.inputs, &o.Inputs}, {p.notes, &o.Notes}, {p.from, &o.From}} {
		for _, spec := range list.from {
			rel, err := pinning.Relative(dir, here, spec)
			if err != nil {
				return pinError(err)
			}
			*list.to = append(*list.to, rel)
		}
	}
	r, err := pinning.Make(ctx, o)
	if err != nil {
		return pinError(err)
	}
	a.pinSaid(r)
	return a.reportIfJSON(ctx, dir, named{path: r.Path})
}

// pinnedRun runs the command, and says so when it is one that a pin recorded.
func (a *app) pinnedRun(ctx context.Context, argv []string) error {
	fmt.Fprintf(a.Err, "running %s\n", visible.Line(strings.Join(argv, " ")))
	err := a.runCommand(ctx, argv)
	var e *gate.Error
	if errors.As(err, &e) { // of capture, which writes sidecars
		e.Err = errors.New(strings.ReplaceAll(e.Err.Error(), "no sidecar was written", "no pin was written"))
	}
	return err
}

// pinSaid tells what was pinned, and what was not.
func (a *app) pinSaid(r pinning.Result) {
	name := visible.Line(r.Path)
	if r.Same {
		fmt.Fprintf(a.Err, "%s says all this already\n", name)
		return
	}
	inputs := fmt.Sprintf("%d inputs", len(r.Pin.Inputs))
	if len(r.Pin.Inputs) == 1 {
		inputs = "1 input"
	}
	fmt.Fprintf(a.Err, "wrote %s, which pins %s\n", name, inputs)
	if r.RunLost {
		fmt.Fprintln(a.Err, "it recorded a run, and records none now, which the gate will ask about: --run runs the command again")
	}
	for _, what := range r.Pin.NotPinned {
		fmt.Fprintf(a.Err, "not pinned: %s\n", visible.Line(what))
	}
	for _, file := range r.Untouched {
		fmt.Fprintf(a.Err, "the command left %s as it was\n", visible.Line(file))
	}
	for _, file := range r.Ignored {
		fmt.Fprintf(a.Err, "git ignores %s: in a commit the pin will miss it\n", visible.Line(file))
	}
}

// pinError gives an error of pinning its exit code.
func pinError(err error) error {
	var e *pinning.Error
	switch {
	case !errors.As(err, &e):
		if errors.Is(err, context.Canceled) {
			return &gate.Error{Exit: gate.ExitInfra, Reason: reason.Interruption, Err: errors.New("interrupted; no pin was written"), NextStep: "run it again"}
		}
		return err
	case errors.Is(err, pinning.ErrDisk):
		return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: e.Err, NextStep: e.Next}
	case errors.Is(err, pinning.ErrChanged):
		return &gate.Error{Exit: gate.ExitUsage, Reason: reasonCommand, Err: e.Err, NextStep: e.Next}
	}
	return usage(e.Next, "%w", e.Err)
}

func assaySecrets(text []byte) []string {
	var rules []string
	for _, s := range bundle.AssaySecrets(text) {
		rules = append(rules, s.Rule)
	}
	return rules
}

// gitConfig is git's configuration of this user and machine (git-config, FILES;
// gitattributes). Git for Windows keeps the machine's beside the program.
func gitConfig(getenv func(string) string) repo.UserConfig {
	c := repo.UserConfig{Home: cmp.Or(getenv("HOME"), getenv("USERPROFILE"))}
	system := cmp.Or(getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig")
	if git, err := exec.LookPath("git"); err == nil && runtime.GOOS == "windows" && getenv("GIT_CONFIG_SYSTEM") == "" {
		system = filepath.Join(filepath.Dir(git), "..", "etc", "gitconfig")
	}
	if getenv("GIT_CONFIG_NOSYSTEM") == "" {
		c.Files = append(c.Files, system)
	}
	folder := getenv("XDG_CONFIG_HOME")
	if folder == "" && c.Home != "" {
		folder = filepath.Join(c.Home, ".config")
	}
	if folder != "" {
		c.Attributes = filepath.Join(folder, "git", "attributes")
	}
	switch own := getenv("GIT_CONFIG_GLOBAL"); {
	case own != "": // takes the place of both
		c.Files = append(c.Files, own)
	case c.Home != "":
		c.Files = append(c.Files, filepath.Join(folder, "git", "config"), filepath.Join(c.Home, ".gitconfig"))
	}
	return c
}
