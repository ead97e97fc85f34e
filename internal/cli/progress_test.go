package cli

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, tc := range []struct {
		done, total int
		elapsed     time.Duration
		want        string
	}{
		{0, 100, 2 * time.Second, "checking evidence: 0 of 100"},
		{50, 100, 2 * time.Second, "checking evidence: 50 of 100, 25/s, 2s left"},
		{100, 100, 4 * time.Second, "checking evidence: 100 of 100, 25/s, 0s left"},
	} {
		if got := progressLine("checking evidence", tc.done, tc.total, tc.elapsed); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A log never sees progress: only a terminal does (issue 2, commands).
func TestProgressIsNotForLogs(t *testing.T) {
	var log bytes.Buffer
	a := &app{Streams: Streams{Err: &log}}
	p := a.newProgress()
	now := time.Unix(0, 0)
	p.now = func() time.Time { now = now.Add(time.Hour); return now }
	for i := range 10 {
		p.update("checking evidence", i, 10)
	}
	p.clear()
	if log.Len() > 0 {
		t.Errorf("the log holds %q", log.String())
	}
}
