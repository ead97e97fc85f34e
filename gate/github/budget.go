package github

import (
	"errors"
	"sync"
	"time"
)

// DefaultPatience is how long all waiting for GitHub may take together, unless
// [HTTP] says otherwise.
const DefaultPatience = 2 * time.Minute

// Budget is the time that may be spent on waiting for GitHub: on attempts in
// vain, and between attempts. All that was given the same budget draws on it, so
// that a network that swallows everything holds a job once for so long and not
// with each request. It is safe for use by several goroutines.
type Budget struct {
	mu   sync.Mutex
	left time.Duration
}

// NewBudget returns a budget; a patience of 0 means [DefaultPatience].
func NewBudget(patience time.Duration) *Budget {
	if patience == 0 {
		patience = DefaultPatience
	}
	return &Budget{left: patience}
}

// errNoPatience: earlier requests took all the time there was.
var errNoPatience = errors.New("earlier requests used up the time that may be spent on waiting")

// Left is how much of the time is left, 0 or more.
func (b *Budget) Left() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.left, 0)
}

// spend takes the time of an attempt in vain.
func (b *Budget) spend(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left -= d
}

// mayWait takes a wait, if so much is left.
func (b *Budget) mayWait(d time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d >= b.left { // what is waited for takes some time too
		return false
	}
	b.left -= d
	return true
}
