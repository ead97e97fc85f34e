package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/summary/visible"
)

type replayOptions struct {
	bundle  string
	extract string
	seed    string
	live    bool
	confirm bool
	program []string // what stands behind "--"
	dash    bool
}

func (a *app) replayCommand() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay --bundle <bundle>",
		Short: "Come to a bundle's verdict again, offline, from its files alone",
		Long: `Verify every digest of a replay bundle, judge its evidence again from its own files,
and compare with the verdict recorded in it, field by field. No network is used.

The page, JUnit, SARIF, summary and suite in the bundle are rendered again and compared.
What a replay can't prove it says: above all, from which commit the bundle comes.

The bundle is a .tar.gz, a folder that one was unpacked into, or - for standard
input. Nothing is written and nothing stays behind: --json prints what was found.

--live also runs the recorded command, in a scratch work tree of the recorded
commit. It needs --yes-run-argv and "--", prints what it is going to run, and never
works in GitHub Actions. A program named behind "--" takes the place of the recorded
one:

  replay-gate replay --bundle X --live --yes-run-argv -- node

Exit codes: 0 the recorded verdict holds, also when it was drift; 1 it does not; 2
something that it rests on is missing, or the bundle is refused; 3 disk.`,
		Example: `  replay-gate replay --bundle .assay/bundles/2026-04-22-swiss-n30-5bbb04b2bc60.tar.gz
  replay-gate replay --bundle swiss.tar.gz --extract /tmp/swiss
  curl -L "$URL" | replay-gate replay --bundle - --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.program, o.dash = args, cmd.ArgsLenAtDash() == 0
			if len(args) == 1 && !o.dash && !cmd.Flags().Changed("bundle") {
				o.bundle, o.program = args[0], nil
			} else if len(args) > 0 && !o.dash {
				return usage("name the bundle with --bundle", "%q is not expected here", args[0])
			}
			return a.replay(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.bundle, "bundle", legacyBundle, "the bundle: a .tar.gz, an unpacked folder, or -")
	f.StringVar(&o.extract, "extract", "", "also lay evidence and inputs out in this empty or new folder")
	f.StringVar(&o.seed, "seed", "", "note a seed override in the provenance; judging has nothing random")
	f.BoolVar(&o.live, "live", false, `also run the recorded command (needs --yes-run-argv and "--")`)
	f.BoolVar(&o.confirm, "yes-run-argv", false, "confirm that --live may run what the bundle says")
	return cmd
}

// validate refuses what can't be meant.
func (o *replayOptions) validate(getenv func(string) string) error {
	if o.seed != "" {
		if _, err := strconv.ParseUint(o.seed, 10, 64); err != nil {
			return usage("write a number from 0 to 18446744073709551615", "--seed %q is no seed", o.seed)
		}
	}
	switch {
	case !o.live && (o.confirm || o.dash):
		return usage("add --live to run the recorded command", `--yes-run-argv and "--" belong to --live`)
	case !o.live:
		return nil
	case getenv("GITHUB_ACTIONS") == "true":
		return usage("replay it without --live here, or run --live on your own machine", "--live never runs in GitHub Actions")
	case !o.confirm || !o.dash:
		return usage("if you trust the bundle: replay-gate replay --bundle X --live --yes-run-argv --",
			`--live runs a command that the bundle names: it needs --yes-run-argv and "--"`)
	}
	return nil
}

func (a *app) replay(ctx context.Context, o replayOptions) error {
	if err := o.validate(a.Getenv); err != nil {
		return err
	}
	r := &replayReport{Schema: replaySchema, Tool: tool(), Provenance: provenance{
		Replay: true, BundleDigest: unknownDigest, ReplayMode: "offline", SeedOverride: o.seed,
	}}
	b, err := a.openBundle(o.bundle)
	if err == nil {
		defer b.Close()
		err = a.replayBundle(ctx, b, o, r)
		veilBundle(ctx, r, b)
	}
	if err != nil {
		e := asGateError(err)
		r.ExitCode, r.ReasonCode, r.Message, r.NextStep, r.failed = e.Exit, e.Reason, e.Error(), e.NextStep, true
		r.Provenance.readDigest(err)
	}
	return a.finishReplay(r)
}

func (a *app) replayBundle(ctx context.Context, b *bundle.Archive, o replayOptions, r *replayReport) error {
	m, p := &b.Manifest, &r.Provenance
	if b.Digest != "" {
		p.BundleDigest = b.Digest
	}
	p.GitSHA, p.CreatedAt = m.GitSHA, m.CreatedAt
	if m.ReplayGate != nil {
		p.Evidence = m.ReplayGate.Evidence
	}
	if m.Seeds != nil {
		p.RecordedSeed = m.Seeds.OrderSeed
	}
	found, err := gate.Replay(ctx, b, a.Now)
	if err != nil {
		return err
	}
	r.Result = found
	r.conclude()
	if o.extract != "" {
		if p.Extracted, err = extract(b, o.extract); err != nil {
			return err
		}
	}
	if o.live {
		p.ReplayMode = "live"
		return a.runLive(ctx, b, o, r)
	}
	return nil
}

// extract lays a bundle out in dir, which is made if it is not there.
func extract(b *bundle.Archive, dir string) (int, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, usage("name a folder that can be made", "--extract: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, usage("name a folder", "--extract: %w", err)
	}
	defer root.Close()
	n, err := b.Extract(root)
	switch {
	case errors.Is(err, bundle.ErrNotEmpty):
		return 0, usage("name a folder that is empty or not there yet", "--extract: %w", err)
	case err != nil:
		return n, gate.BundleError(err)
	}
	return n, nil
}

// finishReplay shows the result, and takes over its exit code.
func (a *app) finishReplay(r *replayReport) error {
	data, err := encodeJSON(r)
	if err != nil {
		return writing(err)
	}
	a.code = r.ExitCode
	if a.json {
		_, err = a.Out.Write(data)
	} else {
		err = a.showReplay(r)
	}
	if err != nil {
		return writing(err)
	}
	if r.failed {
		fmt.Fprintf(a.Err, "replay-gate: %s\n", visible.Line(r.Message))
	}
	if r.ReasonCode != "" {
		a.explain(r.ReasonCode, r.NextStep)
	}
	return nil
}

// encodeJSON is v for people and programs: indented, with a final newline.
func encodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return buf.Bytes(), err
}
