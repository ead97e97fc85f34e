package pin

import (
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// foreign judges a predicate that is no Link: SLSA's names what a build depended on, and
// is checked as far as that are files of this tree; of all others the subjects are.
func (j *judge) foreign(kind *jsondoc.Node) {
	const field = "predicateType"
	switch {
	case kind == nil:
		j.rows.Fail(field, j.at(j.root()), "missing", "is missing")
		return
	case !kind.Is(jsondoc.String) || kind.Text() == "":
		j.rows.Fail(field, j.at(kind), "wrong-type", "must be a URI")
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

// dependency judges one that is a file of the tree, and lists any other.
func (j *judge) dependency(a *artifact) {
	switch {
	case a.uri != "" || !isLocal(a.name):
		row := j.rows.Info(a.field(), j.at(a.node), "not-local", "lies outside of this tree")
		row.Recorded = short(a.uri)
	case a.sha256 == "" && a.blob == "":
		j.rows.Info(a.field(), j.at(cmpNode(a.digest, a.node)), "unknown-digest", "has neither a sha256 nor a gitBlob")
	default:
		j.input(a)
	}
}
