package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// reasonCommand is the reason code of a command that could not be recorded because
// it failed.
const reasonCommand = "E_COMMAND_FAILED"

type captureFlags struct {
	recordFlags
	report, nodeVersion string
	temperature         float64
	seed                int64
}

func (a *app) captureCommand() *cobra.Command {
	var c captureFlags
	cmd := &cobra.Command{
		Use:   "capture --report <report.md> [flags] -- <command>...",
		Short: "Run a command and write the replay sidecar of its run",
		Long: `Run a command with the environment, standard input and output of this one, and
write a replay sidecar (AHD, schema version 1) beside its report: the command, the
hashes of its inputs, and the commit, all as they were when it started.

The command is recorded word for word; pass secrets in the environment. Request ids
can't be seen from outside and are recorded as none. Nothing is written when the
command fails or changes its own inputs.

Exit codes: 0 written; 2 usage, or the command failed (its own code is in the
message); 3 disk.`,
		Example: `  replay-gate capture --kind eval-live --token tokens/swiss-editorial.yml \
    --brief briefs/landing.md --model cf:@cf/google/gemma-4-26b-a4b-it=cloudflare-workers-ai \
    --n 30 --conditions raw,compiled --report docs/evals/swiss.md -- \
    ahd eval-live swiss-editorial --brief briefs/landing.md --n 30 --report docs/evals/swiss.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 0 || len(args) == 0 {
				return usage("put the command behind --", "there is no command to run")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f := cmd.Flags()
			return a.capture(cmd.Context(), c, f.Changed("temperature"), f.Changed("seed"), args)
		},
	}
	f := cmd.Flags()
	c.add(f)
	f.StringVar(&c.report, "report", "", "report that the sidecar belongs to")
	f.Float64Var(&c.temperature, "temperature", 0, "temperature that was set (default: none)")
	f.Int64Var(&c.seed, "seed", 0, "global seed that was set (default: none)")
	f.StringVar(&c.nodeVersion, "node-version", "", `version of Node (default: what node --version says, or "none")`)
	return cmd
}

func (a *app) capture(ctx context.Context, c captureFlags, hasTemperature, hasSeed bool, argv []string) error {
	run, err := c.run()
	if err != nil {
		return err
	}
	const exact = 1 << 53 // of the integers, JavaScript's numbers hold only these
	switch {
	case c.report == "":
		return usage("name it with --report; the sidecar is written beside it", "a run has a report")
	case len(run.Models) == 0:
		return usage("name each with --model id=provider", "a run has at least one model")
	case math.IsNaN(c.temperature) || math.IsInf(c.temperature, 0):
		return usage("give a number", "--temperature %v can't be recorded", c.temperature)
	case c.seed > exact || c.seed < -exact:
		return usage("use a smaller one", "--seed %d is not exact as a number of JSON", c.seed)
	}
	if hasTemperature {
		run.Sampling.Temperature = &c.temperature
	}
	if hasSeed {
		run.Sampling.Seed = &c.seed
	}
	dir, sidecar, err := a.place(ahd.SidecarFor(c.report))
	if err != nil {
		return err
	}
	if err := pinWorkTree(&c, &run, dir, sidecar); err != nil {
		return err
	}
	if run.Commit, run.Dirty, err = gitState(dir); err != nil {
		return err
	}
	if run.NodeVersion = c.nodeVersion; run.NodeVersion == "" {
		run.NodeVersion = nodeVersion(ctx)
	}
	run.Platform, run.Argv = ahd.Platform(runtime.GOOS, runtime.GOARCH), argv
	if _, err := run.Sidecar(); err != nil { // before the run, which may be dear
		return usage("use words of UTF-8 text", "%w", err)
	}
	run.InvokedAt = ahd.Timestamp(time.Now())
	if err := a.runCommand(ctx, argv); err != nil {
		return err
	}
	after := run
	if err := pinWorkTree(&c, &after, dir, sidecar); err != nil || !reflect.DeepEqual(after, run) {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reasonCommand,
			Err:      fmt.Errorf("an input changed while the command ran, so that nobody knows what the run consumed; no sidecar was written"),
			NextStep: "run it again while nothing edits " + c.token + " or the brief"}
	}
	if err := saveSidecar(dir, sidecar, run, false); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "wrote %s\n", summary.TerminalText(sidecar))
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(ahd.ReportPath(sidecar)))); err != nil {
		fmt.Fprintf(a.Err, "the command wrote no %s; the sidecar waits for it\n", summary.TerminalText(ahd.ReportPath(sidecar)))
	}
	return a.reportIfJSON(ctx, dir, sidecar)
}

// pinWorkTree pins the inputs as they are on disk now.
func pinWorkTree(c *captureFlags, run *ahd.Run, dir, sidecar string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	return c.pin(run, verify.NewTree(root.FS()), dir, sidecar)
}

// gitState is the commit that is checked out around dir, and whether the files
// differ from it; nil without a repository or a commit (AHD replay, Fields).
func gitState(dir string) (commit *string, dirty *bool, err error) {
	r, err := repo.Open(dir)
	if errors.Is(err, repo.ErrNotRepository) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, disk(err)
	}
	defer r.Close()
	head, err := r.Head()
	if errors.Is(err, repo.ErrNoCommits) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, disk(fmt.Errorf("reading HEAD: %w", err))
	}
	files, err := r.WorkTree()
	if err != nil {
		return nil, nil, disk(fmt.Errorf("reading the work tree: %w", err))
	}
	changed := !files.Clean()
	return &head.Hash, &changed, nil
}

// nodeVersion asks the Node on the PATH, which the command would find too.
func nodeVersion(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	version := strings.TrimSpace(string(out))
	if err != nil || version == "" || strings.ContainsAny(version, "\r\n") {
		return "none"
	}
	return version
}

// runCommand runs the command on this process's streams. With --json its standard
// output goes to standard error, because standard output holds one report.
func (a *app) runCommand(ctx context.Context, argv []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Out, a.Err
	if a.json {
		cmd.Stdout = a.Err
	}
	// An interrupted command gets to end itself.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonInterrupted, Err: errors.New("interrupted; no sidecar was written"), NextStep: "run it again"}
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return &gate.Error{Exit: gate.ExitUsage, Reason: reasonCommand,
			Err:      fmt.Errorf("the command failed (%s); no sidecar was written", exit.ProcessState),
			NextStep: "see what the command printed, and run it again"}
	case err != nil:
		return &gate.Error{Exit: gate.ExitUsage, Reason: reasonCommand,
			Err:      fmt.Errorf("the command could not be run: %w; no sidecar was written", err),
			NextStep: "check the spelling of the command behind --"}
	}
	return nil
}
