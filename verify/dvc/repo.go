package dvc

import (
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

type rootKey string // folder

// rootOf is the DVC repository that folder dir belongs to: the nearest folder above with
// what "dvc init" commits into .dvc; the whole tree if there is none, as in a bundle.
func rootOf(t *verify.Tree, dir string) string {
	return verify.Once(t, rootKey(dir), func(t *verify.Tree) string {
		for folder := dir; folder != "."; folder = path.Dir(folder) {
			if isRoot(t, folder) {
				return folder
			}
		}
		return "."
	})
}

func isRoot(t *verify.Tree, dir string) bool {
	return t.Exists(path.Join(dir, ".dvc/config")) || t.Exists(path.Join(dir, ".dvc/.gitignore"))
}
