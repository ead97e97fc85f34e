package aos

import (
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Endings of evidence.
const (
	traceEnding     = ".trace.json"
	recordEnding    = ".tracerecord.json"
	goldenEnding    = ".steps.jsonl"
	signatureEnding = ".sig"
	outcomesEnding  = ".outcomes.json"
	planEnding      = ".plan.json"
)

var endings = []string{traceEnding, recordEnding, goldenEnding, outcomesEnding, planEnding, ".json"}

// ending is the part of a name that says what kind of file it is.
func ending(name string) string {
	for _, e := range endings {
		if strings.HasSuffix(name, e) {
			return e
		}
	}
	return path.Ext(name)
}

// stem is a name without its ending.
func stem(name string) string { return strings.TrimSuffix(name, ending(name)) }

// originalWords stand in a name for the run that was replayed, and so does the
// absence of replayWord.
var originalWords = []string{"original", "orig", "golden"}

const replayWord = "replay"

// originals are the places at which the original of a replay may lie, best
// first (package comment, Pairs).
func originals(t *verify.Tree, f *file) []string {
	var names []string
	if id := originalID(f); id != "" {
		names = byRun(t, f, id, f.kind)
	}
	return append(names, originalNames(f.path)...)
}

// originalID is the run that f says it replays.
func originalID(f *file) string {
	root := f.doc.Root
	for _, object := range []*jsondoc.Node{root, root.Get("metadata")} {
		for _, name := range []string{"original_run_id", "replay_of"} {
			if n := object.Get(name); isText(n) && n.Text() != "" {
				return n.Text()
			}
		}
	}
	return ""
}

// originalNames are the places that follow from the name of a replay; none for
// a name that is not that of one.
func originalNames(name string) []string {
	dir, base := path.Split(name)
	end, words := ending(base), cutWords(stem(base))
	k := slices.Index(words, replayWord)
	if k < 0 {
		return nil
	}
	var names []string
	add := func(stem string) {
		if stem = strings.Trim(stem, "-_."); stem != "" {
			names = append(names, dir+stem+end)
		}
	}
	before, behind := strings.Join(words[:k], ""), strings.Join(words[k+1:], "")
	for _, w := range originalWords {
		add(before + w + behind)
	}
	if k > 0 { // with the separator before it, or else the one behind it
		add(strings.Join(words[:k-1], "") + behind)
	} else {
		add(behind)
	}
	add(before)
	for _, w := range originalWords {
		add(w)
	}
	return names
}

// cutWords splits a name into words and the separators between them.
func cutWords(s string) []string {
	var words []string
	for s != "" {
		i := strings.IndexAny(s, "-_.")
		switch {
		case i < 0:
			return append(words, s)
		case i > 0:
			words = append(words, s[:i])
		}
		words, s = append(words, s[i:i+1]), s[i+1:]
	}
	return words
}

// plans are the places of the plan that outcomes may have followed.
func plans(name string) []string {
	dir, base := path.Split(name)
	paths := []string{dir + stem(base) + planEnding}
	for _, o := range originalNames(name) {
		paths = append(paths, stem(o)+planEnding)
	}
	return append(paths, dir+"plan.json")
}

// original is the file that the evidence replays, nil if there is none. It adds
// the file to the inputs of the result.
func (j *judge) original() *file {
	return j.find("original", originals(j.e.Tree, j.file), func(f *file) bool { return f.kind == j.kind })
}

// find is the first of several files that is there and wanted, nil if none is.
func (j *judge) find(role string, paths []string, wanted func(*file) bool) *file {
	for _, p := range paths {
		if p == j.path || !j.e.Tree.Exists(p) {
			continue
		}
		if f := openHeld(j.e.Tree, p); f.err == nil && wanted(f) {
			j.r.Inputs = append(j.r.Inputs, verify.Input{Role: role, Path: p, Place: verify.PlaceInputs})
			return f
		}
	}
	return nil
}

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
	return verify.Once(t, indexKey{}, func() *index {
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
func byRun(t *verify.Tree, f *file, id string, kinds ...kind) []string {
	dir := path.Dir(f.path)
	var names []string
	if !strings.ContainsAny(id, `/\`) {
		for _, end := range []string{ending(f.path), outcomesEnding, recordEnding, ".json"} {
			if p := path.Join(dir, id+end); !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return append(names, nearest(indexOf(t).runs, f.path, id, kinds...)...)
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
