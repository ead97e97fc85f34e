package summary

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Levels of annotations, as the Checks API spells them.
const (
	LevelFailure = "failure"
	LevelWarning = "warning"
	LevelNotice  = "notice"
)

// Annotation is a message at a line of a file.
type Annotation struct {
	// Path is relative to the repository's root.
	Path string
	// StartLine and EndLine count from 1. StartColumn does too; 0 means none.
	StartLine, EndLine, StartColumn int
	// Level is one of the levels.
	Level string
	// Title is at most 255 bytes long, on one line.
	Title string
	// Message is at most 4096 bytes long, on one or more lines in which
	// everything shows.
	Message string
}

// Annotations are the FAIL and warn fields of r, as messages at the line of the
// evidence that records them: first what this change introduced, then what was
// there before, then warnings. A FAIL that was there before is a warning, unless
// the policy fails on it.
func Annotations(r *Report) []Annotation {
	const ranks = 3
	var ranked [ranks][]Annotation
	for i := range r.Evidence {
		e := &r.Evidence[i]
		for _, f := range e.Fields {
			rank, level := 0, LevelFailure
			switch {
			case f.Status == verify.Warn:
				rank, level = 2, LevelWarning
			case f.Status != verify.Fail:
				continue
			case f.Attribution == PreExisting:
				rank = 1
				if !r.Policy.Failing(f) {
					level = LevelWarning
				}
			}
			if a, ok := annotation(e, f, level); ok {
				ranked[rank] = append(ranked[rank], a)
			}
		}
	}
	return slices.Concat(ranked[:]...)
}

// annotation is false for a place that is not in the repository.
func annotation(e *Evidence, f Field, level string) (Annotation, bool) {
	path := f.Location.Path
	if path == "" {
		path = e.Path
	}
	if !fs.ValidPath(path) || path == "." {
		return Annotation{}, false
	}
	title := string(f.Status) + " " + f.Field
	if word := attributionWord(f.Attribution); word != "" {
		title += " (" + word + ")"
	}
	lines := []string{f.Field + ": " + f.Reason}
	for _, l := range []struct{ label, value string }{
		{"recorded: ", f.Recorded}, {"now: ", f.Observed}, {"hint: ", f.Hint},
	} {
		if l.value != "" {
			lines = append(lines, l.label+l.value)
		}
	}
	for i, l := range lines {
		lines[i] = clipBytes(Visible(l), 1000)
	}
	line := max(1, f.Location.Line)
	return Annotation{
		Path: path, StartLine: line, EndLine: line, StartColumn: f.Location.Column,
		Level: level, Title: clipBytes(Visible(title), 255), Message: strings.Join(lines, "\n"),
	}, true
}
