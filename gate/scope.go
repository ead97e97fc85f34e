package gate

import (
	"slices"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// scope says which evidence is listed and bundled. It never decides the verdict: whatever
// fails is listed, wherever it lies.
func scope(j *judge.Judgement, mode string) []bool {
	shown := make([]bool, len(j.Evidence))
	for i := range j.Evidence {
		e := &j.Evidence[i]
		fails := slices.ContainsFunc(e.Rows, func(r judge.Row) bool { return r.Status == verify.Fail || r.Attribution == verify.Fixed })
		switch {
		case fails, mode == "all":
			shown[i] = true
		case mode == "changed":
			shown[i] = e.Own
		default:
			shown[i] = e.Affected != ""
		}
	}
	return shown
}
