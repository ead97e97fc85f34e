package ahd

import (
	"os"
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

func TestConform(t *testing.T) {
	verifytest.Conform(t, Format{}, repo(), sidecarPath)
}

// Published shapes: paths of another machine, and a backfilled one.
func TestConformPublished(t *testing.T) {
	verifytest.Conform(t, Format{}, os.DirFS("../../testdata/ahd/repo"),
		"docs/evals/2026-06-03-newer.replay.json", "docs/evals/2026-04-21-backfilled.replay.json", "docs/evals/2026-06-02-windows.replay.json")
}
