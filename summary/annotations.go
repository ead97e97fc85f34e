package summary

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
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
// the policy fails on it. A line of an input whose change introduced FAILs has
// one message for all of them, before the rest: it is in the reviewer's diff,
// and the evidence may not be.
func Annotations(r *Report) []Annotation {
	const ranks = 3
	var ranked [ranks][]Annotation
	broken := brokenBy{}
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
				if !f.Fails {
					level = LevelWarning
				}
			}
			broken.add(e, f)
			if a, ok := annotation(e, f, level); ok {
				ranked[rank] = append(ranked[rank], a)
			}
		}
	}
	return slices.Concat(append([][]Annotation{broken.annotations()}, ranked[:]...)...)
}

// brokenBy collects, by the changed line of an input, the evidence that the
// change broke.
type brokenBy map[Annotation][]string

func (b brokenBy) add(e *Entry, f Field) {
	if f.Attribution != Introduced || f.InputLine == 0 || !fs.ValidPath(f.Input) {
		return
	}
	at := Annotation{Path: f.Input, StartLine: f.InputLine, EndLine: f.InputLine, Level: LevelFailure}
	b[at] = append(b[at], e.Path)
}

func (b brokenBy) annotations() []Annotation {
	var as []Annotation
	for a, paths := range b {
		slices.Sort(paths)
		paths = slices.Compact(paths)
		a.Title = "This change breaks " + count(len(paths), "piece") + " of evidence"
		const most = 10
		lines := []string{"The recorded hash of this file no longer holds for:"}
		for _, p := range paths[:min(len(paths), most)] {
			lines = append(lines, verify.ClipBytes(visible.Text(p), 300))
		}
		if more := len(paths) - most; more > 0 {
			lines = append(lines, "and "+thousands(more)+" more")
		}
		a.Message = strings.Join(lines, "\n")
		as = append(as, a)
	}
	slices.SortFunc(as, func(a, b Annotation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
	return as
}

// annotation is false for a place that is not in the repository.
func annotation(e *Entry, f Field, level string) (Annotation, bool) {
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
	hint := f.Hint
	if f.NextStep != "" {
		hint = ""
	}
	for _, l := range []struct{ label, value string }{
		{"recorded: ", f.Recorded}, {"now: ", f.Observed}, {"next: ", f.NextStep}, {"hint: ", hint},
	} {
		if l.value != "" {
			lines = append(lines, l.label+l.value)
		}
	}
	for i, l := range lines {
		lines[i] = verify.ClipBytes(visible.Text(l), 1000)
	}
	line := max(1, f.Location.Line)
	return Annotation{
		Path: path, StartLine: line, EndLine: line, StartColumn: f.Location.Column,
		Level: level, Title: verify.ClipBytes(visible.Text(title), 255), Message: strings.Join(lines, "\n"),
	}, true
}
