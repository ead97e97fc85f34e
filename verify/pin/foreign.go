package pin

import (
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// foreign judges a predicate that is no Link: SLSA's names what a build depended on, and
// is checked as far as that are files of this tree; of all others the subjects are.
func (j *checker) foreign(kind *jsondoc.Node) {
	const field = "predicateType"
	switch {
	case kind == nil:
		j.rows.Fail(field, j.at(j.root()), "missing", "is missing")
		return
	case !kind.Is(jsondoc.String) || kind.Text() == "":
		j.rows.Fail(field, j.at(kind), "wrong-type", "must be a URI")
		return
	case strings.HasPrefix(kind.Text(), linkFamily) || j.root().Get("predicate").Get("byproducts").Get(ownKey) != nil:
		// What it was made from is there, and would not be looked at.
		j.giveUp(field, j.at(kind), "unsupported-version", "must be "+linkType)
		return
	case kind.Text() != slsaType:
		j.rows.Info(field, j.at(kind), "unknown-predicate", "of this predicate nothing but the subjects is checked")
		return
	}
	j.rows.OK(field, j.at(kind), "")
	const list = "resolvedDependencies"
	n := j.root().Get("predicate").Get("buildDefinition").Get(list)
	if n != nil && !n.Is(jsondoc.Array) {
		j.rows.Fail(list, j.at(n), "wrong-type", wrongType(n, jsondoc.Array))
		return
	}
	all := j.artifacts(roleDependency, list, n)
	for i := range all {
		if j.ctx.Err() != nil {
			return
		}
		j.dependency(&all[i])
	}
}

// dependency judges one that is a file of the tree, and lists any other. One with a URI
// may have the name of a file by chance.
func (j *checker) dependency(a *artifact) {
	there := a.path != "" && j.e.Tree.Exists(path.Join(j.base, a.path))
	unknown := a.sha256 == "" && a.blob == ""
	switch {
	case a.path == "" || a.uri != "" && !there:
		row := j.rows.Info(a.field(), j.at(a.node), "not-local", "lies outside of this tree")
		row.Recorded = short(a.uri)
	case unknown && there && a.uri == "":
		j.rows.Fail(a.field()+".digest", j.at(cmpNode(a.digest, a.node)), "unknown-digest", "has neither a sha256 nor a gitBlob")
	case unknown:
		j.rows.Info(a.field(), j.at(cmpNode(a.digest, a.node)), "unknown-digest", "has neither a sha256 nor a gitBlob")
	default:
		j.input(a)
	}
}
