package explain

import (
	"context"

	"github.com/replay-gate/replay-gate/gate/explain/timeline"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// Timeline is the history of the inputs of what is shown, if one of them drifted; nil when
// there is none to draw. It is a picture beside the verdict, so what keeps it from being
// drawn is no failure of the run.
func Timeline(ctx context.Context, s Source, j *judge.Judgement, x *Explanation, shown []bool) *verify.Timeline {
	drifted := false
	var results []verify.Result
	for i := range j.Evidence {
		if !shown[i] || j.Evidence[i].Removed {
			continue
		}
		for _, why := range x.Why[i] {
			drifted = drifted || why != nil
		}
		results = append(results, *j.Evidence[i].Head)
	}
	if !drifted || s.Histories.From().Hash == "" {
		return nil
	}
	o := timeline.Options{MaxTime: s.MaxTime, Uncommitted: !s.Head.Clean()}
	t, err := timeline.New(s.Repo, s.Histories, o).Build(ctx, results)
	if err != nil || len(t.Lanes) == 0 {
		return nil
	}
	return t
}
