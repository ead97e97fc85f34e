package dvc

import (
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// cmd compares the recorded command with dvc.yaml's, type included: a text and a list of
// that text are two commands (StageLoader.load_stage, cmd_changed).
func (j *checker) cmd(st *stage, recorded *lockStage) {
	id := field(st.name, "cmd")
	at := recorded.cmdAt
	if recorded.cmd == nil {
		return // the schema's row has failed
	}
	var c *verify.Check
	switch {
	case st.cmdErr != nil:
		c = j.rows.Info(id, at, "templated", "not compared: "+st.cmdErr.Error())
		c.Unproven = true
	case equal(st.cmd, recorded.cmd, &j.steps):
		c = j.rows.OK(id, at, "the same command")
	case sameWords(st.cmd, recorded.cmd):
		c = j.rows.Fail(id, at, "command-layout", "changed in blanks and line ends only, which DVC takes for another command")
		c.Hint, c.Command = "if only the layout changed, take the results over as they are", []string{"dvc", "commit", j.address(st.name)}
	default:
		c = j.rows.Fail(id, at, "command-differs", "changed: "+j.behind(st))
		j.repro(c)
	}
	c.Input = j.pipe.path
	j.in.add(verify.Input{Role: "pipeline", Path: j.pipe.path, Field: id})
	c.Recorded = verify.Shorten(command(recorded.cmd), verify.MaxValue)
	if st.cmdErr == nil && c.Status == verify.Fail {
		c.Observed = verify.Shorten(command(st.cmd), verify.MaxValue)
	}
}

// command shows a command.
func command(v value) string {
	if text, ok := v.(string); ok {
		return text
	}
	return show(v)
}

// sameWords reports whether two commands differ in blanks only.
func sameWords(a, b value) bool {
	x, ok := a.(string)
	y, ok2 := b.(string)
	return ok && ok2 && strings.Join(strings.Fields(x), " ") == strings.Join(strings.Fields(y), " ")
}

// address is how the command line names a stage of this lock from the top of the
// repository.
func (j *checker) address(stage string) string {
	if j.pipe.path == pipelineName {
		return stage
	}
	return j.pipe.path + ":" + stage
}

// repro adds the step that makes results new: of all stages that are not up to date, as a
// stage by its name leaves those that come after it as they are.
func (j *checker) repro(c *verify.Check) {
	c.Hint, c.Command = "run what is not up to date, and commit what it writes", []string{"dvc", "repro"}
	if j.pipe.path != pipelineName {
		c.Command = append(c.Command, j.pipe.path)
	}
}
