//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package bundle

import (
	"errors"
	"os"
	"syscall"
)

// taken reports whether another process has the lock on f, and takes it otherwise. A disk
// that knows no locks has none that is taken.
func taken(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}
