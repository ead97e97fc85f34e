package cli

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows how far long work is: on a terminal only, only after a second,
// and gone when the work is done. A log never sees any of it.
type progress struct {
	mu    sync.Mutex
	out   *os.File // nil: show nothing
	now   func() time.Time
	stage string
	start time.Time // of the stage
	drawn time.Time
	begun time.Time
	shown bool
}

// newProgress draws on a's standard error when that is a terminal.
func (a *app) newProgress() *progress {
	p := &progress{now: time.Now}
	if f, ok := a.Err.(*os.File); ok && !a.quiet && !a.json && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// update is a gate.Options.Progress.
func (p *progress) update(stage string, done, total int) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.begun.IsZero() {
		p.begun = now
	}
	if stage != p.stage {
		p.stage, p.start = stage, now
	}
	if now.Sub(p.begun) < time.Second || now.Sub(p.drawn) < 100*time.Millisecond {
		return
	}
	p.drawn, p.shown = now, true
	fmt.Fprintf(p.out, "\r\x1b[K%s", progressLine(stage, done, total, now.Sub(p.start)))
}

// progressLine words one state of a stage: how much, how fast, how long still.
func progressLine(stage string, done, total int, elapsed time.Duration) string {
	line := fmt.Sprintf("%s: %d of %d", stage, done, total)
	if done == 0 || elapsed <= 0 {
		return line
	}
	rate := float64(done) / elapsed.Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return fmt.Sprintf("%s, %.0f/s, %s left", line, rate, left.Round(time.Second))
}

// clear takes the line away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
