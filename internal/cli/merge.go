package cli

import (
	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
)

func (a *app) mergeCommand() *cobra.Command {
	o := gate.Options{Merge: true}
	var files outFiles
	var shards shardCount
	cmd := &cobra.Command{
		Use:   "merge",
		Short: "Put the parts of a plan together, and come to the verdict",
		Long: `Put together the parts that gate --shard left on several machines, and come to
the verdict as gate does on one: the same report, byte for byte, with the bundles
of all shards beside it. Run it on the commit of the plan, with the same options.

Each part lies in a folder of its own in --parts, beside its bundles. All parts of
the plan have to be there, each once. What is missing, there twice, or of another
plan, commit or version is named, and the exit code is 3.`,
		Example: `  replay-gate merge --base origin/main
  replay-gate merge --base origin/main --shards 4 --json`,
		Args: noArgs("--parts"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Shards = int(shards)
			return a.gateAll(cmd, &o, files)
		},
	}
	gateFlags(cmd.Flags(), &o)
	cmd.Flags().Var(&shards, "shards", "how many parts there have to be: auto is as many as the parts say")
	planned(cmd.Flags(), &o)
	files.add(cmd.Flags())
	return cmd
}
