package aos

import (
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// outcomeSkills judges that each outcome says which skill it is of, and that it
// is the plan's.
func (j *checker) outcomeSkills(list []*jsondoc.Node, plan *file) {
	var steps map[string]*jsondoc.Node
	if plan != nil {
		steps = stepsByID(plan)
		j.planOrder(list, plan)
	}
	for _, name := range []string{"skill_id", "skill_version"} {
		r := j.rule("metadata." + name)
		for i, o := range list {
			n, field := o.Get("metadata").Get(name), j.outcome(i, "metadata."+name)
			pinned := steps[o.Get("step_id").Text()].Get(name)
			if name == "skill_id" {
				pinned = skillOf(steps[o.Get("step_id").Text()])
			}
			switch {
			case !isText(n) || n.Text() == "":
				r.add(verify.Warn, field, orParent(n, o), "cannot-pin", "cannot pin: "+name+" is missing")
			case isText(pinned) && pinned.Text() != n.Text():
				reason := "step ran another version: "
				if name == "skill_id" {
					reason = "step ran another skill: "
				}
				c := r.add(verify.Fail, field, n, "not-the-plans", reason+brief(n)+", the plan has "+brief(pinned))
				c.Observed, c.Input = shown(pinned), plan.path
			}
		}
		r.end("")
	}
}

// planOrder judges that the outcomes are of the plan's steps, in its order
// (PIN-009, Skill Execution Order). A step may have several.
func (j *checker) planOrder(list []*jsondoc.Node, plan *file) {
	order := make(map[string]int)
	for i, step := range plan.doc.Root.Get("steps").Items() {
		order[step.Get("step_id").Text()] = i
	}
	r := j.rule("step_id")
	last := 0
	seen := make(map[int]bool)
	for i, o := range list {
		n := o.Get("step_id")
		if !isText(n) {
			continue
		}
		k, ok := order[n.Text()]
		switch {
		case !ok:
			r.add(verify.Fail, j.outcome(i, "step_id"), n, "not-the-plans", "the plan has no step "+brief(n)).Input = plan.path
		case k < last:
			r.add(verify.Fail, j.outcome(i, "step_id"), n, "plan-order", "step "+brief(n)+" is not in the plan's order").Input = plan.path
		}
		last = max(last, k)
		seen[k] = seen[k] || ok
	}
	steps := plan.doc.Root.Get("steps").Items()
	for k := range last {
		if !seen[k] && order[steps[k].Get("step_id").Text()] == k {
			r.add(verify.Warn, "step_id", nil, "step-skipped", "step "+brief(steps[k].Get("step_id"))+" of the plan has no outcome, and later steps have one").Input = plan.path
		}
	}
	r.end("in the plan's order")
}

// budget judges the sum of the costs.
func (j *checker) budget(list []*jsondoc.Node, plan *file) {
	limit, ok := plan.doc.Root.Get("context").Get("budget_cents").Float()
	if !ok {
		return
	}
	var sum float64
	for _, o := range list {
		cost, _ := o.Get("cost_cents").Float()
		sum += cost
	}
	var c *verify.Check
	if sum <= limit {
		c = j.OK("cost_cents", verify.Spot{}, "within the plan's budget")
	} else {
		c = j.Fail("cost_cents", verify.Spot{}, "over-budget", "cost exceeds the plan's budget")
	}
	c.Recorded, c.Observed, c.Input = fmt.Sprint(sum), fmt.Sprint(limit), plan.path
}

// retries judges that no step was tried again more often than the plan allows ("Same
// attempt_number and max_retries → same retry decision", PIN-009; "Retry policy change:
// Store policy in plan").
func (j *checker) retries(list []*jsondoc.Node, plan *file) {
	r := j.rule("observability.backend_retries")
	steps, judged := stepsByID(plan), false
	for i, o := range list {
		n := o.Get("observability").Get("backend_retries")
		limit := maxRetries(steps[o.Get("step_id").Text()], plan.doc.Root)
		most, limited := limit.Float()
		count, recorded := n.Float()
		if !limited || !recorded {
			continue
		}
		judged = true
		codes := retryPolicy(steps[o.Get("step_id").Text()], plan.doc.Root).Get("retryable_codes")
		switch code := o.Get("code"); {
		case count > 0 && codes.Is(jsondoc.Array) && len(codes.Items()) == 0:
			c := r.add(verify.Fail, j.outcome(i, "observability.backend_retries"), n, "retry-not-allowed", brief(n)+" retries, and the plan has no code that may be tried again")
			c.Input = plan.path
		case count < most && o.Get("status").Text() == "failure" && hasText(codes, code.Text()):
			c := r.add(verify.Warn, j.outcome(i, "observability.backend_retries"), n, "retries-left", "gave up after "+brief(n)+" retries: the plan tries "+brief(code)+" again "+brief(limit)+" times")
			c.Observed, c.Input = shown(limit), plan.path
		}
		if count > most {
			c := r.add(verify.Fail, j.outcome(i, "observability.backend_retries"), n, "too-many-retries", brief(n)+" retries, and the plan allows "+brief(limit))
			c.Observed, c.Input = shown(limit), plan.path
		}
	}
	if judged {
		r.end("within the plan's max_retries")
	}
}

// maxRetries is the bound that a plan sets for a step.
func maxRetries(step, plan *jsondoc.Node) *jsondoc.Node {
	return retryPolicy(step, plan).Get("max_retries")
}

// retryPolicy is that of a step: the step's own, or else the plan's ("if error_code not in
// policy.retryable_codes: return False", PIN-009, Retry Decision Formula). Which codes the
// tries before the last one ended with is not recorded.
func retryPolicy(step, plan *jsondoc.Node) *jsondoc.Node {
	for _, holder := range []*jsondoc.Node{step, plan, plan.Get("context")} {
		if p := holder.Get("retry_policy"); p.Get("max_retries") != nil {
			return p
		}
	}
	return nil
}

func hasText(list *jsondoc.Node, text string) bool {
	return slices.ContainsFunc(list.Items(), func(n *jsondoc.Node) bool { return n.Is(jsondoc.String) && n.Text() == text })
}
