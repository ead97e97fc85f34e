package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/gate/timeline"
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.timeline(cmd.Context(), o, svg) },
	}
	cmd.Flags().StringVar(&o.Input, "input", "", "`path` of the one input to show, from the root of the repository (default: all)")
	cmd.Flags().StringVar(&svg, "svg", "", "`file` to write the timeline to as a picture")
	return cmd
}

func (a *app) timeline(ctx context.Context, o timeline.Options, svg string) error {
	root := a.root
	if root == "" {
		root = "."
	}
	r, err := repo.Open(root)
	if err != nil {
		return timelineFailed(err)
	}
	defer r.Close()
	o.Discover = gate.Discover
	t, err := timeline.Build(ctx, r, o)
	if err != nil {
		return timelineFailed(err)
	}
	if svg != "" {
		if err := os.WriteFile(svg, summary.TimelineSVG(t), 0o644); err != nil {
			return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonIO, Err: fmt.Errorf("writing the picture: %w", err),
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

func timelineFailed(err error) error {
	var known *gate.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, repo.ErrNotRepository):
		return &gate.Error{Exit: gate.ExitUsage, Reason: gate.ReasonNoRepo, Err: err,
			NextStep: "run it inside a git work tree, or name one with --root"}
	case errors.Is(err, repo.ErrNoCommits):
		return usage("commit the evidence first", "%w", err)
	case errors.Is(err, timeline.ErrNotPinned):
		return usage("run replay-gate timeline to see the inputs; paths count from the root of the repository", "%w", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonInterrupted, Err: fmt.Errorf("interrupted: %w", err), NextStep: "run it again"}
	}
	return &gate.Error{Exit: gate.ExitInfra, Reason: gate.ReasonIO, Err: err, NextStep: "run git fsck, then run it again"}
}
