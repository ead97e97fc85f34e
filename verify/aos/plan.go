package aos

import (
	"math"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// plan judges a stored plan, in the shape of the document (PIN-009, What is
// Stored for Replay). The runtime's own plans call a step's skill "skill", and
// pin no version.
func (j *checker) plan() {
	root := j.doc.Root
	steps := root.Get("steps")
	if !steps.Is(jsondoc.Array) {
		j.wrong("steps", root, steps, "a list")
	}
	j.planSteps(steps.Items())
	if steps.Is(jsondoc.Array) {
		j.planStored(root, steps.Items())
	}
	j.planBudget(root.Get("context").Get("budget_cents"))
}

// skillOf is the skill of a plan's step in either shape.
func skillOf(step *jsondoc.Node) *jsondoc.Node {
	if n := step.Get("skill_id"); n != nil {
		return n
	}
	return step.Get("skill")
}

func (j *checker) planSteps(steps []*jsondoc.Node) {
	ids, skills, versions := j.rule("steps[].step_id"), j.rule("steps[].skill_id"), j.rule("steps[].skill_version")
	allowed := j.doc.Root.Get("context").Get("allowed_skills")
	permitted := make(map[string]bool)
	for _, n := range allowed.Items() {
		permitted[n.Text()] = true
	}
	seen := make(map[string]bool)
	for i, step := range steps {
		id, skill, version := step.Get("step_id"), skillOf(step), step.Get("skill_version")
		switch {
		case !isText(id) || id.Text() == "":
			ids.add(verify.Fail, at("steps", i, "step_id"), orParent(id, step), "missing", "must be a string that is not empty")
		case seen[id.Text()]:
			ids.add(verify.Fail, at("steps", i, "step_id"), id, "duplicate-step", "step id is not unique: "+brief(id))
		}
		seen[id.Text()] = true
		switch {
		case !isText(skill) || skill.Text() == "":
			skills.add(verify.Fail, at("steps", i, "skill_id"), orParent(skill, step), "missing", "must be a string that is not empty")
		case allowed.Is(jsondoc.Array) && !permitted[skill.Text()]:
			skills.add(verify.Fail, at("steps", i, "skill_id"), skill, "skill-not-allowed", brief(skill)+" is not in allowed_skills")
		}
		switch {
		case isText(version) && version.Text() != "":
		case step.Get("skill_id") == nil && step.Get("skill") != nil:
			versions.add(verify.Info, at("steps", i, "skill_version"), step, "not-pinned", "cannot be checked: the runtime's own plans pin no version")
		default:
			versions.add(verify.Fail, at("steps", i, "skill_version"), orParent(version, step), "missing", "skill version is not pinned")
		}
	}
	ids.end("")
	skills.end("")
	versions.end("")
}

// planStored judges that a plan has what the document stores for a replay (PIN-009, What
// is Stored for Replay). The runtime's own plans have a goal, and params for parameters.
func (j *checker) planStored(root *jsondoc.Node, steps []*jsondoc.Node) {
	documents := slices.ContainsFunc(steps, func(s *jsondoc.Node) bool { return s.Get("skill_id") != nil })
	names := []string{"goal"}
	if documents {
		names = []string{"plan_id", "created_at", "agent_id", "goal", "context"}
	}
	r := j.rule("stored")
	for _, name := range names {
		if n := root.Get(name); isNone(n) && !j.behindBreak(n) || isText(n) && n.Text() == "" {
			r.add(verify.Warn, name, orParent(n, root), "not-stored", "is missing; a replayable plan stores it")
		}
	}
	for i, step := range steps {
		if isNone(step.Get("parameters")) && isNone(step.Get("params")) {
			r.add(verify.Warn, at("steps", i, "parameters"), step, "not-stored", "are missing; a replayable plan stores them")
		}
	}
	r.end("what a replay needs")
}

func (j *checker) planBudget(n *jsondoc.Node) {
	const field = "context.budget_cents"
	f, ok := n.Float()
	switch {
	case n == nil:
		j.Info(field, verify.Spot{}, "absent", "no budget")
	case !ok:
		j.Fail(field, j.spot(n), "wrong-type", "must be a number, is "+n.Kind().String())
	case math.IsInf(f, 0):
		j.Fail(field, j.spot(n), "wrong-type", "is beyond any number")
	case f < 0:
		j.Fail(field, j.spot(n), "negative-budget", "must be at least 0")
	default:
		j.OK(field, j.spot(n), "")
	}
}

// stepsByID are the steps of a plan.
func stepsByID(plan *file) map[string]*jsondoc.Node {
	steps := make(map[string]*jsondoc.Node)
	for _, step := range plan.doc.Root.Get("steps").Items() {
		if id := step.Get("step_id"); isText(id) {
			steps[id.Text()] = step
		}
	}
	return steps
}

// sharesSteps says that a plan has any of the steps that the outcomes are of.
func sharesSteps(plan *file, list []*jsondoc.Node) bool {
	steps := stepsByID(plan)
	for _, o := range list {
		if steps[o.Get("step_id").Text()] != nil {
			return true
		}
	}
	return false
}
