package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// maxShown bounds the rows of one table on a terminal; --json has all.
const maxShown = 200

// showReplay prints the result of a replay for people. A bundle that was refused
// has none: what is wrong with it goes to standard error.
func (a *app) showReplay(r *replayReport) error {
	found := r.Result
	if found == nil {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, visible.Line(outcomeText(found)))
	if found.Recorded != nil && found.Outcome == bundle.Holds && found.Recorded.Verdict != string(summary.Intact) {
		fmt.Fprintf(&out, "That verdict was not \"intact\": the replay confirms what was found then, not that all is well.\n")
	}
	if !a.quiet {
		if p := r.Provenance; p.Evidence != "" {
			fmt.Fprintf(&out, "evidence  %s\n", visible.Line(p.Evidence))
		}
		fmt.Fprintf(&out, "checked   %d digests of files, %d checks compared, %d outputs rendered again\n", found.Digests, found.Compared, found.Outputs)
		for _, note := range found.Notes {
			fmt.Fprintf(&out, "note      %s\n", visible.Line(note))
		}
	}
	showMissing(&out, found.Missing)
	showDifferences(&out, found.Differences, "RECORDED", "REPLAYED")
	_, err := a.Out.Write(out.Bytes())
	return err
}

func showMissing(w io.Writer, missing []bundle.Missing) {
	for _, m := range missing[:min(len(missing), maxShown)] {
		name := m.File
		if name == "" {
			name = "the verdict"
		}
		fmt.Fprintf(w, "missing   %s\n          why    %s\n          where  %s\n",
			visible.Line(name), visible.Line(m.Why), visible.Line(m.Where))
		if len(m.Fields) > 0 {
			fmt.Fprintf(w, "          needed for %s\n", visible.Line(verify.Shorten(strings.Join(m.Fields, ", "), 400)))
		}
	}
	if more := len(missing) - maxShown; more > 0 {
		fmt.Fprintf(w, "missing   and %d more\n", more)
	}
}

// showDifferences prints two verdicts side by side.
func showDifferences(w io.Writer, ds []bundle.Difference, before, after string) {
	if len(ds) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "FIELD\tPART\t%s\t%s\n", before, after)
	for _, d := range ds[:min(len(ds), maxShown)] {
		field := d.Field
		if field == "" {
			field = "(the whole)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", cell(field), cell(d.Part), cell(d.Recorded), cell(d.Replayed))
	}
	_ = t.Flush() // to a buffer
	if more := len(ds) - maxShown; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
}

// cell is a hostile text in a table: on one line, short, and visible when empty.
func cell(s string) string {
	if s == "" {
		return "-"
	}
	return visible.Line(verify.Shorten(s, 80))
}
