package bundle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Judge comes to the verdict of a bundle from nothing but what the bundle holds. Its error
// is the caller's own, such as the end of a context.
type Judge func(*Archive) (verify.Result, error)

// notReplayed is the reason for a row that a replay does not come to again.
const notReplayed = "rests on more than the bundle carries"

// prove judges what has been gathered as a replay will, and returns the fields (see
// [numbered]) that do not come out as they were judged. So what replay_coverage says is
// what happens, whatever a verdict rested on. If the inputs alone do not give the verdict,
// everything that the judgement read goes in.
func (c *content) prove(src *Source) (lacking map[string]bool, left []omission, err error) {
	if src.Judge == nil {
		return nil, nil, nil
	}
	for more := true; ; more = false {
		entries := slices.Clone(c.entries)
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		r, err := src.Judge(&Archive{Manifest: c.manifest, Entries: entries})
		if err != nil {
			return nil, nil, fmt.Errorf("judging the bundle: %w", err)
		}
		if lacking = differing(&src.Result, &r); len(lacking) == 0 || !more || src.Result.Reads == nil {
			return lacking, left, nil
		}
		if left, err = c.addReads(src.Tree, src.Result.Reads); err != nil {
			return nil, nil, err
		}
	}
}

// differing names the rows of which two verdicts do not say the same. The name of what
// stands for no row is empty.
func differing(a, b *verify.Result) map[string]bool {
	is := make(map[string]verify.Check)
	names := numbered(b.Checks)
	for i, c := range b.Checks {
		is[names[i]] = c
	}
	found := make(map[string]bool)
	for i, name := range numbered(a.Checks) {
		if c, ok := is[name]; !ok || !sameRow(a.Checks[i], c) {
			found[name] = true
		}
		delete(is, name)
	}
	if len(is) > 0 || a.Unchecked != b.Unchecked || a.SHA256 != b.SHA256 {
		found[""] = true
	}
	return found
}

// sameRow reports whether two rows say the same. Hints are advice.
func sameRow(a, b verify.Check) bool {
	return a.Field == b.Field && a.Status == b.Status && a.Code == b.Code && a.Reason == b.Reason &&
		a.Recorded == b.Recorded && a.Observed == b.Observed && a.Input == b.Input && a.Location == b.Location
}
