package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualCommand writes the manual pages that a release carries. It is hidden: who
// has the program has --help, which says the same.
func (a *app) manualCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "manual <folder>",
		Short:   "Write a manual page for each command",
		Example: "  replay-gate manual share/man/man1",
		Hidden:  true,
		Args:    wants("name the folder for the pages", "folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// cobra adds these two when it runs, which is now.
			cmd.Root().InitDefaultHelpCmd()
			cmd.Root().InitDefaultCompletionCmd()
			return writing(writeManual(cmd.Root(), args[0]))
		},
	}
}

// writeManual writes a page for the command and each one below it.
func writeManual(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, pageName(cmd)+".1"))
	if err != nil {
		return err
	}
	page := bufio.NewWriter(f) // keeps the first error
	manualPage(page, cmd)
	if err := errors.Join(page.Flush(), f.Close()); err != nil {
		return err
	}
	for _, c := range documented(cmd) {
		if err := writeManual(c, folder); err != nil {
			return err
		}
	}
	return nil
}

// documented are the commands below this one that --help lists.
func documented(cmd *cobra.Command) []*cobra.Command {
	var shown []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			shown = append(shown, c)
		}
	}
	return shown
}

// pageName is the name of a command's page, as git and others form it.
func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// manualPage writes one page in the macros of man(7), in the order of sections that
// man-pages(7) asks for. Its date is that of the release's commit: the bytes of a
// release must not depend on the day on which it was built.
func manualPage(w io.Writer, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	day, _, _ := strings.Cut(date, "T")
	fmt.Fprintf(w, ".TH %s 1 %q %s \"Replay Gate\"\n", roffArg(strings.ToUpper(pageName(cmd))), day, roffArg("replay-gate "+tool().Version))
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", roff(pageName(cmd)), roff(lowerFirst(cmd.Short)))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, ".br\n.B %s [command]\n", roff(cmd.CommandPath()))
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(w, ".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprintln(w, ".PP")
		}
		verbatim := strings.HasPrefix(paragraph, "  ") || strings.Contains(paragraph, "\n  ") || strings.Contains(paragraph, "\t")
		writeParagraph(w, paragraph, verbatim)
	}
	if commands := documented(cmd); len(commands) > 0 {
		fmt.Fprintln(w, ".SH COMMANDS")
		for _, c := range commands {
			fmt.Fprintf(w, ".TP\n.B %s\n%s.\n", roff(c.Name()), roff(c.Short))
		}
	}
	writeFlags(w, "OPTIONS", cmd.NonInheritedFlags())
	writeFlags(w, "GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.HasExample() {
		fmt.Fprintln(w, ".SH EXAMPLES")
		writeParagraph(w, cmd.Example, true)
	}
	seeAlso(w, cmd)
}

func writeFlags(w io.Writer, heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, ".SH %s\n", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintln(w, ".TP")
		names := ""
		if f.Shorthand != "" {
			names = "\\fB" + roff("-"+f.Shorthand) + "\\fR, "
		}
		names += "\\fB" + roff("--"+f.Name) + "\\fR"
		if value != "" {
			names += " \\fI" + roff(value) + "\\fR"
		}
		fmt.Fprintln(w, names)
		fmt.Fprint(w, roff(usage))
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && !strings.Contains(usage, "default") {
			fmt.Fprintf(w, " (default %s)", roff(d))
		}
		fmt.Fprintln(w)
	})
}

func seeAlso(w io.Writer, cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent()))
	}
	for _, c := range documented(cmd) {
		pages = append(pages, pageName(c))
	}
	if len(pages) == 0 {
		return
	}
	fmt.Fprintln(w, ".SH SEE ALSO")
	for i, page := range pages {
		comma := ","
		if i == len(pages)-1 {
			comma = ""
		}
		fmt.Fprintf(w, ".BR %s (1)%s\n", roff(page), comma)
	}
}

// writeParagraph writes text that is filled, or kept line by line.
func writeParagraph(w io.Writer, text string, verbatim bool) {
	if verbatim {
		fmt.Fprintln(w, ".nf")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			line = ".sp"
		} else {
			line = roff(strings.ReplaceAll(line, "\t", "    "))
		}
		fmt.Fprintln(w, line)
	}
	if verbatim {
		fmt.Fprintln(w, ".fi")
	}
}

// roff makes plain text safe for a line of troff input. A minus that is typed in a
// command must not become a hyphen, nor a quote that is copied a curly one; a line
// that starts with a period or an apostrophe would be a request.
func roff(s string) string {
	s = strings.NewReplacer("\\", `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// roffArg makes plain text safe as one argument of a macro.
func roffArg(s string) string {
	return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"`
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
