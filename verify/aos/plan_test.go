package aos

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

const planName = "plans/a.plan.json"

// "plan: unique step ids; skills in allowed_skills; skill_version set; budget ≥ 0".
func TestPlanValues(t *testing.T) {
	plan := read(t, "doc-derived/plan.json")
	tests := []struct {
		name, text, want string
	}{
		{"as stored", plan, ""},
		{"a step id twice", edit(t, plan, `"step-002"`, `"step-001"`), "FAIL steps[1].step_id duplicate-step 18:15"},
		{"no step id", edit(t, plan, `"step_id": "step-002",`, ``), "FAIL steps[1].step_id missing 17:3"},
		{"a skill that is not allowed", edit(t, plan, "   \"webhook_send\"\n", "   \"other\"\n"), "FAIL steps[1].skill_id skill-not-allowed 19:16"},
		{"no version", edit(t, plan, `"skill_version": "1.2.0",`, ``), "FAIL steps[0].skill_version missing 7:3"},
		{"an empty version", edit(t, plan, `"1.2.0"`, `""`), "FAIL steps[0].skill_version missing 10:21"},
		{"a budget below 0", edit(t, plan, `1000`, `-1`), "FAIL context.budget_cents negative-budget 27:19"},
		{"a budget that is text", edit(t, plan, `1000`, `"1000"`), "FAIL context.budget_cents wrong-type 27:19"},
		{"no budget", edit(t, plan, `"budget_cents": 1000,`, ``), ""},
		{"steps that are no list", `{"plan_id":"p","context":{},"steps":{}}`, "FAIL steps wrong-type 1:37"},
	}
	for _, tt := range tests {
		if got := bad(alone(planName, tt.text)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	// "the code's plans cannot be checked for it"
	r := alone(planName, `{"plan_id":"p","goal":"g","steps":[{"step_id":"a","skill":"s","params":{}}]}`)
	says(t, row(t, r, "steps[0].skill_version"), verify.Info, "cannot be checked")
	if bad(r) != "" {
		t.Error(bad(r))
	}
}

// "unchanged against base for the same plan_id (created_at apart)".
func TestPlanSinceBase(t *testing.T) {
	plan := read(t, "doc-derived/plan.json")
	changed := func(field string) string { return "FAIL " + field + " plan-changed" }
	tests := []struct {
		name, text, want string
	}{
		{"created_at", edit(t, plan, "06:29:00Z", "07:00:00Z"), ""},
		{"agent_id", edit(t, plan, "a1d7b8a2", "00000000"), changed("agent_id")},
		{"goal", edit(t, plan, "Fetch data", "Drop data"), changed("goal")},
		{"a parameter", edit(t, plan, `"GET"`, `"PUT"`), changed("steps[0].parameters")},
		{"a version", edit(t, plan, `"1.2.0"`, `"1.2.1"`), changed("steps[0].skill_version")},
		{"the budget", edit(t, plan, `1000`, `9000`), changed("context.budget_cents")},
		{"allowed skills", edit(t, plan, `"allowed_skills": [`, `"allowed_skills": ["any",`), changed("context.allowed_skills")},
		{"a member more", edit(t, plan, `"goal":`, `"owner": "x", "goal":`), changed("owner")},
		{"a member less", edit(t, plan, `"goal": "Fetch data and notify",`, ``), changed("goal")},
		{"a step less", plan[:strings.LastIndex(plan[:strings.Index(plan, `"step-002"`)], ",")] + "]," + plan[strings.Index(plan, `"context"`):], changed("steps")},
		{"another plan", edit(t, edit(t, plan, "0d1c6f0a", "ffffffff"), `1000`, `9000`), ""},
	}
	for _, tt := range tests {
		if got := faults(since(planName, plan, tt.text)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	says(t, row(t, since(planName, plan, tests[2].text), "goal"), verify.Fail, "plan 0d1c6f0a-6f2f-4c55-9a0b-1d5c0f5f7a11 changed: goal")
	says(t, row(t, since(planName, plan, tests[10].text), "plan_id"), verify.Info, "another plan")
}
