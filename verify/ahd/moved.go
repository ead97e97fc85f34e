package ahd

import (
	"io/fs"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Limits of the search for a missing input, because every sidecar may miss one.
const (
	movedMaxFiles = 200
	movedMaxBytes = 4 << 20
)

type (
	movedKey  struct{ role, hash, base string }
	endingKey string
)

// movedTo looks for a file that has the recorded hash: first among those named
// as the recorded path is, then among those of its ending. It is empty when
// there is none within the limits.
func movedTo(t *verify.Tree, role, hash, recorded string) string {
	base := path.Base(slashed(recorded))
	return verify.Once(t, movedKey{role, hash, base}, func(t *verify.Tree) string {
		files, bytes := 0, int64(0)
		for _, names := range [][]string{t.Named(base), filesEnding(t, path.Ext(base))} {
			for _, name := range names {
				if files++; files > movedMaxFiles {
					return ""
				}
				info, err := fs.Stat(t.FS(), name)
				if err != nil || !info.Mode().IsRegular() || bytes+info.Size() > movedMaxBytes {
					continue
				}
				bytes += info.Size()
				if h := hashesOf(t, name); h.canonical == hash || role == "brief" && h.raw == hash {
					return name
				}
			}
		}
		return ""
	})
}

// filesEnding lists the first files of the tree with an ending, sidecars apart.
func filesEnding(t *verify.Tree, ending string) []string {
	if ending == "" {
		return nil
	}
	return verify.Once(t, endingKey(ending), func(t *verify.Tree) []string {
		var names []string
		for _, name := range t.Files() {
			if strings.HasSuffix(name, ending) && !strings.HasSuffix(name, sidecarEnding) {
				if names = append(names, name); len(names) == movedMaxFiles {
					break
				}
			}
		}
		return names
	})
}
