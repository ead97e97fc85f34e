package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/summary"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain <reason code|field>",
		Short: "Say what a finding means, and what to do about it",
		Long: `Print what docs/next-steps.md says about a reason code, such as hash-differs, or
about a field, such as token.hash.

Exit codes: 0 it is known; 2 it is not.`,
		Example: `  replay-gate explain hash-differs
  replay-gate explain token.hash`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := explain.About(args[0])
			if !ok {
				return usage(nearWords(args[0]), "%s is no reason code and no field that is known", args[0])
			}
			_, err := fmt.Fprint(a.Out, text)
			return writing(err)
		},
	}
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
	return summary.TerminalText("did you mean " + strings.Join(near, ", ") + "?")
}
