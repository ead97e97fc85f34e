package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary/visible"
)

// reasonLive is the reason code of a recorded command that ran and failed.
const reasonLive = "E_REPLAY_LIVE_FAILED"

// liveRun is the recorded command as it was run once more.
type liveRun struct {
	Commit   string   `json:"commit"`
	Recorded []string `json:"recorded_argv"`
	Argv     []string `json:"argv"`
	Folder   string   `json:"folder"`
	Exit     int      `json:"exit"`
}

var commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// runLive checks the recorded commit out into a scratch work tree and runs the
// recorded command there. This is the one place that runs what a bundle names, and
// replayOptions.validate guards the way to it.
func (a *app) runLive(ctx context.Context, b *bundle.Archive, o replayOptions, r *replayReport) error {
	rec := r.Result.Recording
	if len(rec.Argv) == 0 {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Missing, Err: errors.New("the evidence records no command, so there is nothing to run"),
			NextStep: "replay it without --live"}
	}
	commit := rec.Commit
	if commit == "" {
		commit = b.Manifest.GitSHA
	}
	if !commitID.MatchString(commit) {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Missing, Err: errors.New("the evidence records no commit to check out"),
			NextStep: "replay it without --live"}
	}
	from := a.root
	if from == "" {
		from = "."
	}
	top, ok := repo.FindRoot(from)
	if !ok {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.NoRepo, Err: fmt.Errorf("%s is not in a git repository", from),
			NextStep: "run it inside the repository that holds commit " + commit + ", or name one with --root"}
	}
	if _, err := exec.LookPath("git"); err != nil {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Missing, Err: errors.New("--live needs git, which checks the recorded commit out, and it is not on the PATH"),
			NextStep: "install git, or replay it without --live"}
	}
	// The repository's hooks are not part of what was confirmed.
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", top, "-c", "core.hooksPath=" + os.DevNull}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	if err := git("cat-file", "-e", commit+"^{commit}"); err != nil {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Missing, Err: fmt.Errorf("commit %s is not in this repository", commit),
			NextStep: "fetch it, or name the repository that the run was made in with --root"}
	}
	dir, err := os.MkdirTemp("", "replay-gate-live-")
	if err != nil {
		return liveFailed(err)
	}
	tree := filepath.Join(dir, "tree")
	if err := git("worktree", "add", "--quiet", "--detach", tree, commit); err != nil {
		_ = os.RemoveAll(dir)
		return liveFailed(err)
	}
	run := &liveRun{Commit: commit, Recorded: rec.Argv, Argv: relocateArgv(rec.Argv, tree, o.program), Folder: tree}
	r.Live = run
	fmt.Fprintf(a.Err, "live: commit %s in %s\nlive: this is run now: %s\n", commit, tree, visible.Line(quoteAll(run.Argv)))
	run.Exit, err = a.execute(ctx, run)
	// The scratch tree goes even when the run was interrupted.
	ctx = context.WithoutCancel(ctx)
	if rm := git("worktree", "remove", "--force", tree); rm != nil {
		fmt.Fprintf(a.Err, "live: the scratch work tree is still there: %s\n", visible.Line(rm.Error()))
	} else {
		_ = os.Remove(dir)
	}
	switch {
	case err != nil:
		return liveFailed(err)
	case run.Exit != 0 && r.ExitCode == gate.ExitIntact:
		return &gate.Error{Exit: gate.ExitDrift, Reason: reasonLive, Err: fmt.Errorf("the recorded command ran and exited with %d", run.Exit),
			NextStep: "see its output above; the offline verdict is not affected"}
	}
	return nil
}

func liveFailed(err error) error {
	return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("live: %w", err),
		NextStep: "check that git and the recorded program are installed, or name the program behind --"}
}

// execute runs the command with the caller's environment. Its output is chatter:
// it goes to standard error.
func (a *app) execute(ctx context.Context, run *liveRun) (exit int, err error) {
	cmd := exec.CommandContext(ctx, run.Argv[0], run.Argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = run.Folder, a.Err, a.Err
	err = cmd.Run()
	var ee *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &ee) && ctx.Err() == nil:
		return ee.ExitCode(), nil
	}
	return -1, err
}

// relocateArgv turns a recorded command into one for this machine. Program is what
// stands behind "--" and replaces the recorded program; without it a program that
// is not where it was is looked up by its name. An absolute path that leads nowhere
// here is replaced by the file of the work tree that shares the end of it.
func relocateArgv(recorded []string, tree string, program []string) []string {
	first := recorded[0]
	if _, err := exec.LookPath(first); err != nil {
		first = path.Base(strings.ReplaceAll(first, `\`, "/"))
	}
	argv := []string{first}
	if len(program) > 0 {
		argv = append([]string{}, program...)
	}
	for _, arg := range recorded[1:] {
		argv = append(argv, relocateArg(arg, tree))
	}
	return argv
}

func relocateArg(arg, tree string) string {
	slashed := strings.ReplaceAll(arg, `\`, "/")
	rooted := strings.HasPrefix(slashed, "/") || len(slashed) > 2 && slashed[1:3] == ":/"
	if !rooted {
		return arg
	}
	if _, err := os.Stat(arg); err == nil {
		return arg
	}
	for rest := slashed; ; {
		_, tail, ok := strings.Cut(rest, "/")
		if !ok {
			return arg
		}
		if tail != "" && filepath.IsLocal(filepath.FromSlash(tail)) {
			if _, err := os.Stat(filepath.Join(tree, filepath.FromSlash(tail))); err == nil {
				return filepath.Join(tree, filepath.FromSlash(tail))
			}
		}
		rest = tail
	}
}

// quoteAll shows a command so that each argument's limits can be seen.
func quoteAll(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		words[i] = strconv.Quote(arg)
	}
	return strings.Join(words, " ")
}
