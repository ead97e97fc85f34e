package dvc

import (
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

// gone fails a file that git should hold and does not: nothing ignores it, nothing tracks
// it, and other files of its kind lie in git right where it is looked for. Of any other
// file nobody can say without a base whether git ever held it.
func (j *checker) gone(x *subject) bool {
	if x.entry.dir() || !j.siblings(x.path) {
		return false
	}
	if in := j.container(x.path); in != nil && !in.git {
		return false
	}
	if newIgnorer(j.t, ".", gitIgnoreFile).file(x.path) {
		return false
	}
	j.missing(x)
	x.fail("missing", "neither in git, nor ignored, nor tracked by DVC: removed, or never committed; "+x.after())
	return true
}

type endingsKey string // folder

// siblings reports whether git holds a file with the same ending in the folder of p.
func (j *checker) siblings(p string) bool {
	ending := path.Ext(p)
	if ending == "" || ending == path.Base(p) {
		return false
	}
	dir := path.Dir(p)
	return verify.Once(j.t, endingsKey(dir), func(t *verify.Tree) map[string]bool {
		endings := make(map[string]bool)
		for _, name := range t.Under(dir) {
			if path.Dir(name) == dir {
				endings[path.Ext(name)] = true
			}
		}
		return endings
	})[ending]
}
