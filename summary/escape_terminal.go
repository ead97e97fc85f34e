package summary

import (
	"strings"
	"unicode"
)

// TerminalText is s for one line of a terminal or a log: everything in it shows,
// nothing moves the cursor, and nothing is a workflow command. It is [LogLine] of
// [Visible].
func TerminalText(s string) string { return LogLine(Visible(s)) }

// LogLine makes one finished line harmless to the runner of GitHub Actions,
// which takes a line for a command when it starts with "::" after blanks, and
// also when it holds "##[" anywhere (actions/runner, ActionCommand.cs). A
// backslash goes between: `:\:error::`, `##\[group]`. The line must be free of
// hidden characters already, as [Visible] leaves it, because the runner compares
// as if they were not there.
func LogLine(line string) string {
	body := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(body, "::") {
		line = line[:len(line)-len(body)] + `:\` + body[1:]
	}
	return strings.ReplaceAll(line, "##[", `##\[`)
}
