package explain

import (
	"context"

	"github.com/replay-gate/replay-gate/gate/explain/timeline"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// Recall gives what tells whether a version of an input is the one that judged evidence
// pins, by a hash of its own kind; nil where it is one of package verify's.
func Recall(j *judge.Judgement) func(*verify.Result, verify.Input) func([]byte) bool {
	at := make(map[string]*judge.Account, len(j.Evidence))
	for i := range j.Evidence {
		at[j.Evidence[i].Path] = &j.Evidence[i]
	}
	return func(r *verify.Result, in verify.Input) func([]byte) bool {
		if e := at[r.Path]; e != nil && modesOf[in.Hashes] == 0 {
			return recall(e, in)
		}
		return nil
	}
}

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
	o := timeline.Options{MaxTime: s.MaxTime, Recall: Recall(j), Uncommitted: !s.Head.Clean()}
	t, err := timeline.New(s.Repo, s.Histories, o).Build(ctx, results)
	if err != nil || len(t.Lanes) == 0 {
		return nil
	}
	return t
}
