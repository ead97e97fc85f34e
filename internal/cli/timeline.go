package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/explain/timeline"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

func (a *app) timelineCommand() *cobra.Command {
	var o timeline.Options
	var svg string
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "Show how inputs changed, and which evidence pins which version",
		Long: `For each input that evidence of the checked-out commit pins: its versions over
time, and the evidence that records the hash of each. A FAIL is evidence whose
input has moved on.

Exit codes: 0 the timeline was made, also when it shows drift; 2 usage; 3 disk.`,
		Example: `  replay-gate timeline
  replay-gate timeline --input tokens/swiss-editorial.yml
  replay-gate timeline --svg timeline.svg --json`,
		Args: noArgs("--input"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.timeline(cmd.Context(), o, svg) },
	}
	cmd.Flags().StringVar(&o.Input, "input", "", "`path` of the one input to show, from the root of the repository (default: all)")
	cmd.Flags().StringVar(&svg, "svg", "", "`file` to write the timeline to as a picture; - for standard output")
	return cmd
}

func (a *app) timeline(ctx context.Context, o timeline.Options, svg string) error {
	t, err := gate.Timeline(ctx, cmp.Or(a.root, "."), 0, o)
	if err != nil {
		return err
	}
	if svg == "-" {
		_, err := a.Out.Write(summary.TimelineSVG(t))
		return writing(err)
	}
	if svg != "" {
		if err := os.WriteFile(svg, summary.TimelineSVG(t), 0o644); err != nil {
			return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("writing the picture: %w", err),
				NextStep: "give --svg a file that can be written"}
		}
	}
	return writing(a.printTimeline(t))
}

func (a *app) printTimeline(t *verify.Timeline) error {
	if a.json {
		return summary.WriteTimelineJSON(a.Out, t)
	}
	return summary.WriteTimeline(a.Out, t, a.terminal())
}
