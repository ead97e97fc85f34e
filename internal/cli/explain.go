package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/summary/visible"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain <code|field>",
		Short: "Say what a finding means, and what to do about it",
		Long: `Print what docs/next-steps.md says about a reason code, such as hash-differs, about
a field, such as token.hash, or about the code of a run, such as E_NO_BASE.

Exit codes: 0 it is known; 2 it is not.`,
		Example: `  replay-gate explain hash-differs
  replay-gate explain token.hash`,
		Args: wants("name a reason code or a field: replay-gate explain hash-differs", "code|field"),
		RunE: func(_ *cobra.Command, args []string) error {
			entry, ok := explain.About(args[0])
			if !ok {
				return usage(nearWords(args[0]), "%s is no reason code and no field that is known", args[0])
			}
			if a.json {
				return a.printJSON(explanation{"replay-gate.explain/v1", entry})
			}
			return writing(writeEntry(a.Out, entry))
		},
	}
}

// explanation is what explain --json prints.
type explanation struct {
	Schema string `json:"schema"` // replay-gate.explain/v1
	explain.Entry
}

func writeEntry(w io.Writer, e explain.Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", visible.Line(e.About), e.Means)
	switch len(e.Steps) {
	case 0:
	case 1:
		b.WriteString("\nWhat to do:\n")
	default:
		b.WriteString("\nWhat to do, the first that applies:\n")
	}
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "  %s\n", s.Says)
		if len(e.Steps) > 1 {
			fmt.Fprintf(&b, "    when %s\n", s.When)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// nearWords names those that share their start with a word.
func nearWords(word string) string {
	const most = 5
	var near []string
	for _, w := range explain.Words() {
		if start := word[:min(len(word), 4)]; start != "" && strings.HasPrefix(w, start) && len(near) < most {
			near = append(near, w)
		}
	}
	if len(near) == 0 {
		return "docs/next-steps.md lists them all"
	}
	return visible.Line("did you mean " + strings.Join(near, ", ") + "?")
}
