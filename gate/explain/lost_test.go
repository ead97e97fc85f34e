package explain

import (
	"testing"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// An input is lost only when all of the history was seen, and only to a record.
func TestLost(t *testing.T) {
	t.Parallel()
	e := &judge.Account{Head: &verify.Result{}}
	version := &verify.Version{Commit: "c0ffee"}
	for name, tc := range map[string]struct {
		code string
		why  *verify.Why
		want bool
	}{
		"in no commit":              {judge.CodeSuperseded, &verify.Why{Case: verify.CaseNeverMatched}, true},
		"of a claim":                {"hash-differs", &verify.Why{Case: verify.CaseNeverMatched}, false},
		"at the recorded commit":    {judge.CodeSuperseded, &verify.Why{Case: verify.CaseNeverMatched, Recorded: version}, false},
		"in a shallow clone":        {judge.CodeSuperseded, &verify.Why{Case: verify.CaseUnavailable}, false},
		"in a history that is long": {judge.CodeSuperseded, &verify.Why{Case: verify.CaseUndetermined}, false},
		"nobody looked":             {judge.CodeSuperseded, nil, false},
	} {
		if got := (Source{}).lost(e, &judge.Row{Check: verify.Check{Code: tc.code}}, tc.why); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
