package aos

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// FuzzVerify judges any text against any other, as its original:
// nothing panics, and every row can be shown.
func FuzzVerify(f *testing.F) {
	names, err := filepath.Glob("../../testdata/aos/vectors/*/*")
	if err != nil || len(names) < 20 {
		f.Fatal(names, err)
	}
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for i, text := range texts {
		f.Add([]byte(text), []byte(texts[(i+1)%len(texts)]))
		f.Add([]byte(text[:len(text)/2]), []byte(text))
	}
	f.Add([]byte(claim), []byte(outcome))
	f.Add([]byte(outcome), []byte("[]"))
	f.Add([]byte(`{"finalized":true,"root_hash":"`+strings.Repeat("0", 64)+`","seed":-0,"timestamp":"\ud800","tenant_id":"","plan":[{"params":{"\udfff":1e999}}],"steps":[{}]}`), []byte("{}"))
	f.Add([]byte(`{"event_type":"run_start","data":{"seed":1}}`+"\n"+`{"event_type":"step","data":{"output":{"\ud800":[null]}}}`), []byte(""))
	f.Fuzz(func(t *testing.T, text, other []byte) {
		files := make(map[string]string)
		for _, end := range endings {
			files["x/run-replay"+end] = string(text)
			files["x/run"+end] = string(other)
		}
		files["x/run-replay"+goldenEnding+signatureEnding] = string(other)
		for _, end := range endings {
			view, reads := tree(files).Noting()
			e := &verify.Evidence{Path: "x/run-replay" + end, Tree: view}
			r := Format{Config{GoldenSecret: []byte("k"), Budgets: []int64{1}}}.Verify(t.Context(), e)
			wellFormed(t, e.Path, r)
			for _, in := range r.Inputs {
				if !fs.ValidPath(in.Path) || in.Path == e.Path {
					t.Errorf("input %q", in.Path)
				}
				if !reads.Any(nil, func(r verify.Read) bool { return r.Op == verify.OpFile && r.Name == in.Path }) {
					t.Errorf("%s was not read", in.Path)
				}
			}
		}
	})
}

// FuzzDumps writes any JSON in each form: what comes out is ASCII, and is JSON
// that comes out the same when it is read again, or an infinity.
func FuzzDumps(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[1.5,"é\ud800",null]}`, `"\u007f\\\/"`, `[1e999,-0,1E5,0.0000005]`, `{"A":1,"a":2,"ΑΣ":3}`, "{\"\xff\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc := jsondoc.Parse(text)
		for _, form := range []pyForm{compact, spaced, output} {
			out, ok := dumps(doc, doc.Root, form)
			for _, c := range out {
				if c < ' ' || c > '~' {
					t.Fatalf("%q is not printable ASCII", out)
				}
			}
			if doc.Err != nil || !ok || strings.Contains(string(out), "Infinity") || !doc.Root.Is(jsondoc.Object) && form.golden {
				continue
			}
			again := jsondoc.Parse(out)
			if again.Err != nil {
				t.Fatalf("%q is no JSON: %v", out, again.Err)
			}
			if twice, certain := dumps(again, again.Root, form); string(twice) != string(out) && certain {
				t.Errorf("%q\nbecomes\n%q", out, twice)
			}
		}
	})
}

// FuzzNames derives the places of an original from any name: they are in its
// folder.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a/replay.json", "replay", "a-replay-b.trace.json", "-replay-..x", "a/.replay..trace.json"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !fs.ValidPath(name) || name == "." {
			t.Skip("no path of a tree")
		}
		for _, p := range append(originalNames(name), plans(name)...) {
			if !fs.ValidPath(p) || strings.Count(p, "/") != strings.Count(name, "/") {
				t.Errorf("%q leads to %q", name, p)
			}
		}
	})
}
