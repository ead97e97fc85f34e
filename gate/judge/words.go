package judge

import (
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// word is one claim of one piece of evidence.
type word struct {
	*verify.Claim
	by string // the path of the evidence
}

// words are the newest word on each thing.
type words map[string]word

// add lets the evidence at path speak. What is said of the future is not yet a word.
func (ws words) add(path string, claims []verify.Claim, now time.Time) {
	for i := range claims {
		c := &claims[i]
		if c.At.IsZero() || c.At.After(now) && !now.IsZero() {
			continue
		}
		for _, key := range slices.Compact([]string{c.About, c.Topic}) {
			w, ok := ws[key]
			// Of two words of one time that of the first path counts: on both sides the same.
			if key != "" && (!ok || c.At.After(w.At) || c.At.Equal(w.At) && path < w.by) {
				ws[key] = word{c, path}
			}
		}
	}
}

// addAll lets all evidence speak of which only the claims are kept.
func (ws words) addAll(held map[string][]verify.Claim, now time.Time) {
	for path, claims := range held {
		ws.add(path, claims, now)
	}
}

// over is the word that took over the claim c of the evidence at path. A backfilled claim,
// which pins a state of git and no run, gives way to any newer run of its topic.
func (ws words) over(path string, c verify.Claim) (word, bool) {
	w, ok := ws[c.About]
	if (!ok || !w.At.After(c.At)) && c.Backfilled {
		w, ok = ws[c.Topic]
	}
	return w, ok && w.by != path && w.At.After(c.At)
}

// taken lists the words that took over claims, one for each that was; all says that none
// is left.
func (ws words) taken(path string, claims []verify.Claim) (by []word, all bool) {
	for _, c := range claims {
		if w, ok := ws.over(path, c); ok {
			by = append(by, w)
		}
	}
	return by, len(by) > 0 && len(by) == len(claims)
}
