package summary

import "github.com/replay-gate/replay-gate/summary/visible"

// explainer says of single fields what the causes say of all of them, for programs that show
// one finding at a time.
type explainer struct {
	report *Report
	causes map[fieldKey]*Cause
	told   map[*Cause][]string
}

// fieldKey names a field that fails, and whether this change brought that.
type fieldKey struct {
	evidence, field string
	introduced      bool
}

func newExplainer(r *Report) *explainer {
	x := &explainer{report: r, causes: make(map[fieldKey]*Cause), told: make(map[*Cause][]string)}
	for i := range r.Causes {
		c := &r.Causes[i]
		for _, a := range c.Claims {
			for _, field := range a.Fields {
				x.causes[fieldKey{a.Evidence, field, c.Introduced}] = c
			}
		}
	}
	return x
}

// lines are what is known of a field that fails: the cause, what changed, what to do, who
// brought it, and both values. They are printable.
func (x *explainer) lines(e *Entry, f *Field) []string {
	var lines []string
	if c := x.causes[fieldKey{e.Path, f.Field, f.Attribution != PreExisting}]; c != nil {
		lines = append(lines, x.cause(c)...)
	} else if f.NextStep != "" {
		lines = append(lines, "next: "+visible.Text(f.NextStep))
	}
	for _, v := range []struct{ label, value string }{
		{"attribution: ", attributionWord(f.Attribution)}, {"recorded: ", f.Recorded}, {"now: ", f.Observed}, {"at: ", f.Location.String()},
	} {
		if v.value != "" {
			lines = append(lines, v.label+visible.Text(v.value))
		}
	}
	return lines
}

// cause is one cause in lines, made once.
func (x *explainer) cause(c *Cause) []string {
	if lines, ok := x.told[c]; ok {
		return lines
	}
	lines := []string{plainWords(c.title(x.report))}
	if words, v := c.by(); v != nil {
		lines = append(lines, words+" "+visible.Text(shortID(v.Commit))+", "+whoAndWhat(v, !c.Introduced))
	} else if words != "" {
		lines = append(lines, words)
	}
	lines = append(lines, c.difference(x.report)...)
	for _, follows := range c.Follows[:min(len(c.Follows), maxShown)] {
		lines = append(lines, visible.Text(follows))
	}
	for _, s := range c.Meant {
		lines = append(lines, "meant it? "+stepLine(s))
	}
	for _, s := range c.Undo {
		lines = append(lines, "did not? "+stepLine(s))
	}
	if len(c.Claims) > 1 || len(c.Claims[0].Fields) > 1 { // others are asked for once
		x.told[c] = lines
	}
	return lines
}

// stepLine is a step on one line.
func stepLine(s Step) string {
	line := visible.Text(s.Text)
	if s.Discards != "" {
		line += " (discards " + visible.Text(s.Discards) + ")"
	}
	if command, ok := ShellCommand(s.Command, s.Into); ok {
		line += ": " + command
	}
	return line
}
