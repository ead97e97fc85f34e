package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// bundlesOf is what the folder of bundles holds: digests by name.
func bundlesOf(t *testing.T, g *gittest.Repo) map[string]string {
	t.Helper()
	held := make(map[string]string)
	names, err := os.ReadDir(g.Path(".assay/bundles"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range names {
		data, err := os.ReadFile(g.Path(".assay/bundles/" + e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		held[e.Name()] = hex.EncodeToString(sum[:])
	}
	return held
}

// whole reports whether a folder is one that a run finished: it has a list of digests, and
// that holds of every bundle that is there, and of no other.
func whole(t *testing.T, g *gittest.Repo) bool {
	t.Helper()
	held := bundlesOf(t, g)
	data, err := os.ReadFile(g.Path(".assay/bundles/SHA256SUMS"))
	if err != nil {
		return false
	}
	var listed, there []string
	for line := range strings.Lines(string(data)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if held[name] != sum {
			t.Logf("%s is not what its digest says", name)
			return false
		}
		listed = append(listed, name)
	}
	for name := range held {
		if strings.HasSuffix(name, ".tar.gz") {
			there = append(there, name)
		}
	}
	slices.Sort(there)
	return slices.Equal(slices.Sorted(slices.Values(listed)), there)
}
