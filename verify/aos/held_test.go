package aos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// A change may bring any number of large originals, and few of them are in memory
// at once; one that many replays share is read once.
func TestFewFilesAreHeld(t *testing.T) {
	files := map[string]string{"original.trace.json": read(t, "sdk-trace/two-steps.trace.json")}
	for i := range 9 {
		files[fmt.Sprintf("%d.trace.json", i)] = "[" + strings.Repeat("1,", 100_000) + "1]" // 10 MB as values
	}
	for i := range 2 * maxHeldFiles {
		files[fmt.Sprintf("small-%d.trace.json", i)] = "{}"
	}
	tree := tree(files)
	first := openHeld(tree, "original.trace.json")
	for i := range 9 {
		openHeld(tree, fmt.Sprintf("%d.trace.json", i))
		if openHeld(tree, "original.trace.json") != first {
			t.Fatalf("the original is read again after %d others", i)
		}
	}
	h := heldIn(tree)
	cost := 0
	for _, f := range h.files {
		cost += f.cost
	}
	if n := len(h.files); n < 2 || n > 7 || cost > maxHeldCost {
		t.Errorf("%d files of %d bytes are held", n, cost)
	}
	for i := range 2 * maxHeldFiles {
		openHeld(tree, fmt.Sprintf("small-%d.trace.json", i))
	}
	if n := len(h.files); n != maxHeldFiles {
		t.Errorf("%d small files are held", n)
	}
}

// The largest file there is does not count for more than is held.
func TestLargestFileIsHeld(t *testing.T) {
	text := `["` + strings.Repeat(",", verify.MaxEvidence-4) + `"]`
	tree := tree(map[string]string{"original.trace.json": text})
	if first := openHeld(tree, "original.trace.json"); first.err != nil || openHeld(tree, "original.trace.json") != first {
		t.Errorf("it is read twice; %v", first.err)
	}
}

// A run has a few files. That a tree names one run in all of them makes neither
// lists without end nor the file of the own folder hard to find.
func TestFilesOfOneRunAreBounded(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	naming := edit(t, read(t, "trace-record/replay-retry.json"), `"metadata": {}`, `"metadata": {"replay_of": "orig"}`)
	files := map[string]string{"z/x.tracerecord.json": naming, "z/y.tracerecord.json": orig}
	for i := range 3 * maxSame {
		files[fmt.Sprintf("a/%d.tracerecord.json", i)] = orig
	}
	places := slices.Collect(originals(tree(files), open(tree(files), "z/x.tracerecord.json")))
	if len(places) > 3*maxSame || !contains(places, "z/y.tracerecord.json") {
		t.Errorf("%d places", len(places))
	}
	if r := judged(tree(files), "z/x.tracerecord.json"); row(t, r, "pair.parity").Input != "z/y.tracerecord.json" {
		t.Errorf("%+v", row(t, r, "pair.parity"))
	}
}
