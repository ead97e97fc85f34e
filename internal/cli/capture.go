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
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary/visible"
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
hashes of its inputs, and the commit, all as they were when it started. The report gets
the block that is derived from it.

The command is recorded word for word; pass secrets in the environment. Request ids
can't be seen from outside and are recorded as none; those that a sidecar has are
public once it is committed to a public repository. Nothing is written when the
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
	var more []lack
	if c.report == "" {
		more = append(more, lack{"--report", "FILE", "a run has a report, beside which the sidecar is written"})
	}
	if len(c.models) == 0 {
		more = append(more, lack{"--model", "ID=PROVIDER", "a run has at least one model"})
	}
	run, err := c.run(more...)
	if err != nil {
		return err
	}
	const exact = 1 << 53 // of the integers, JavaScript's numbers hold only these
	switch {
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
	n, err := a.place(named{}, ahd.SidecarFor(c.report))
	if err != nil {
		return err
	}
	dir, sidecar := n.root, n.path
	if err := pinWorkTree(&c, &run, dir, sidecar); err != nil {
		return err
	}
	if run.Commit, run.Dirty, err = gitState(dir); err != nil {
		return err
	}
	a.sayUncommitted(dir, c.token, c.brief)
	if run.NodeVersion = c.nodeVersion; run.NodeVersion == "" {
		run.NodeVersion = nodeVersion(ctx)
	}
	run.Platform, run.Argv = ahd.Platform(runtime.GOOS, runtime.GOARCH), argv
	if _, err := run.Sidecar(); err != nil { // before the run, which may be dear
		return usage("use words of UTF-8 text", "%w", err)
	}
	run.InvokedAt = ahd.Timestamp(a.Now)
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
	fmt.Fprintf(a.Err, "wrote %s\n", visible.Line(sidecar))
	a.addBlock(dir, sidecar)
	fmt.Fprintln(a.Err, "what you commit is public, and so is every request id that you add to it")
	return a.reportIfJSON(ctx, dir, named{path: sidecar})
}

// addBlock puts the derived block into the report. The sidecar stands whatever becomes of it.
func (a *app) addBlock(dir, sidecar string) {
	name := ahd.ReportPath(sidecar)
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		fmt.Fprintf(a.Err, "the command wrote no %s; the sidecar waits for it\n", visible.Line(name))
		return
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
		tree := verify.NewTree(root.FS())
		var data []byte
		if data, err = tree.ReadFile(sidecar, verify.MaxEvidence); err == nil {
			err = a.rewrite(root, tree, sidecar, data)
		}
	}
	if err != nil {
		fmt.Fprintf(a.Err, "the report has no block yet: %s; replay-gate render --write adds it\n", visible.Line(err.Error()))
	}
}

// sayUncommitted warns of inputs that no commit has: nobody else will be able to check them.
func (a *app) sayUncommitted(dir string, inputs ...string) {
	r, err := repo.Open(dir)
	if err != nil {
		return // without a repository there are no commits
	}
	defer r.Close()
	files, err := r.WorkTree()
	if err != nil {
		return
	}
	var committed *repo.Snapshot
	if head, err := r.Head(); err == nil {
		if committed, err = r.CommitTree(head); err != nil {
			return
		}
	}
	for _, arg := range inputs {
		name, err := below(dir, arg)
		if arg == "" || err != nil {
			continue
		}
		if committed != nil {
			now, err1 := files.ContentID(name)
			was, err2 := committed.ContentID(name)
			if err1 == nil && err2 == nil && now == was {
				continue
			}
		}
		fmt.Fprintf(a.Err, "not committed: %s; commit it with the report, as it is now\n", visible.Line(name))
	}
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
	if !changed {
		return &head.Hash, &changed, nil
	}
	committed, err := r.CommitTree(head)
	if err != nil {
		return nil, nil, disk(fmt.Errorf("reading HEAD: %w", err))
	}
	edits, err := r.Diff(committed, files)
	if err != nil {
		return nil, nil, disk(fmt.Errorf("comparing the work tree with HEAD: %w", err))
	}
	// What a gate has left in its own folder is no part of any run.
	changed = len(edits) == 0 || slices.ContainsFunc(edits, func(f repo.Change) bool { return f.Kind != repo.Added || !gate.OwnOutput(f.Path) })
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
		return &gate.Error{Exit: gate.ExitInfra, Reason: reason.Interruption, Err: errors.New("interrupted; no sidecar was written"), NextStep: "run it again"}
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
