package dvc

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

// Beside each input lies another file of its kind: only then can a file that is gone be
// told, in one tree, from data that git never held.
func TestConform(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		if v.name != "basic" && v.name != "version2" {
			continue
		}
		files := map[string]string{"other.txt": "", "other.csv": "", "other.dat": ""}
		for name, data := range v.Files {
			files[name] = string(data)
		}
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			verifytest.Conform(t, Format{}, treeOf(files).FS(), lockName)
		})
	}
}
