package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// maxWait is how long a run waits for another one to be done with the folder of bundles.
const maxWait = time.Minute

// ErrLocked says that another run did not get done with the folder of bundles in time.
var ErrLocked = errors.New("another run of replay-gate writes to it; wait for that to end")

// Lock makes dir, slash-separated below root, the caller's own: of two runs in one
// workspace, one waits for the other, so that the folder holds what one of them wrote, all
// of it and nothing else. The lock is the system's and on the folder itself: it leaves no
// file, and ends with the process. Where the system or the disk has none there is none.
func Lock(ctx context.Context, root *os.Root, dir string) (unlock func(), err error) {
	if err := makeFolders(root, dir); err != nil {
		return nil, err
	}
	f, err := root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, ErrLocked)
	defer cancel()
	for taken(f) {
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("%s: %w", dir, context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}
