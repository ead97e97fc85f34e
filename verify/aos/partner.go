package aos

import (
	"iter"
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
func originals(t *verify.Tree, f *file) iter.Seq[string] {
	named := func(func(string) bool) {}
	if id := originalID(f); id != "" {
		named = byRun(t, f, id, f.kind)
	}
	return inTurn(named, slices.Values(originalNames(f.path)))
}

// inTurn yields all of one sequence after the other. None is asked before its turn: an
// index of the tree is read only where nothing better was found.
func inTurn(seqs ...iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, seq := range seqs {
			for s := range seq {
				if !yield(s) {
					return
				}
			}
		}
	}
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
func (j *checker) original() *file {
	in := verify.Input{Role: "original", Subject: true}
	original := j.find(in, originals(j.e.Tree, j.file), func(f *file) bool { return f.kind == j.kind })
	switch id := originalID(j.file); {
	case original != nil:
	case id != "":
		j.Warn("pair", verify.Spot{}, "original-not-found", "original not found: not compared with run "+verify.Shorten(id, 100))
	case len(originalNames(j.path)) > 0:
		j.Info("pair", verify.Spot{}, "no-original", "called a replay, and there is no original beside it to compare it with")
	}
	return original
}

// find is the first of several files that is there and wanted, nil if none is. It adds
// the file to the inputs of the result, as in has it.
func (j *checker) find(in verify.Input, paths iter.Seq[string], wanted func(*file) bool) *file {
	for p := range paths {
		if p == j.path {
			continue
		}
		if f := openHeld(j.e.Tree, p); f.err == nil && wanted(f) {
			in.Path, in.Place = p, verify.PlaceInputs
			j.r.Inputs = append(j.r.Inputs, in)
			return f
		}
	}
	return nil
}
