package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// acceptDays is how long an entry is in force unless the call says otherwise.
const acceptDays = 90

type acceptFlags struct {
	reason, until, by string
	base, input       string
	introduced        bool
}

func (a *app) acceptCommand() *cobra.Command {
	var f acceptFlags
	cmd := &cobra.Command{
		Use:   "accept [report.md|evidence|field]...",
		Short: "Accept a drift that was looked at, for a while",
		Long: fmt.Sprintf(`Add entries to %s that accept the present values of failing
fields: of the evidence that is named, of its fields that are named, or else of all
that fail; of all evidence that fails for one input; or all that the change brought.
Commit the file and have it reviewed like code. Other values, and other fields, still
fail. A secret, or a file that is broken, can't be accepted.

Exit codes: 0 the entries were written; 2 usage, or nothing fails; 3 disk.`, accepted.Path),
		Example: `  replay-gate accept docs/evals/2026-04-22-swiss-n30.md token.hash \
    --reason 'the accent moved; the next run is in October' --until 2026-10-31 --by Ada
  replay-gate accept --input tokens/swiss-editorial.yml --reason 'run again in October'
  replay-gate accept --all-introduced --base origin/main --reason 'reviewed in the meeting'`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.accept(cmd.Context(), f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.reason, "reason", "", "why the drift is accepted")
	fl.StringVar(&f.until, "until", "", fmt.Sprintf("last day of the entry, at most %d days away (default: in %d days)", accepted.MaxDays, acceptDays))
	fl.StringVar(&f.by, "by", "", "who accepts it (default: GIT_AUTHOR_NAME, or git's user.name)")
	fl.StringVar(&f.input, "input", "", "`path` of an input: accept what fails because of it")
	fl.BoolVar(&f.introduced, "all-introduced", false, "accept all that this change brought")
	fl.StringVar(&f.base, "base", "", "revision to compare with, as for gate")
	return cmd
}

// entry is what all entries of one call have in common.
func (f *acceptFlags) entry(now time.Time) (accepted.Entry, error) {
	e := accepted.Entry{Reason: f.reason, By: f.by, Until: now.Truncate(24*time.Hour).AddDate(0, 0, acceptDays)}
	switch {
	case strings.TrimSpace(f.reason) == "" || f.reason == "…": // as next steps print it
		return e, usage("say why with --reason", "drift is accepted for a reason")
	case f.until == "":
		return e, nil
	}
	var err error
	if e.Until, err = time.Parse(time.DateOnly, f.until); err != nil {
		return e, usage("write it like 2026-10-31", "--until %q is no date", f.until)
	}
	if e.Until.AddDate(0, 0, 1).Before(now) {
		return e, usage("name a day to come", "--until %s is over", f.until)
	}
	if last := now.AddDate(0, 0, accepted.MaxDays); e.Until.After(last) {
		return e, usage("name a day up to "+last.Format(time.DateOnly), "--until %s is more than %d days away", f.until, accepted.MaxDays)
	}
	return e, nil
}

func (a *app) accept(ctx context.Context, f acceptFlags, args []string) error {
	now := a.Now.UTC()
	if len(args) == 0 && f.input == "" && !f.introduced {
		return usage("name evidence, --input PATH, or --all-introduced", "there is nothing to accept")
	}
	common, err := f.entry(now)
	if err != nil {
		return err
	}
	if a.root, err = a.rootOf(args); err != nil {
		return err
	}
	if common.By = cmp.Or(f.by, a.userName()); strings.TrimSpace(common.By) == "" {
		return usage("say who you are with --by", "drift is accepted by somebody")
	}
	o := gate.Options{Base: f.base, Scope: "all", FailOn: "never", BundleFor: "none", Dry: true}
	standing, err := a.stand(ctx, o, false)
	if err != nil {
		return err
	}
	p := picker{standing: standing, root: a.root, introduced: f.introduced}
	if err := p.read(args, f.input); err != nil {
		return err
	}
	entries, err := p.entries(common)
	if err != nil {
		return err
	}
	if err := addAccepted(a.root, entries, now); err != nil {
		return err
	}
	a.acceptedSaid(entries, p.refused)
	if !a.json {
		return nil
	}
	report, err := a.run(ctx, &o)
	if err != nil {
		return err
	}
	return a.print(report)
}

// stand judges the repository at the root, and shows nothing.
func (a *app) stand(ctx context.Context, o gate.Options, why bool) (*gate.Standing, error) {
	p := a.newProgress()
	defer p.clear()
	if secret := a.Getenv("REPLAY_GATE_GOLDEN_SECRET"); secret != "" {
		o.GoldenSecret = []byte(secret)
	}
	o.Root, o.Version, o.Progress, o.Clock = a.root, tool().Version, p.update, a.Now
	return gate.Stand(ctx, o, why)
}

// rootOf is the root of the repository that the first argument lies in, or else of the
// current folder.
func (a *app) rootOf(args []string) (string, error) {
	if len(args) > 0 {
		if n, err := a.locate(args[0]); err == nil {
			return n.root, nil
		}
	}
	at := cmp.Or(a.root, ".")
	n, err := a.place(named{arg: at, dir: true}, at)
	return n.root, err
}

// userName is who works here, as git would write it into a commit.
func (a *app) userName() string {
	if name := a.Getenv("GIT_AUTHOR_NAME"); name != "" {
		return name
	}
	r, err := repo.Open(a.root)
	if err != nil {
		return ""
	}
	defer r.Close()
	return r.UserName(gitConfig(a.Getenv).Files...)
}

// acceptedSaid tells what was accepted, and what was not.
func (a *app) acceptedSaid(entries []accepted.Entry, refused []string) {
	const most = 10
	for _, e := range entries[:min(most, len(entries))] {
		fmt.Fprintf(a.Err, "accepted %s of %s until %s in %s\n", visible.Line(e.Field),
			visible.Line(unglob(e.Evidence)), e.Until.Format(time.DateOnly), accepted.Path)
	}
	if more := len(entries) - most; more > 0 {
		fmt.Fprintf(a.Err, "and %d more\n", more)
	}
	for _, what := range refused {
		fmt.Fprintf(a.Err, "not accepted: %s\n", visible.Line(what))
	}
}

// unglob is the path that a glob of [config.Literal] matches.
func unglob(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) {
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}

// addAccepted adds entries to the file.
func addAccepted(dir string, entries []accepted.Entry, now time.Time) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	text, err := verify.NewTree(root.FS()).ReadFile(accepted.Path, accepted.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("make it a regular file", "%w", err)
	}
	if text, err = accepted.Append(text, now, entries...); err != nil {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Parse, Err: fmt.Errorf("adding to %s: %w", accepted.Path, err),
			NextStep: "correct what the message names, then accept again"}
	}
	if err := root.MkdirAll(path.Dir(accepted.Path), 0o755); err != nil {
		return disk(err)
	}
	if err := root.WriteFile(accepted.Path, text, 0o644); err != nil {
		return disk(fmt.Errorf("writing %s: %w", accepted.Path, err))
	}
	return nil
}
