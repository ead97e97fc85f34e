package sigmapol

import (
	"fmt"
	"strings"
)

// Row is one ranked candidate as a trace records it. A trace lists at most the first ten.
type Row struct {
	ProviderID  string  `json:"provider_id"`
	ModelFamily string  `json:"model_family"`
	Tier        string  `json:"tier"`
	Score       float64 `json:"score"`
}

// The events of a decision path.
const (
	Attempted        = "attempted"         // a call; it failed if it has an error kind
	Skipped          = "skipped"           // the provider was disabled at that moment
	ProviderDisabled = "provider_disabled" // by the fail plan, after an error
	RetryScheduled   = "retry_scheduled"   // the same candidate again, after a pause
)

// Event is one entry of a decision path, in the trace's own JSON. Strings are the trace's; escape them before showing.
type Event struct {
	Event       string   `json:"event"`
	ProviderID  string   `json:"provider_id"`
	ModelFamily string   `json:"model_family,omitempty"` // not of provider_disabled
	Attempt     *float64 `json:"attempt,omitempty"`      // of attempted and retry_scheduled, from 1
	BackoffMS   *float64 `json:"backoff_ms,omitempty"`   // of retry_scheduled
	Reason      string   `json:"reason,omitempty"`       // of skipped and provider_disabled
	LatencyMS   *float64 `json:"latency_ms,omitempty"`   // of attempted; not compared
	ErrorKind   *string  `json:"error_kind,omitempty"`   // of an attempt that failed
}

// String writes what the policy decides of an event, on one line.
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", e.Event, e.ProviderID)
	if e.ModelFamily != "" {
		fmt.Fprintf(&b, " %q", e.ModelFamily)
	}
	if e.Attempt != nil {
		fmt.Fprintf(&b, " attempt %g", *e.Attempt)
	}
	if e.BackoffMS != nil {
		fmt.Fprintf(&b, " backoff %g ms", *e.BackoffMS)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, " reason %q", e.Reason)
	}
	return b.String()
}

// Divergence is the first place where a recorded path leaves the one that the policy prescribes.
type Divergence struct {
	Index    int    // in the recorded path, from 0; its length if the path ends too early
	Expected *Event // nil if the path should have ended here
	Recorded *Event // nil if it did end here
}

// String says what differs, for example `event 2: expected …, recorded …`, counting from 1.
func (d Divergence) String() string {
	name := func(e *Event) string {
		if e == nil {
			return "the end of the path"
		}
		return e.String()
	}
	return fmt.Sprintf("event %d: expected %s, recorded %s", d.Index+1, name(d.Expected), name(d.Recorded))
}

// Walked is what the fail plan makes of a decision path.
type Walked struct {
	// Divergence is nil if every event that could be checked is the one that the policy prescribes.
	Divergence *Divergence

	// Complete is set if the whole path was walked and agrees. It is unset after a divergence, and if the path goes on
	// to candidates that the trace cut off.
	Complete bool

	// Checked is how many events were found to agree.
	Checked int

	// Answered is the row, from 0, whose attempt succeeded; -1 if none did.
	Answered int

	// Error is how the engine must have failed: no_candidates, an error kind, or "exhausted: " and the last error kind.
	// It is set only if the path is complete and nothing answered.
	Error string
}

// Walk replays the failover of a decision: from the fail plan of the policy and the ranked rows it says which events
// must follow from the errors that the path records, and compares. What the world
// contributed is taken from the path: whether an attempt failed and how, and whether a provider was disabled by then.
// ranked may be cut short; total is the length of the whole ranking.
func Walk(policy Term, ranked []Row, total int, path []Event) Walked {
	w := walk{plan: Normalize(policy).slotOf(FailPlan), path: path, result: Walked{Answered: -1}}
	w.run(ranked, total > len(ranked))
	w.result.Checked = w.at
	w.result.Complete = w.result.Complete && w.result.Divergence == nil
	return w.result
}

type walk struct {
	plan   *node
	path   []Event
	at     int // the next event
	result Walked
}

func (w *walk) run(ranked []Row, cut bool) {
	if len(ranked) == 0 && !cut {
		w.end("no_candidates")
		return
	}
	lastError := "no_candidates"
	for cursor, retries := 0, 0; ; {
		if cursor >= len(ranked) {
			if !cut {
				w.end("exhausted: " + lastError)
			}
			return
		}
		row := ranked[cursor]
		if w.skips(row) {
			cursor, retries = cursor+1, 0
			continue
		}
		attempt := float64(retries + 1)
		if !w.step(Event{Event: Attempted, ProviderID: row.ProviderID, ModelFamily: row.ModelFamily, Attempt: &attempt}) {
			return
		}
		kind := w.path[w.at-1].ErrorKind
		if kind == nil {
			w.result.Answered = cursor
			w.end("")
			return
		}
		lastError = *kind

		act := actionFor(w.plan, *kind)
		switch act.Verb() {
		case "abort":
			w.end(*kind)
			return
		case "retry_same":
			retries++
			if float64(retries) <= act.Attempts() {
				n, backoff := float64(retries), act.Backoff(retries)
				if !w.step(Event{Event: RetryScheduled, ProviderID: row.ProviderID, ModelFamily: row.ModelFamily, Attempt: &n, BackoffMS: &backoff}) {
					return
				}
				continue
			}
			// Any other verb here, even next_provider_same_model, means the next candidate: so the engine has it.
			if act.ThenVerb() == "abort" {
				w.end(*kind)
				return
			}
			cursor++
		case "disable_provider":
			if !w.step(Event{Event: ProviderDisabled, ProviderID: row.ProviderID, Reason: *kind}) {
				return
			}
			cursor++
		case "next_provider_same_model":
			cursor++
			for cursor < len(ranked) && ranked[cursor].ModelFamily != row.ModelFamily {
				cursor++
			}
		default:
			cursor++
		}
		retries = 0
	}
}

// skips takes a skip of the row if one is recorded. Which providers were disabled is live state, so none is expected.
func (w *walk) skips(row Row) bool {
	if w.at >= len(w.path) || w.path[w.at].Event != Skipped {
		return false
	}
	return w.step(Event{Event: Skipped, ProviderID: row.ProviderID, ModelFamily: row.ModelFamily, Reason: "disabled_provider"})
}

// step compares the next event with the expected one and moves past it.
func (w *walk) step(expected Event) bool {
	if w.result.Divergence != nil {
		return false
	}
	if w.at == len(w.path) {
		w.result.Divergence = &Divergence{Index: w.at, Expected: &expected}
		return false
	}
	recorded := w.path[w.at]
	if !agree(expected, recorded) {
		w.result.Divergence = &Divergence{Index: w.at, Expected: &expected, Recorded: &recorded}
		return false
	}
	w.at++
	return true
}

// end closes the walk: nothing may follow.
func (w *walk) end(failure string) {
	if w.at < len(w.path) {
		recorded := w.path[w.at]
		w.result.Divergence = &Divergence{Index: w.at, Recorded: &recorded}
		return
	}
	w.result.Complete = true
	w.result.Error = failure
}

// agree compares what the policy decides of an event; latencies, statuses and messages are the world's.
func agree(expected, recorded Event) bool {
	equal := func(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }
	return expected.Event == recorded.Event &&
		expected.ProviderID == recorded.ProviderID &&
		(expected.Event == ProviderDisabled || expected.ModelFamily == recorded.ModelFamily) &&
		equal(expected.Attempt, recorded.Attempt) &&
		equal(expected.BackoffMS, recorded.BackoffMS) &&
		expected.Reason == recorded.Reason
}
