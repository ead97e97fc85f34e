package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/accepted"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// acceptDays is how long an entry is in force unless the call says otherwise.
const acceptDays = 90

type acceptFlags struct{ reason, until, by string }

func (a *app) acceptCommand() *cobra.Command {
	var f acceptFlags
	cmd := &cobra.Command{
		Use:   "accept <report.md|evidence> <field>",
		Short: "Accept a drift that was looked at, for a while",
		Long: fmt.Sprintf(`Add an entry to %s that accepts the present value of one
failing field. Commit the file and have it reviewed like code. Other values of the
field, and other fields, still fail.

Exit codes: 0 the entry was written; 2 usage, or the field does not fail; 3 disk.`, accepted.Path),
		Example: `  replay-gate accept docs/evals/2026-04-22-swiss-n30.md token.hash \
    --reason 'the accent moved; the next run is in October' --until 2026-10-31 --by Ada`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.accept(cmd.Context(), f, args[0], args[1]) },
	}
	cmd.Flags().StringVar(&f.reason, "reason", "", "why the drift is accepted")
	cmd.Flags().StringVar(&f.until, "until", "", fmt.Sprintf("last day of the entry, at most %d days away (default: in %d days)", accepted.MaxDays, acceptDays))
	cmd.Flags().StringVar(&f.by, "by", "", "who accepts it (default: GIT_AUTHOR_NAME)")
	return cmd
}

func (a *app) accept(ctx context.Context, f acceptFlags, arg, field string) error {
	now := time.Now().UTC()
	until := now.Truncate(24*time.Hour).AddDate(0, 0, acceptDays)
	if f.by == "" {
		f.by = a.Getenv("GIT_AUTHOR_NAME")
	}
	switch {
	case strings.TrimSpace(f.reason) == "":
		return usage("say why with --reason", "drift is accepted for a reason")
	case strings.TrimSpace(f.by) == "":
		return usage("say who you are with --by", "drift is accepted by somebody")
	case f.until != "":
		var err error
		if until, err = time.Parse(time.DateOnly, f.until); err != nil {
			return usage("write it like 2026-10-31", "--until %q is no date", f.until)
		}
		if until.AddDate(0, 0, 1).Before(now) {
			return usage("name a day to come", "--until %s is over", f.until)
		}
		if last := now.AddDate(0, 0, accepted.MaxDays); until.After(last) {
			return usage("name a day up to "+last.Format(time.DateOnly), "--until %s is more than %d days away", f.until, accepted.MaxDays)
		}
	}
	dir, evidence, err := a.evidenceIn(arg)
	if err != nil {
		return err
	}
	a.root = dir
	o := gate.Options{Evidence: []string{evidence}, FailOn: "never", BundleFor: "none"}
	report, err := a.run(ctx, &o)
	if err != nil {
		return err
	}
	values, err := failingValues(report, evidence, field)
	if err != nil {
		return err
	}
	entry := accepted.Entry{
		Evidence: accepted.Literal(evidence), Field: field, Reason: f.reason, By: f.by, Until: until,
	}
	if err := addAccepted(dir, entry, values, now); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "accepted %s of %s until %s in %s\n", summary.TerminalText(field), summary.TerminalText(evidence),
		until.Format(time.DateOnly), accepted.Path)
	if !a.json {
		return nil
	}
	if report, err = a.run(ctx, &o); err != nil {
		return err
	}
	return a.print(report)
}

// evidenceIn finds the repository that the evidence arg lies in, and its path
// there. A report stands for its sidecar.
func (a *app) evidenceIn(arg string) (dir, name string, err error) {
	if strings.HasSuffix(arg, ".md") {
		arg = ahd.SidecarFor(arg)
	}
	from := a.root
	if from == "" {
		from = filepath.Dir(arg)
	}
	if from, err = filepath.EvalSymlinks(from); err != nil {
		return "", "", usage("check the path", "%w", err)
	}
	dir, ok := repo.FindRoot(from)
	if !ok {
		return "", "", &gate.Error{Exit: gate.ExitUsage, Reason: gate.ReasonNoRepo, Err: fmt.Errorf("%s: %w", arg, repo.ErrNotRepository),
			NextStep: "accept evidence of a git work tree"}
	}
	name, err = below(dir, arg)
	return dir, name, err
}

// failingValues are the observed values of the FAILs of field in the evidence at
// path.
func failingValues(report *summary.Report, path, field string) ([]string, error) {
	var values, failing []string
	for _, e := range report.Evidence {
		for _, f := range e.Fields {
			if e.Path != path || f.Status != verify.Fail {
				continue
			}
			failing = append(failing, f.Field)
			if f.Field == field {
				values = append(values, f.Observed)
			}
		}
	}
	switch {
	case len(values) > 0:
		return values, nil
	case len(failing) == 0:
		return nil, usage("leave it as it is", "nothing fails, so that there is nothing to accept")
	}
	return nil, usage("name one of those that fail: "+strings.Join(failing, ", "), "%s does not fail", field)
}

// addAccepted adds an entry for each observed value; a FAIL without one can only be
// accepted whatever is observed.
func addAccepted(dir string, e accepted.Entry, values []string, now time.Time) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	text, err := verify.NewTree(root.FS()).ReadFile(accepted.Path, accepted.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("make it a regular file", "%w", err)
	}
	for _, v := range values {
		if e.Observed = v; v == "" {
			e.Observed = accepted.Any
		}
		if text, err = accepted.Append(text, e, now); err != nil {
			return &gate.Error{Exit: gate.ExitUsage, Reason: gate.ReasonParse, Err: fmt.Errorf("adding to %s: %w", accepted.Path, err),
				NextStep: "correct what the message names, then accept again"}
		}
	}
	if err := root.MkdirAll(path.Dir(accepted.Path), 0o755); err != nil {
		return disk(err)
	}
	if err := root.WriteFile(accepted.Path, text, 0o644); err != nil {
		return disk(fmt.Errorf("writing %s: %w", accepted.Path, err))
	}
	return nil
}
