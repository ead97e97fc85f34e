package pin

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

func TestConform(t *testing.T) {
	t.Parallel()
	fsys := pinned(t, repo(), request())
	fsys["evals/2026-05-01.md"] = fsys[reportPath]
	fsys["signed.pin.json"] = envelope(t, fsys[pinPath].Data)
	verifytest.Conform(t, Format{}, fsys, pinPath, "signed.pin.json")
}
