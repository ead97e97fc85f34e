package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

type backfillFlags struct {
	recordFlags
	commit, invokedAt string
}

func (a *app) backfillCommand() *cobra.Command {
	var b backfillFlags
	cmd := &cobra.Command{
		Use:   "backfill <report.md> --commit <revision> [flags]",
		Short: "Write a sidecar for an old report, from the inputs at its commit",
		Long: `Write a replay sidecar for a report that was published without one. The hashes are
those of the token and the brief at the report's commit. What was never stored is
recorded as lost: the command, the request ids, the machine, temperature and seed;
"backfilled" says so. An existing sidecar is never replaced.

An input that has changed since then is drift to verify, which looks at the files as
they are; "gate --at recorded" looks at those of the commit.

Exit codes: 0 written; 2 usage; 3 disk.`,
		Example: `  replay-gate backfill docs/evals/2026-03-01-swiss.md --commit 3f2a1bc --kind eval-live \
    --token tokens/swiss-editorial.yml --brief briefs/landing.md --n 10 --ahd-version 0.5.0`,
		Args: wants("name the old report: replay-gate backfill docs/evals/x.md --commit 3f2a1bc", "report.md"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backfill(cmd.Context(), b, args[0]) },
	}
	f := cmd.Flags()
	b.add(f)
	f.StringVar(&b.commit, "commit", "", "revision that the report belongs to")
	f.StringVar(&b.invokedAt, "invoked-at", "", "start of the run, if known, as 2026-04-22T23:52:25Z (default: the commit's time)")
	return cmd
}

func (a *app) backfill(ctx context.Context, b backfillFlags, report string) error {
	run, err := b.run()
	if err != nil {
		return err
	}
	if b.commit == "" {
		return usage("name the commit that the report belongs to with --commit", "an old report belongs to a commit")
	}
	if _, err := os.Stat(report); err != nil {
		return usage("name a report that exists", "%w", err)
	}
	n, err := a.place(named{}, ahd.SidecarFor(report))
	if err != nil {
		return err
	}
	dir, sidecar := n.root, n.path
	r, err := repo.Open(dir)
	if errors.Is(err, repo.ErrNotRepository) {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.NoRepo, Err: err, NextStep: "run it on a report in a git work tree"}
	}
	if err != nil {
		return disk(err)
	}
	defer r.Close()
	at, err := r.Resolve(b.commit)
	if errors.Is(err, repo.ErrNoRevision) {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.NoRevision, Err: fmt.Errorf("commit: %w", err),
			NextStep: "check the spelling, or fetch it: git fetch --unshallow"}
	}
	if err != nil {
		return disk(err)
	}
	files, err := r.CommitTree(at)
	if err != nil {
		return disk(err)
	}
	// The sidecar's root may be a package inside of the repository.
	inside, err := filepath.Rel(r.Root(), filepath.Join(dir, filepath.FromSlash(sidecar)))
	if err != nil {
		return disk(err)
	}
	if err := b.pin(&run, verify.NewTree(files), r.Root(), filepath.ToSlash(inside)); err != nil {
		return err
	}
	clean := false
	run.Commit, run.Dirty, run.Backfilled = &at.Hash, &clean, true
	run.NodeVersion, run.Platform = ahd.Unknown, ahd.Unknown
	if run.InvokedAt = ahd.Timestamp(at.When); b.invokedAt != "" {
		when, err := time.Parse(time.RFC3339, b.invokedAt)
		if err != nil {
			return usage("write it like 2026-04-22T23:52:25Z", "--invoked-at %q is no time", b.invokedAt)
		}
		run.InvokedAt = ahd.Timestamp(when)
	}
	if err := saveSidecar(dir, sidecar, run, true); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "wrote %s\n", visible.Line(sidecar))
	return a.reportIfJSON(ctx, dir, named{path: sidecar})
}
