package aos

import (
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// plan judges a stored plan, in the shape of the document (PIN-009, What is
// Stored for Replay). The runtime's own plans call a step's skill "skill", and
// pin no version.
func (j *judge) plan() {
	root := j.doc.Root
	steps := root.Get("steps")
	if !steps.Is(jsondoc.Array) {
		j.wrong("steps", root, steps, "a list")
	}
	j.planSteps(steps.Items())
	j.planBudget(root.Get("context").Get("budget_cents"))
	if before := j.base(); before != nil && before.kind == kindPlan {
		j.planSinceBase(before)
	}
}

// skillOf is the skill of a plan's step in either shape.
func skillOf(step *jsondoc.Node) *jsondoc.Node {
	if n := step.Get("skill_id"); n != nil {
		return n
	}
	return step.Get("skill")
}

func (j *judge) planSteps(steps []*jsondoc.Node) {
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

func (j *judge) planBudget(n *jsondoc.Node) {
	const field = "context.budget_cents"
	f, ok := n.Float()
	switch {
	case n == nil:
		j.info(field, nil, "absent", "no budget")
	case !ok:
		j.fail(field, n, "wrong-type", "must be a number, is "+n.Kind().String())
	case f < 0:
		j.fail(field, n, "negative-budget", "must be at least 0")
	default:
		j.ok(field, n, "")
	}
}

// planSinceBase judges that a plan has not changed under its id: everything in
// it is immutable but created_at (PIN-009, Plan Field Stability).
func (j *judge) planSinceBase(before *file) {
	root, old := j.doc.Root, before.doc.Root
	id := root.Get("plan_id")
	if !isText(id) || id.Text() != old.Get("plan_id").Text() {
		j.info("plan_id", id, "new-plan", "not compared with the base: it is another plan").Observed = shown(old.Get("plan_id"))
		return
	}
	r := j.rule("plan_id")
	changed := func(field string, n, o *jsondoc.Node) {
		if !sameJSON(j.doc, n, before.doc, o) {
			c := r.add(verify.Fail, field, n, "plan-changed", fmt.Sprintf("plan %s changed: %s", brief(id), field))
			c.Recorded, c.Observed = short(j.doc, n), short(before.doc, o)
		}
	}
	members := func(prefix string, n, o *jsondoc.Node, except ...string) {
		was, is := byName(o), byName(n)
		seen := make(map[string]bool)
		for _, m := range slices.Concat(n.Members(), o.Members()) {
			if !seen[m.Name] && !contains(except, m.Name) {
				seen[m.Name] = true
				changed(prefix+verify.Shorten(m.Name, 64), is[m.Name], was[m.Name])
			}
		}
	}
	members("", root, old, "created_at", "steps", "context")
	steps, oldSteps := root.Get("steps").Items(), old.Get("steps").Items()
	if len(steps) != len(oldSteps) {
		r.add(verify.Fail, "steps", root.Get("steps"), "plan-changed", fmt.Sprintf("plan %s changed: %d steps ≠ %d", brief(id), len(oldSteps), len(steps)))
	}
	for i := range min(len(steps), len(oldSteps)) {
		members(at("steps", i, "")+".", steps[i], oldSteps[i])
	}
	members("context.", root.Get("context"), old.Get("context"))
	r.end("as on the base, created_at apart")
}

// byName are the members of an object; of equal names the last.
func byName(n *jsondoc.Node) map[string]*jsondoc.Node {
	members := make(map[string]*jsondoc.Node, len(n.Members()))
	for _, m := range n.Members() {
		members[m.Name] = m.Value
	}
	return members
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
