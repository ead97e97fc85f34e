package verifytest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// toy is a small kind without faults: {"file": PATH, "hash": HASH}. sin makes it one
// with a fault.
type toy struct{ sin string }

func (toy) Kind() string       { return "toy" }
func (toy) Title() string      { return "Toy" }
func (toy) Patterns() []string { return []string{"**/*.toy.json"} }
func (f toy) Marks(_ string, data []byte) bool {
	return f.sin != "no marks" && strings.Contains(string(data), `"hash"`)
}

func (f toy) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Unreadable(e, "json", verify.Recording{}, err)
	}
	rows := verify.Rows{Path: e.Path}
	r := verify.Result{SHA256: fmt.Sprintf("sha256:%x", sha256.Sum256(data))}
	doc := jsondoc.Parse(data)
	if d := doc.Damage(); d.Code != "" && f.sin != "takes half a text" {
		r.Unchecked = d.Reason
		rows.Fail("json", d.Spot(), d.Code, d.Reason)
	}
	for _, p := range doc.Problems {
		if f.sin != "takes a name twice" {
			rows.Fail("json", verify.Spot{Line: p.Line, Column: p.Column}, p.Code, p.Reason)
		}
	}
	f.file(e, doc, &rows, &r)
	r.Checks = rows.Checks
	return r
}

func (f toy) file(e *verify.Evidence, doc *jsondoc.Document, rows *verify.Rows, r *verify.Result) {
	file, hash := doc.Root.Get("file"), doc.Root.Get("hash")
	if !file.Is(jsondoc.String) || !hash.Is(jsondoc.String) && f.sin != "takes any type" || file.Text() == "" {
		rows.Fail("file", doc.Spot(file), "wrong-type", "must name a file and its hash")
		return
	}
	tree := e.Tree
	if f.sin == "reads aside" {
		tree = tree.Aside()
	}
	in := verify.Input{Role: "file", Path: file.Text(), Hash: hash.Text(), Field: "hash", Hashes: verify.HashRaw, Place: verify.PlaceInputs}
	if !fs.ValidPath(in.Path) || in.Path == e.Path {
		rows.Fail("file", doc.Spot(file), "malformed-path", "must be a path of the tree")
		return
	}
	data, err := tree.ReadFile(in.Path, verify.MaxInput)
	in.Missing = err != nil
	switch {
	case err != nil && f.sin == "takes absence":
		rows.OK("hash", doc.Spot(hash), "there is none")
	case err != nil:
		rows.Fail("hash", doc.Spot(hash), "unreadable", verify.ReadReason(err))
	case fmt.Sprintf("sha256:%x", sha256.Sum256(data)) == hash.Text(), f.sin == "takes any content", !hash.Is(jsondoc.String):
		rows.OK("hash", doc.Spot(hash), "")
	default:
		rows.Fail("hash", doc.Spot(hash), "hash-differs", "its bytes are others")
	}
	r.Inputs = append(r.Inputs, in)
	if f.sin == "lists twice" {
		r.Inputs = append(r.Inputs, in)
	}
	if f.sin == "panics" && !json.Valid(doc.Raw(doc.Root)) {
		panic("half a text")
	}
}

func examples() fstest.MapFS {
	const text = "content\n"
	evidence := fmt.Sprintf(`{"file": "in/a.txt", "hash": "sha256:%x"}`, sha256.Sum256([]byte(text))) + "\n"
	return fstest.MapFS{"x.toy.json": {Data: []byte(evidence)}, "in/a.txt": {Data: []byte(text)}, "in/b.txt": {Data: []byte("b")}}
}

func TestAKindWithoutFaultsConforms(t *testing.T) {
	Conform(t, toy{}, examples(), "x.toy.json")
}

// sins are faults of a kind, and what is said of each.
var sins = map[string]string{
	"no marks":           "Marks does not know it",
	"takes half a text":  "broken off after",
	"takes a name twice": "stands twice, and is green",
	"takes any type":     "made [], and green",
	"reads aside":        "without what was not read, the verdict is another",
	"takes absence":      "is gone, and all is green",
	"takes any content":  "was replaced, and all is green",
	"lists twice":        "is listed twice",
	"panics":             "internal error",
}

// TestSins runs with one sin, in a process of its own that must fail.
func TestSins(t *testing.T) {
	if sin := os.Getenv("VERIFYTEST_SIN"); sin != "" {
		Conform(t, toy{sin}, examples(), "x.toy.json")
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for sin, want := range sins {
		t.Run(sin, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestSins$")
			cmd.Env = append(os.Environ(), "VERIFYTEST_SIN="+sin)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%v, want one that says %q:\n%.2000s", err, want, out)
			}
		})
	}
}
