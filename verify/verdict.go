package verify

// Verdict is the outcome for a piece of evidence, or of a whole run.
type Verdict string

// The verdicts (DESIGN, section 1).
const (
	// Intact: everything was judged and holds.
	Intact Verdict = "intact"
	// Drift: at least one recorded value no longer holds.
	Drift Verdict = "drift"
	// Unchecked: nothing is known to have drifted, but something could not
	// be judged.
	Unchecked Verdict = "unchecked"
)
