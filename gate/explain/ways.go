package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// maxAgain bounds the commands that a cause prints for running again, and maxAccept those
// for accepting single fields.
const (
	maxAgain  = 3
	maxAccept = 3
)

// ways says what to do about a cause that this change brought: if the change was meant, and
// if it was not.
func (g *grouping) ways(c *Cause) {
	switch c.Kind {
	case InputChanged:
		g.inputWays(c)
	default:
		g.evidenceWays(c)
	}
}

func (g *grouping) inputWays(c *Cause) {
	if now := g.movedTo(c); now != "" {
		c.Meant = []Step{{Text: "say where it lies now", Argv: []string{"replay-gate", "mv", operand(c.Path), operand(now)}}}
		c.Undo = []Step{{Text: "move it back", Argv: []string{"git", "mv", operand(now), operand(c.Path)}}}
		return
	}
	all, broken := g.acceptable(c)
	if !broken {
		c.Meant = g.again(c)
	}
	if all {
		c.Meant = append(c.Meant, accepting("", "--input", c.Path))
	}
	switch {
	case c.Why != nil && c.Why.Recorded != nil:
		c.Undo = []Step{restore(c.Path, c.Why)}
	case c.Here != "" && g.Base.Hash != "":
		c.Undo = []Step{{Text: "restore it", Argv: []string{"git", "checkout", short(g.Base.Hash), "--", pathspec(c.Path)}}}
	default:
		c.Undo = g.ownSteps(c)
	}
}

func (g *grouping) evidenceWays(c *Cause) {
	all, broken := g.acceptable(c)
	if !broken && c.Kind == EvidenceChanged && g.has(c, judge.CodeRewritten, judge.CodeRedated, "report-edited") {
		c.Meant = g.again(c)
	}
	if all {
		c.Meant = append(c.Meant, g.acceptFields(c)...)
	}
	c.Undo = g.ownSteps(c)
}

// ownSteps are the steps of a cause's rows, each once, other than those for accepting and
// running again, which belong to the other way.
func (g *grouping) ownSteps(c *Cause) []Step {
	var steps []Step
	for _, a := range c.Fails {
		for _, k := range a.Rows {
			s := g.x.Steps[a.Evidence][k]
			meant := slices.ContainsFunc(c.Meant, func(m Step) bool { return slices.Equal(m.Argv, s.Argv) && m.Argv != nil })
			if accepts := len(s.Argv) > 1 && s.Argv[1] == "accept"; accepts || meant || s.Text == "" {
				continue
			}
			if !slices.ContainsFunc(steps, func(o Step) bool { return o.Text == s.Text && slices.Equal(o.Argv, s.Argv) }) && len(steps) < maxAgain {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// movedTo is where the input of a cause lies now, if that is all that happened to it.
func (g *grouping) movedTo(c *Cause) string {
	to := ""
	for _, a := range c.Fails {
		e := &g.judged.Evidence[a.Evidence]
		for _, k := range a.Rows {
			row := &e.Rows[k]
			now, ok := strings.CutPrefix(row.Hint, "moved to ")
			switch {
			case row.Code == "not-compared":
			case !ok || to != "" && now != to:
				return ""
			default:
				to = now
			}
		}
	}
	return to
}

// acceptable reports whether people may accept all rows of a cause, and whether one of them
// is about a file that is broken.
func (g *grouping) acceptable(c *Cause) (all, broken bool) {
	all = true
	for _, a := range c.Fails {
		e := &g.judged.Evidence[a.Evidence]
		for _, k := range a.Rows {
			row := e.Rows[k]
			if !e.Acceptable(row) || slices.Contains([]string{"not-valid", "cannot-judge"}, row.Code) {
				all, broken = false, true
			}
		}
	}
	return all, broken
}

func (g *grouping) has(c *Cause, codes ...string) bool {
	for _, a := range c.Fails {
		for _, k := range a.Rows {
			if slices.Contains(codes, g.judged.Evidence[a.Evidence].Rows[k].Code) {
				return true
			}
		}
	}
	return false
}

// acceptFields accepts the failing fields of evidence one by one, or all that this change
// brought where they are many.
func (g *grouping) acceptFields(c *Cause) []Step {
	var fields []string
	for _, a := range c.Fails {
		for _, k := range a.Rows {
			if f := g.judged.Evidence[a.Evidence].Rows[k].Field; !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
		}
	}
	if len(fields) > maxAccept {
		return []Step{accepting(g.Named, "--all-introduced")}
	}
	var steps []Step
	for _, f := range fields {
		steps = append(steps, accepting(g.Named, operand(c.Path), f))
	}
	return steps
}

// again is how what fails is run again, each way once: as the kind of evidence says it of
// its rows, or else by the recorded commands, in the words that work in this repository.
func (g *grouping) again(c *Cause) []Step {
	var steps []Step
	add := func(argv []string) {
		same := func(s Step) bool { return slices.Equal(s.Argv, argv) }
		if len(argv) > 0 && len(steps) < maxAgain && !slices.ContainsFunc(steps, same) {
			steps = append(steps, Step{Text: "run again", Argv: argv})
		}
	}
	for _, a := range c.Fails {
		e := &g.judged.Evidence[a.Evidence]
		said := false
		for _, k := range a.Rows {
			add(e.Rows[k].Command)
			said = said || len(e.Rows[k].Command) > 0
		}
		if !said {
			add(here(e.Head))
		}
	}
	return steps
}

// interpreters run a script that is their first argument.
var interpreters = []string{"node", "python", "python3", "ruby", "deno", "bun"}

// here is the recorded command as one would type it now: the tool by its name, and the
// inputs by their places in this repository.
func here(r *verify.Result) []string {
	if len(r.Recording.Again) > 0 {
		return r.Recording.Again
	}
	argv := slices.Clone(r.Recording.Argv)
	base := func(word string) string { return path.Base(strings.ReplaceAll(word, `\`, "/")) }
	if len(argv) > 1 && r.Recording.Tool != "" && slices.Contains(interpreters, strings.TrimSuffix(base(argv[0]), ".exe")) {
		script := base(argv[1])
		if strings.TrimSuffix(script, path.Ext(script)) == r.Recording.Tool {
			argv = append([]string{r.Recording.Tool}, argv[2:]...)
		}
	}
	for i, word := range argv {
		for _, in := range r.Inputs {
			if in.Recorded != "" && in.Recorded == word && in.Path != "" && !in.Missing {
				argv[i] = in.Path
			}
		}
	}
	return argv
}
