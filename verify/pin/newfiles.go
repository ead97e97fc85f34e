package pin

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxNewFiles bounds the new files that have a row of their own.
const maxNewFiles = 50

// newFiles are the files under the globs of a pin that it does not name.
type newFiles struct {
	*checker
	work  int // steps of matching so far
	names []string
}

// newFiles warns of each file under a pinned glob that the pin does not name: a run of
// today would read it. So would it one under a glob of a configuration.
func (j *checker) newFiles(own *jsondoc.Node) {
	f := &newFiles{checker: j}
	_ = f.list(own, "globs") && f.list(own, "fromGlobs")
	if more := len(f.names) - maxNewFiles; more > 0 {
		j.rows.Warn("globs", j.at(own), "new-file", strconv.Itoa(more)+" more new files under pinned globs")
	}
	// A replay sees the same files.
	slices.Sort(f.names)
	for _, name := range f.names[:min(len(f.names), maxNewFiles)] {
		j.r.Inputs = append(j.r.Inputs, verify.Input{Role: "new", Path: name, Place: verify.PlaceInputs})
	}
}

// list looks under the globs of one list; false when the time for it is over.
func (f *newFiles) list(own *jsondoc.Node, field string) bool {
	n := f.checker.list(own, field)
	if n == nil {
		return true
	}
	list, ok := words(n)
	if !ok || len(list) > maxGlobs {
		f.rows.Fail(field, f.at(n), "wrong-type", "must be a list of at most "+strconv.Itoa(maxGlobs)+" globs")
		return true
	}
	for i, text := range list {
		pattern, _ := SplitSpec(text)
		g, err := ParseGlob(pattern)
		if err != nil {
			f.rows.Fail(field+"["+strconv.Itoa(i)+"]", f.at(n.Items()[i]), "malformed-glob", err.Error())
			continue
		}
		if !f.under(g, n.Items()[i]) {
			if f.ctx.Err() == nil {
				f.rows.Fail(field, f.at(n), "too-much-work", "matching its globs with the files of the tree takes too long")
			}
			return false
		}
	}
	return true
}

// under looks under one glob, which stands at n.
func (f *newFiles) under(g *Glob, n *jsondoc.Node) bool {
	for _, name := range f.e.Tree.Under(path.Join(f.base, g.Dir())) {
		if f.work += g.cost(len(name)); f.work > maxGlobWork || f.ctx.Err() != nil {
			return false
		}
		if f.known[name] || strings.HasSuffix(name, Ending) || !g.Match(f.nameOf(name)) {
			continue
		}
		f.known[name] = true
		if f.names = append(f.names, name); len(f.names) > maxNewFiles {
			continue
		}
		row := f.rows.Warn(roleInput+":"+f.nameOf(name), f.at(n), "new-file", "a new file under a pinned glob, which the run did not read")
		row.Observed, row.Input = short(name), name
		f.again(row, "run again and pin the new result")
	}
	return true
}

// nameOf is how the pin would name a file of the tree.
func (j *checker) nameOf(file string) string {
	if j.base == "" {
		return file
	}
	return strings.TrimPrefix(file, j.base+"/")
}
