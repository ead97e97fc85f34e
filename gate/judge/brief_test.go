package judge

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// What is let go of is asked for by nobody: of all evidence that a run can list, on random
// trees and edits, a brief judgement has every row that a full one has.
func TestBriefLosesNothingThatIsListed(t *testing.T) {
	t.Parallel()
	let, kept := 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 7))
		base := randomTree(r)
		head := base
		for range r.IntN(3) {
			head = randomEdit(r, head)
		}
		full, brief := ask(head, base), ask(head, base)
		brief.Brief = true
		full.Strict = r.IntN(4) == 0
		brief.Strict = full.Strict
		want, got := Judge(context.Background(), full), Judge(context.Background(), brief)
		if len(got.Evidence) != len(want.Evidence) {
			t.Fatalf("seed %d: %d pieces of evidence, want %d", seed, len(got.Evidence), len(want.Evidence))
		}
		for i, e := range got.Evidence {
			w := want.Evidence[i]
			fails := slices.ContainsFunc(w.Rows, func(r Row) bool { return r.Status == verify.Fail || r.Attribution == verify.Fixed })
			if e.Path != w.Path || e.Affected != w.Affected || e.Own != w.Own || e.Superseded != w.Superseded {
				t.Fatalf("seed %d: %+v\nwant %+v", seed, e, w)
			}
			if !fails && w.Affected == "" {
				let++
				continue
			}
			kept++
			if !reflect.DeepEqual(e.Rows, w.Rows) || !reflect.DeepEqual(e.Head.Checks, w.Head.Checks) {
				t.Fatalf("seed %d: %s has the rows\n%+v\nwant\n%+v", seed, e.Path, e.Rows, w.Rows)
			}
		}
	}
	if let < 100 || kept < 100 {
		t.Errorf("%d pieces of evidence were not listed and %d were: too few to tell", let, kept)
	}
}

// What evidence refers to is evidence on both sides: nothing was added where nothing was
// touched. And what is listed because of something else than its own rows has all of them.
func TestReferredOnBothSides(t *testing.T) {
	t.Parallel()
	base := files{"a.note": noteText{Run: "r1", See: "b.note"}.text(), "b.note": `{"x":1}`, "c.md": "x"}
	for name, head := range map[string]files{
		"as on the base":    base.with(files{"c.md": "y"}),
		"beside a new pair": base.with(files{"d.note": `{"y":1}`, "e.note": noteText{Run: "r2", See: "d.note"}.text()}),
	} {
		j := Judge(context.Background(), ask(head, base))
		i := slices.IndexFunc(j.Evidence, func(e Account) bool { return e.Path == "b.note" })
		if i < 0 || j.Evidence[i].Affected != "" || j.Evidence[i].Bases[0] == nil {
			t.Errorf("%s: %+v", name, j.Evidence)
		}
	}
	// Evidence of a base that only a new reference makes evidence was none there.
	head := base.with(files{"f.note": noteText{Run: "r3", See: "g.note"}.text(), "g.note": `{"z":1}`})
	was := base.with(files{"g.note": `{"z":1}`})
	q := ask(head, was)
	q.Brief = true
	for _, e := range Judge(context.Background(), q).Evidence {
		if e.Path == "g.note" && (e.Affected != "it was added" || len(e.Rows) != 1) {
			t.Errorf("it became evidence here, and has all of its rows: %+v", e)
		}
	}
}
