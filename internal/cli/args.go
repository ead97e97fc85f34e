package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/replay-gate/replay-gate/gate/config"
)

// wants asks for one argument for each name, and says which are missing. The last may be
// given more than once where its name ends in "...".
func wants(next string, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		var missing []string
		for _, name := range names[min(len(args), len(names)):] {
			missing = append(missing, "<"+strings.TrimSuffix(name, "...")+">")
		}
		switch {
		case len(missing) == 1:
			return usage(next, "%s is missing", missing[0])
		case len(missing) > 1:
			return usage(next, "%s are missing", strings.Join(missing, " and "))
		case len(args) > len(names) && !strings.HasSuffix(names[len(names)-1], "..."):
			return unexpected(cmd, args[len(names)])
		}
		return nil
	}
}

// noArgs wants none. flag is what one was probably meant for; it may be empty.
func noArgs(flag string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if flag == "" {
			return unexpected(cmd, args[0])
		}
		return usage(fmt.Sprintf("%s %s %s", cmd.CommandPath(), flag, args[0]), "%q is not expected here; %s takes it", args[0], flag)
	}
}

func unexpected(cmd *cobra.Command, arg string) error {
	return usage("see "+cmd.CommandPath()+" --help", "%q is not expected here", arg)
}

// unknownCommand says which command was probably meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	next := "see " + cmd.CommandPath() + " --help"
	if near := config.Near(args[0], names, 2); len(near) > 0 {
		next = "did you mean " + cmd.CommandPath() + " " + strings.Join(near, " or "+cmd.CommandPath()+" ") + "?"
	}
	return usage(next, "unknown command %q for %q", args[0], cmd.CommandPath())
}

// flagError says which flag was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	next := "see " + cmd.CommandPath() + " --help"
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return usage(next, "%w", err)
	}
	var names []string
	each := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	cmd.Flags().VisitAll(each)
	cmd.InheritedFlags().VisitAll(each)
	word, _, _ = strings.Cut(word, "=")
	if near := config.Near(word, names, 1); len(near) > 0 {
		next = "did you mean --" + near[0] + "?"
	}
	return usage(next, "%w", err)
}
