package aos

import (
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
		// "A replayable plan contains …" (PIN-009, What is Stored for Replay).
		{"no agent", edit(t, plan, `"agent_id": "a1d7b8a2-3f58-4a0e-8a54-0f6d3a6f9f01",`, ``), "warn agent_id not-stored 1:1"},
		{"no goal", edit(t, plan, `"Fetch data and notify"`, `""`), "warn goal not-stored 5:10"},
		{"no parameters", edit(t, plan, `"parameters": {
    "target": "hooks.example.com"
   }`, `"parameters": null`), "warn steps[1].parameters not-stored 17:3"},
		{"no context", `{"plan_id":"p","created_at":"c","agent_id":"a","goal":"g","steps":[{"step_id":"a","skill_id":"s","skill_version":"1","parameters":{}}]}`, "warn context not-stored 1:1"},
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
