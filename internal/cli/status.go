package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show which published results still hold",
		Long: `Show for each piece of evidence that describes the present whether it holds, since when
it has drifted, or until when its drift is accepted; how much evidence is a record of the
past; and the results that nothing pins, with the command that pins each.

Exit codes: 0 the state was shown, also when something drifted; 2 usage; 3 disk.`,
		Example: "  replay-gate status",
		Args:    noArgs(""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context()) },
	}
}

func (a *app) status(ctx context.Context) error {
	o := gate.Options{Alone: true, Dry: true, Scope: "all", FailOn: "never", BundleFor: "none"}
	if a.json {
		report, err := a.run(ctx, &o)
		if err != nil {
			return err
		}
		return a.print(report)
	}
	s, err := a.stand(ctx, o, true)
	if err != nil {
		return err
	}
	return writing(writeStatus(a.Out, s))
}

// writeStatus writes a line for each claim, and what else there is.
func writeStatus(w io.Writer, s *gate.Standing) error {
	var lines [][2]string
	records := 0
	for i := range s.Evidence {
		e := &s.Evidence[i]
		if e.Superseded != "" {
			records++
			continue
		}
		lines = append(lines, [2]string{stateOf(s, i), claimOf(e)})
	}
	slices.SortStableFunc(lines, func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(urgency(a[0]), urgency(b[0])), cmp.Compare(a[1], b[1]))
	})
	width := 0
	for _, l := range lines {
		width = max(width, len(l[0]))
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-*s  %s\n", width, l[0], l[1])
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s, %s\n", count(len(lines), "claim"), count(records, "record")+" of the past")
	writeUnpinned(&b, s.Unpinned)
	_, err := io.WriteString(w, b.String())
	return err
}

// urgency orders states: what drifted comes first, what holds last.
func urgency(state string) int {
	return slices.IndexFunc([]string{"drifted", "unchecked", "accepted", "holds"}, func(p string) bool { return strings.HasPrefix(state, p) })
}

// stateOf is the state of one claim, in words.
func stateOf(s *gate.Standing, i int) string {
	state := "holds"
	e, o := &s.Evidence[i], &s.Outcomes[i]
	for k, row := range o.Rows {
		switch {
		case row.Status == verify.Fail && o.Verdict == verify.Unchecked:
			return "unchecked"
		case row.Status == verify.Fail:
			if why := s.Why[i][k]; why != nil && why.Since != nil {
				return "drifted since " + why.Since.Date.Format(time.DateOnly) + " (" + change.Short(why.Since.Commit) + ")"
			}
			if state != "drifted" {
				state = "drifted"
			}
		case row.Accepted && state == "holds":
			state = "accepted"
			if entry, ok := s.Accepted.Match(e.Path, row.Field, row.Observed); ok && !entry.Until.IsZero() {
				state += " until " + entry.Until.Format(time.DateOnly)
			}
		}
	}
	return state
}

// claimOf names a piece of evidence by what it vouches for, and what it is the newest word on.
func claimOf(e *judge.Account) string {
	name := e.Path
	for _, in := range e.Head.Inputs {
		if in.Subject && !in.Missing && in.Path != "" {
			name = in.Path
			break
		}
	}
	var about []string
	for _, c := range e.Head.Claims {
		if c.Name != "" && c.Name != name && !slices.Contains(about, c.Name) {
			about = append(about, c.Name)
		}
	}
	text := visible.Line(name)
	switch {
	case len(about) == 1:
		text += "  " + visible.Line(about[0])
	case len(about) > 1:
		text += fmt.Sprintf("  %d models", len(about))
	}
	return text
}

// writeUnpinned lists results that nothing pins, each with the command for it.
func writeUnpinned(w io.Writer, all []pin.Suggestion) {
	if len(all) == 0 {
		return
	}
	what := "it was"
	if len(all) > 1 {
		what = "they were"
	}
	fmt.Fprintf(w, "\n%s that nothing ties to what %s made from:\n", count(len(all), "result"), what)
	for _, u := range all {
		fmt.Fprintf(w, "  %s (%s)\n", visible.Line(u.Path), u.What)
		if command, ok := summary.ShellCommand(u.Command, ""); ok {
			fmt.Fprintf(w, "    %s\n", command)
		}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
