package sigmapol

// Action is what a fail plan does after an error (SIGMA-POL §2), as the term has it: a record whose keys "action" and
// "then_action" hold a verb and all others numbers, "backoff_ms" possibly a list of them.
type Action map[string]any

// Verb returns what to do: retry_same, next_candidate, next_provider_same_model, disable_provider or abort.
func (a Action) Verb() string {
	s, _ := a["action"].(string)
	return s
}

// ThenVerb returns what to do once retry_same has used up its attempts; next_candidate unless the policy says otherwise.
func (a Action) ThenVerb() string {
	if s, ok := a["then_action"].(string); ok {
		return s
	}
	return "next_candidate"
}

// Attempts returns how often retry_same tries again; 1 unless the policy says otherwise.
func (a Action) Attempts() float64 {
	if n, ok := a["attempts"].(float64); ok {
		return n
	}
	return 1
}

// Backoff returns the milliseconds to wait before retry n, the first being 1. A list gives one for each retry, and its
// last entry from there on.
func (a Action) Backoff(n int) float64 {
	switch backoff := a["backoff_ms"].(type) {
	case float64:
		return backoff
	case []any:
		if len(backoff) > 0 {
			ms, _ := backoff[min(n, len(backoff))-1].(float64)
			return ms
		}
	}
	return 0
}

// actionFor is what a fail plan does after an error of the given kind. An override for the kind "unknown" replaces the
// base of the plan: it answers every kind that has no override of its own. The result is nil without a plan, and must
// not be changed.
func actionFor(plan *node, kind string) Action {
	if plan == nil {
		return nil
	}
	var unlisted Action
	for ; plan.is("override"); plan = plan.term(0) {
		switch plan.str(1) {
		case kind:
			return plan.action(2)
		case "unknown":
			unlisted = plan.action(2)
		}
	}
	if unlisted != nil {
		return unlisted
	}
	return plan.action(0)
}
