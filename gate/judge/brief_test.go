package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
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
		if n := len(got.Evidence) + len(got.Held); n != len(want.Evidence) {
			t.Fatalf("seed %d: %d pieces of evidence, want %d", seed, n, len(want.Evidence))
		}
		for _, w := range want.Evidence {
			fails := slices.ContainsFunc(w.Rows, func(r Row) bool { return r.Status == verify.Fail || r.Attribution == verify.Fixed })
			if i := slices.IndexFunc(got.Held, func(h Held) bool { return h.Path == w.Path }); i >= 0 {
				if fails || w.Affected != "" || got.Held[i].Format != w.Format {
					t.Fatalf("seed %d: %+v is let go of", seed, w)
				}
				let++
				continue
			}
			i := slices.IndexFunc(got.Evidence, func(e Account) bool { return e.Path == w.Path })
			if i < 0 {
				t.Fatalf("seed %d: %s is missing", seed, w.Path)
			}
			e := got.Evidence[i]
			if e.Path != w.Path || e.Affected != w.Affected || e.Own != w.Own || e.Superseded != w.Superseded {
				t.Fatalf("seed %d: %+v\nwant %+v", seed, e, w)
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
	j := Judge(context.Background(), q)
	i := slices.IndexFunc(j.Evidence, func(e Account) bool { return e.Path == "g.note" })
	if i < 0 || j.Evidence[i].Affected != "it was added" || len(j.Evidence[i].Rows) != 1 {
		t.Errorf("it became evidence here, and has all of its rows: %+v", j.Evidence)
	}
}

// reportNote is a note of which a report can speak: in its first line.
type reportNote struct{ note }

func (reportNote) VouchedPatterns() []string { return []string{"**/*.md"} }
func (reportNote) VoucherOf(_ string, data []byte) string {
	if of, ok := strings.CutPrefix(string(data), "of "); ok {
		return of
	}
	return ""
}

// What is let go of still answers: for what takes over from it, for what copies its run, and
// for the reports that speak of it.
func TestHeldEvidenceAnswers(t *testing.T) {
	t.Parallel()
	old := noteText{Run: "r1", About: "x", At: "2026-01-01", N: 5, Traces: []string{"id-1"}}
	for _, tc := range []struct {
		name       string
		base, here files
		held, want []string
	}{
		{name: "nothing changes", base: files{"a.note": old.text(), "c.md": "c"}, here: files{"c.md": "d"}, held: []string{"a.note"}},
		{
			name: "new evidence takes over", base: files{"a.note": old.text()},
			here: files{"b.note": noteText{Run: "r2", About: "x", At: "2026-02-01", N: 3}.text()},
			held: []string{"a.note"}, want: []string{"info b.note claims takes-over", "warn b.note claims weaker"},
		},
		{
			name: "new evidence is older", base: files{"a.note": old.text()},
			here: files{"b.note": noteText{Run: "r2", About: "x", At: "2025-02-01", N: 3}.text()},
			held: []string{"a.note"},
		},
		{
			name: "its run is copied, with another value", base: files{"a.note": old.text()},
			here: files{"b.note": noteText{Run: "r1", About: "x", At: "2026-01-01", N: 9, Traces: []string{"id-1"}}.text()},
			held: []string{"a.note"}, want: []string{"FAIL b.note recorded.n rewritten introduced"},
		},
		{
			name: "its traces are copied", base: files{"a.note": old.text()},
			here: files{"b.note": noteText{Run: "r2", About: "x", At: "2026-03-01", N: 5, Traces: []string{"id-1"}}.text()},
			held: []string{"a.note"}, want: []string{"FAIL b.note recorded redated introduced"},
		},
		{
			name: "a report speaks of it", base: files{"a.note": old.text(), "r.md": "of a.note"}, here: files{"c.md": "c"},
			held: []string{"a.note"},
		},
		{
			name: "an old report beside it speaks of another", base: files{"a.note": old.text(), "r.md": "of z.note"}, here: files{"c.md": "c"},
			held: []string{"a.note"}, want: []string{"warn r.md report unvouched"},
		},
		{
			name: "it makes evidence of a file without marks", base: files{"a.note": noteText{Run: "r1", See: "b.note"}.text(), "b.note": `{"x":1}`},
			here: files{"c.md": "c"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := ask(tc.base.with(tc.here), tc.base)
			q.Kinds[0].Format = reportNote{}
			full := Judge(context.Background(), q)
			expect(t, full, tc.want...)
			q.Brief = true
			brief := Judge(context.Background(), q)
			expect(t, brief, tc.want...)
			var held []string
			for _, h := range brief.Held {
				held = append(held, h.Path)
			}
			if !slices.Equal(held, tc.held) {
				t.Errorf("held: %q", held)
			}
			for _, e := range brief.Evidence {
				if e.OldPath != "" {
					t.Errorf("%s was paired with %s, which is still there", e.Path, e.OldPath)
				}
			}
			if n := len(brief.Held) + len(brief.Evidence); n != len(full.Evidence) || len(full.Held) > 0 {
				t.Errorf("%d pieces of evidence, %d in full", n, len(full.Evidence))
			}
		})
	}
}

// What is held has no order; what is said because of it has one.
func TestHeldEvidenceAnswersInOrder(t *testing.T) {
	t.Parallel()
	base := make(files)
	claims := noteText{Run: "new", About: "x", At: "2026-02-01", N: 1}
	for i := range 12 {
		model := fmt.Sprintf("m%02d", i)
		claims.Models = append(claims.Models, model)
		base["old/"+model+".note"] = noteText{Run: model, About: "x", Models: []string{model}, At: "2026-01-01", N: 5}.text()
	}
	for _, strict := range []bool{false, true} {
		q := ask(base.with(files{"b.note": claims.text()}), base)
		q.Brief, q.Strict = true, strict
		j := Judge(context.Background(), q)
		if len(j.Held) != len(base) {
			t.Fatalf("%d are held", len(j.Held))
		}
		e := j.Evidence[slices.IndexFunc(j.Evidence, func(e Account) bool { return e.Path == "b.note" })]
		var weaker []string
		for _, row := range e.Rows {
			if row.Code == CodeWeaker {
				weaker = append(weaker, row.Reason)
			}
		}
		if len(weaker) != len(base) || !slices.IsSorted(weaker) || !slices.IsSorted(e.Peers) {
			t.Errorf("strict %t: %q\nbeside %q", strict, weaker, e.Peers)
		}
	}
}
