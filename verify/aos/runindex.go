package aos

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// index says which evidence of a tree carries an id.
type index struct {
	runs   map[place][]string // by run_id
	traces map[place][]string // by observability.trace_id
}

// place is where evidence of one kind carries an id. An empty folder stands for
// the whole tree.
type place struct {
	dir, id string
	kind    kind
}

// maxSame bounds the evidence of one place. A run has a few files.
const maxSame = 100

type indexKey struct{}

// indexOf reads the outcomes and records of a tree, once. Only a file that names
// another run asks for it.
func indexOf(t *verify.Tree) *index {
	return verify.Once(t, indexKey{}, func(t *verify.Tree) *index {
		x := &index{runs: make(map[place][]string), traces: make(map[place][]string)}
		for _, name := range t.Files() {
			switch ending(name) {
			case traceEnding, recordEnding, outcomesEnding:
				x.add(t, name)
			}
		}
		return x
	})
}

func (x *index) add(t *verify.Tree, name string) {
	f := open(t, name)
	items := []*jsondoc.Node{}
	switch {
	case f.kind == kindOutcomes && f.doc.Root.Is(jsondoc.Array):
		items = f.doc.Root.Items()
	case f.kind == kindOutcomes, f.kind == kindRecord:
		items = append(items, f.doc.Root)
	}
	put := func(m map[place][]string, n *jsondoc.Node) {
		if !isText(n) || n.Text() == "" {
			return
		}
		at := place{path.Dir(name), strings.Clone(n.Text()), f.kind}
		for _, at.dir = range []string{at.dir, ""} {
			if have := m[at]; len(have) == 0 || len(have) < maxSame && have[len(have)-1] != name {
				m[at] = append(have, name)
			}
		}
	}
	for _, item := range items {
		put(x.runs, item.Get("run_id"))
		put(x.traces, item.Get("observability").Get("trace_id"))
	}
}

// byRun are the places of the evidence of a run, of the given kinds: in the folder
// of f, then anywhere.
func byRun(t *verify.Tree, f *file, id string, kinds ...kind) iter.Seq[string] {
	dir := path.Dir(f.path)
	var names []string
	if !strings.ContainsAny(id, `/\`) {
		for _, end := range []string{ending(f.path), outcomesEnding, recordEnding, ".json"} {
			if p := path.Join(dir, id+end); !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return inTurn(slices.Values(names), func(yield func(string) bool) {
		slices.Values(nearest(indexOf(t).runs, f.path, id, kinds...))(yield)
	})
}

// nearest are the places of an id: those in the folder of name first, by how much
// of the name they share, then all by path.
func nearest(m map[place][]string, name, id string, kinds ...kind) []string {
	dir, base := path.Dir(name), path.Base(name)
	shared := func(p string) int {
		b := path.Base(p)
		n := 0
		for n < min(len(b), len(base)) && b[n] == base[n] {
			n++
		}
		return n
	}
	var here, all []string
	for _, k := range kinds {
		here = append(here, m[place{dir, id, k}]...)
		all = append(all, m[place{"", id, k}]...)
	}
	slices.Sort(here)
	slices.SortStableFunc(here, func(a, b string) int { return shared(b) - shared(a) })
	slices.Sort(all)
	return append(here, all...)
}
