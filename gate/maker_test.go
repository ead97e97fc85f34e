//go:build unix

package gate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// Issue 4, "Determinism": the same evidence gives the same bytes, also on another day
// and when it is not committed; only where the verdict depends on the time, as with a
// run in the future, does the bundle hold that time, so that it replays.
func TestUncommittedEvidenceOnAnotherDay(t *testing.T) {
	const sidecar = "docs/evals/2026-06-01-quiet.replay.json" // invoked on 2026-06-01
	g := gittest.New(t)
	if err := os.CopyFS(g.Dir, os.DirFS("../testdata/ahd/repo")); err != nil {
		t.Fatal(err)
	}
	for _, committed := range []bool{false, true} {
		if committed {
			g.Commit("something, and the evidence is edited")
			text, err := os.ReadFile(g.Path(sidecar))
			if err != nil {
				t.Fatal(err)
			}
			g.Write(sidecar, strings.Replace(string(text), `"n": 30`, `"n": 31`, 1))
		}
		digest := func(now string) string {
			at, err := time.Parse(time.DateOnly, now)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(context.Background(), Options{Root: g.Dir, Evidence: []string{sidecar}, Now: func() time.Time { return at }})
			if err != nil {
				t.Fatal(err)
			}
			b := r.Evidence[0].Bundle
			if b == nil || b.Path == "" {
				t.Fatalf("no bundle: %+v", b)
			}
			if err := os.Remove(filepath.Join(g.Dir, b.Path)); err != nil {
				t.Fatal(err)
			}
			return b.SHA256
		}
		if a, b := digest("2026-06-02"), digest("2031-01-01"); a != b {
			t.Errorf("committed %v: %s on one day, %s on another", committed, a, b)
		}
		if a, b := digest("2026-05-30"), digest("2026-05-31"); a == b {
			t.Errorf("committed %v: a run in the future, and its bundle does not say when it was judged", committed)
		}
	}
}
