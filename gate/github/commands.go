package github

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/sethvargo/go-githubactions"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// Level is how grave an annotation is, in the words of workflow commands.
type Level string

// The levels of annotations.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNotice  Level = "notice"
)

// Annotation is a message at a place in a file. Everything in it may come from
// the tree.
type Annotation struct {
	Level Level
	// Path is relative to the repository's root, with "/".
	Path string
	// Line and Column count from 1; 0 means that there is none. EndLine is the
	// last line, when the place is more than one line.
	Line, EndLine, Column int
	Title                 string
	Message               string
}

// Limits of annotations that workflow commands make (actions/runner,
// ExecutionContext.cs). What is over them the runner drops in silence.
const (
	maxAnnotations = 10   // for each level, in one step
	maxMessage     = 4096 // UTF-16 code units
)

// Annotate writes annotations as workflow commands, the first ten of each
// level, so give the worst first. How many of which level were left out is said
// in one plain line.
//
// Paths are workspace-relative to the runner: where the repository was checked
// out to a folder of the workspace, prefix them with that folder.
func (a *Actions) Annotate(w io.Writer, as []Annotation) {
	count := make(map[Level]int)
	for _, an := range as {
		level := commandLevel(an.Level)
		if count[level]++; count[level] > maxAnnotations {
			continue
		}
		props := githubactions.CommandProperties{}
		// A name with hidden characters is no name that GitHub could show a
		// place in; the message stands alone then.
		if an.Path != "" && an.Path == oneLine(an.Path) {
			props["file"] = an.Path
			if an.Line > 0 {
				props["line"] = strconv.Itoa(an.Line)
				props["endLine"] = strconv.Itoa(max(an.Line, an.EndLine))
			}
			if an.Column > 0 && max(an.Line, an.EndLine) == an.Line {
				props["col"] = strconv.Itoa(an.Column)
			}
		}
		if an.Title != "" {
			props["title"] = cut(oneLine(an.Title), 255)
		}
		// GitHub's runner takes the first "::" for the end of the properties; other engines
		// (act) take the last, so that a message could lose its beginning.
		message := strings.ReplaceAll(visible.Lines(an.Message), "::", ": :")
		command(w, string(level), props, cut(message, maxMessage))
	}
	var rest []string
	for _, level := range []Level{LevelError, LevelWarning, LevelNotice} {
		if more := count[level] - maxAnnotations; more > 0 {
			rest = append(rest, fmt.Sprintf("%d %s", more, level))
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(w, "Annotations not shown, because GitHub shows %d of a level: %s\n", maxAnnotations, strings.Join(rest, ", "))
	}
}

func commandLevel(l Level) Level {
	if l == LevelError || l == LevelWarning {
		return l
	}
	return LevelNotice
}

// Group writes what body writes as a group that the log shows folded. The lines
// pass through a [visible.Writer].
func (a *Actions) Group(w io.Writer, title string, body func(io.Writer)) {
	command(w, "group", nil, oneLine(title))
	n := visible.NewWriter(w)
	mid := &lastByte{w: n, last: '\n'}
	body(mid)
	n.Close()
	if mid.last != '\n' {
		fmt.Fprintln(w)
	}
	command(w, "endgroup", nil, "")
}

// lastByte remembers whether a line was ended.
type lastByte struct {
	w    io.Writer
	last byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.w.Write(p)
}

// Mask tells the runner to show *** instead of a secret from here on, in every
// log of the job. It must be called before the secret could be logged.
func (a *Actions) Mask(w io.Writer, secret string) {
	if strings.TrimSpace(secret) != "" {
		command(w, "add-mask", nil, secret)
	}
}

// command writes one workflow command. The library knows how to escape; its own
// methods panic when the writer fails, so only its text is used.
func command(w io.Writer, name string, props githubactions.CommandProperties, message string) {
	c := githubactions.Command{Name: name, Properties: props, Message: message}
	fmt.Fprintln(w, c.String())
}

// oneLine is s for one line; a line break is a blank there.
func oneLine(s string) string {
	return visible.Lines(strings.ReplaceAll(strings.TrimSpace(s), "\n", " "))
}

// cut shortens s to at most limit UTF-16 code units, the unit in which the
// runner counts characters.
func cut(s string, limit int) string {
	units, end := 0, 0 // end is where s[:end] and an ellipsis still fit
	for i, r := range s {
		if units < limit {
			end = i
		}
		if units += utf16.RuneLen(r); units > limit {
			return s[:end] + "…"
		}
	}
	return s
}
