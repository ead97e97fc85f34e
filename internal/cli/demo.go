package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/internal/demo"
	"github.com/replay-gate/replay-gate/summary"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show the gate catching a drift in a small repository",
		Long: `Make a small git repository with a base and a head in a temporary folder, run the
gate on it, and say where the bundles and the summary lie. Nothing outside of that
folder is touched.

Exit codes: 0 the gate caught the drift; 3 the demo could not be set up.`,
		Example: "  replay-gate demo",
		Args:    noArgs(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "replay-gate-demo-")
			if err != nil {
				return demoFailed(err)
			}
			d, err := demo.MakeWithPin(dir)
			if err != nil {
				return demoFailed(err)
			}
			a.root = dir
			o := gate.Options{Base: d.Base, Head: d.Head}
			report, err := a.run(cmd.Context(), &o)
			if err != nil {
				return err
			}
			if err := a.print(report); err != nil {
				return err
			}
			if a.code == gate.ExitInfra {
				return nil
			}
			// The drift is the point of the demo, not a failure of it.
			a.code = gate.ExitIntact
			if report.Verdict != summary.Drift || a.json || a.quiet {
				return nil
			}
			bundles := filepath.Join(dir, filepath.FromSlash(gate.DefaultBundleDir))
			_, err = fmt.Fprintf(a.Out, `
The change edited two tokens. One edit moved keys and added comments: its report
still holds. The other changed %s: the numbers of its
report no longer belong to what is in the repository. It also edited the prompt %s,
and the pin beside %s says that its numbers came from another one.
On a pull request the check would be red (exit %d).

repository  %s
bundles     %s
summary     %s
`, d.Edited, d.Prompt, d.Pinned, report.ExitCode, dir, bundles, filepath.Join(bundles, publish.SummaryFile))
			return writing(err)
		},
	}
}

func demoFailed(err error) error {
	return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: err,
		NextStep: "check that the temporary folder is writable (TMPDIR), then run it again"}
}
