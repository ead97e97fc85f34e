package ahd

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

func claimsOf(text string) []verify.Claim {
	fsys := repo()
	fsys[sidecarPath].Data = []byte(text)
	return check(fsys).Claims
}

// Issue 11, Claims and records: for AHD, per model: (kind of run, token, brief, model);
// without models (images): (kind of run, token, brief).
func TestClaims(t *testing.T) {
	got := claimsOf(valid)
	topic := `"eval-live" "tokens/quiet.yml" "briefs/poster.md"`
	if len(got) != 2 || got[0].About != topic+` "m-1"` || got[1].Name != "m-2" || got[0].Topic != topic {
		t.Fatalf("%+v", got)
	}
	c := got[0]
	if !c.At.Equal(time.Date(2026, 4, 22, 23, 52, 25, 380e6, time.UTC)) || c.Samples != 30 ||
		!slices.Equal(c.Conditions, []string{"compiled", "raw"}) || c.Backfilled {
		t.Errorf("%+v", c)
	}
	about := func(text string) string {
		var all []string
		for _, c := range claimsOf(text) {
			all = append(all, c.About)
		}
		return strings.Join(all, "|")
	}
	same := about(valid)
	for _, tc := range []struct {
		old, with string
		same      bool
	}{
		{`"tokens/quiet.yml"`, `"/w/ahd/tokens/quiet.yml"`, true}, // another machine's
		{sha(tokenValue), sha(""), true},                          // the same token, edited
		{`"n": 30, "temp`, `"n": 5, "temp`, true},
		{`"kind": "eval-live"`, `"kind": "eval-image"`, false},
		{`"tokens/quiet.yml"`, `"tokens/other.yml"`, false},
		{`"briefs/poster.md",`, `"briefs/other.md",`, true}, // the command's word
		{`"path": "briefs/poster.md"`, `"path": "briefs/other.md"`, false},
		{`"id": "m-1"`, `"id": "m-9"`, false},
	} {
		if got := about(strings.Replace(valid, tc.old, tc.with, 1)); (got == same) != tc.same {
			t.Errorf("%s to %s: %s", tc.old, tc.with, got)
		}
	}
	from := strings.Index(valid, `"models": [`)
	to := strings.Index(valid, `"conditions"`)
	images := strings.Replace(valid[:from]+`"models": [], `+valid[to:], "eval-live\",\n", "eval-image\",\n", 1)
	if got := about(images); got != `"eval-image" "tokens/quiet.yml" "briefs/poster.md"` {
		t.Errorf("images: %s", got)
	}
	if modelName("cf:@cf/google/gemma") != "@cf/google/gemma" || modelName("llama:8b") != "llama:8b" {
		t.Error("a model by two names")
	}
	for _, text := range []string{valid[:len(valid)-4], "[]", `{"schema_version": 2}`, "{}"} {
		if got := claimsOf(text); got != nil {
			t.Errorf("%.20s claims %+v", text, got)
		}
	}
	if got := claimsOf(strings.Replace(valid, "2026-04-22T", "yesterday", 1)); !got[0].At.IsZero() {
		t.Errorf("%+v", got[0])
	}
	if got := claimsOf(strings.Replace(valid, `"kind"`, `"backfilled": true, "kind"`, 1)); !got[0].Backfilled {
		t.Errorf("%+v", got[0])
	}
}
