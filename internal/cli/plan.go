package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/shard"
)

func (a *app) planCommand() *cobra.Command {
	var o gate.Options
	shards := shardCount(0)
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Part the evidence of a change among several machines",
		Long: `Part the evidence of a change among several machines, and print the matrix of
their jobs as JSON; --json adds the digest. Each of them runs gate --shard with one entry of the matrix,
and merge puts their parts together: see docs/shards.md.

The plan is a function of the commit, the options and the number of shards, so
that every machine comes to the same. auto is one shard below the size from which
more of them pay. In Actions matrix, shards and plan are outputs, and what had to
be fetched is left in --parts for the other jobs.`,
		Example: `  replay-gate plan --base origin/main
  replay-gate plan --base origin/main --shards 4`,
		Args: noArgs("--base"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			actions, inActions := github.Detect(a.Getenv)
			if inActions {
				if err := a.forEvent(actions, cmd.LocalFlags(), &o, true); err != nil {
					return err
				}
			}
			defer a.prepare(&o)()
			p, err := gate.Plan(cmd.Context(), o, int(shards))
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Err, "shards: %d, plan: %s\n", p.Shards, p.Digest)
			if inActions {
				if err := actions.SetOutputs(planOutputs(p)); err != nil {
					return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("setting the outputs: %w", err), NextStep: "run it in a step of a workflow"}
				}
			}
			if !a.json {
				_, err = fmt.Fprintln(a.Out, p.Matrix())
				return writing(err)
			}
			data, err := encodeJSON(struct {
				Schema string          `json:"schema"`
				Shards int             `json:"shards"`
				Plan   string          `json:"plan"`
				Matrix json.RawMessage `json:"matrix"`
			}{"replay-gate.plan/v1", p.Shards, p.Digest, json.RawMessage(p.Matrix())})
			if err == nil {
				_, err = a.Out.Write(data)
			}
			return writing(err)
		},
	}
	gateFlags(cmd.Flags(), &o)
	cmd.Flags().Var(&shards, "shards", "how many shards: auto, or a whole number")
	cmd.Flags().StringVar(&o.Parts, "parts", gate.DefaultParts, "folder, inside the repository, for what the jobs of the plan hand to each other")
	return cmd
}

// planOutputs are the outputs of a step that plans.
func planOutputs(p *shard.Plan) [][2]string {
	return [][2]string{{"matrix", p.Matrix()}, {"shards", strconv.Itoa(p.Shards)}, {"plan", p.Digest}}
}

// planned are the flags of what follows a plan.
func planned(f *pflag.FlagSet, o *gate.Options) {
	f.StringVar(&o.Plan, "plan", "", "digest of the plan, which has to be this machine's too")
	f.StringVar(&o.Parts, "parts", gate.DefaultParts, "folder, inside the repository, with what the jobs of a plan hand to each other")
}

// shardCount is a number of shards as a flag; 0 is auto.
type shardCount int

func (n *shardCount) Type() string { return "auto|n" }

func (n *shardCount) String() string {
	if *n == 0 {
		return "auto"
	}
	return strconv.Itoa(int(*n))
}

func (n *shardCount) Set(s string) error {
	got, err := strconv.Atoi(s)
	switch {
	case s == "auto":
		got = 0
	case err != nil, got < 1, got > shard.MaxShards:
		return fmt.Errorf("%q is neither auto nor a number from 1 to %d", s, shard.MaxShards)
	}
	*n = shardCount(got)
	return nil
}

// gateShare judges one shard of a plan.
func (a *app) gateShare(cmd *cobra.Command, o *gate.Options, share shard.Share, files outFiles) error {
	if files != (outFiles{}) {
		return usage("give these files to replay-gate merge", "a shard has no report to write to a file")
	}
	if actions, ok := github.Detect(a.Getenv); ok {
		if err := a.forEvent(actions, cmd.LocalFlags(), o, false); err != nil {
			return err
		}
	}
	defer a.prepare(o)()
	p, err := gate.Shard(cmd.Context(), *o, share)
	if err != nil {
		return err
	}
	judged := len(p.Sides[0])
	if a.json {
		data, err := encodeJSON(struct {
			Schema  string `json:"schema"`
			Shard   string `json:"shard"`
			Plan    string `json:"plan"`
			Judged  int    `json:"judged"`
			Bundles int    `json:"bundles"`
			Folder  string `json:"folder"`
		}{"replay-gate.shard/v1", share.String(), p.Plan, judged, len(p.Bundles), o.BundleDir})
		if err == nil {
			_, err = a.Out.Write(data)
		}
		return writing(err)
	}
	_, err = fmt.Fprintf(a.Out, "shard %s: %d judged, %d bundled; the part is in %s\n", share, judged, len(p.Bundles), o.BundleDir)
	return writing(err)
}
