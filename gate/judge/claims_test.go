package judge

import (
	"context"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// dated is a note that claims something since a day.
func (f files) dated(run, day string, n int, models ...string) string {
	return f.pinned(noteText{Run: run, About: "x", At: day, N: n, Models: models, Traces: []string{"t-" + run}}, "in/x")
}

// Claims and records (DESIGN, section 1): the newest word describes the present.
func TestClaims(t *testing.T) {
	t.Parallel()
	before, after := files{"in/x": "one"}, files{"in/x": "two"}
	base := before.with(files{"a.note": before.dated("a", "2026-01-01", 30)})
	two := base.with(files{"b.note": before.dated("b", "2026-02-01", 30)})
	driftA, driftB := "FAIL a.note in/x.hash hash-differs introduced", "FAIL b.note in/x.hash hash-differs introduced"
	for _, tc := range []struct {
		name string
		base files
		edit files
		ask  func(q *Question)
		want []string
	}{
		{name: "a claim drifts", base: base, edit: after, want: []string{driftA}},
		{name: "a record does not", base: two, edit: after, want: []string{"info a.note in/x.hash superseded", driftB}},
		{name: "at the tree it does", base: two, edit: after, ask: func(q *Question) { q.At = AtTree }, want: []string{driftA, driftB}},
		{name: "a newer run", base: base, edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 30)}),
			want: []string{"info a.note in/x.hash superseded", "info b.note claims takes-over"}},
		{name: "a newer run with less", base: base, edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 3)}),
			want: []string{"info a.note in/x.hash superseded", "info b.note claims takes-over", "warn b.note claims weaker"}},
		{name: "a newer run with less, strict", base: base, ask: strict, edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 3)}),
			want: []string{driftA, "FAIL b.note claims weaker introduced"}},
		{name: "newer runs, the newest with less, strict", base: base, ask: strict,
			edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 30), "c.note": after.dated("c", "2026-03-01", 3)}),
			want: []string{"info a.note in/x.hash superseded", "info b.note claims takes-over", "FAIL c.note claims weaker introduced", "FAIL c.note claims weaker introduced"}},
		{name: "a newer run without the old one's request ids, strict", base: base.with(files{"a.md": "4 tells"}), ask: strict,
			edit: after.with(files{"a.note": after.pinned(noteText{Run: "b", About: "x", At: "2026-02-01", N: 30}, "in/x"), "c.note": before.dated("c", "2026-01-15", 30)}),
			want: []string{"FAIL a.note recorded redated introduced", "FAIL c.note in/x.hash hash-differs introduced"}},
		{name: "a newer run that fails", base: base, edit: after.with(files{"b.note": before.dated("b", "2026-02-01", 30)}), want: []string{driftA, driftB}},
		{name: "a newer run of tomorrow", base: base, edit: after.with(files{"b.note": after.dated("b", "2026-07-01", 30)}), want: []string{driftA}},
		{name: "a run of the same day", base: base, edit: after.with(files{"b.note": after.dated("b", "2026-01-01", 30)}), want: []string{driftA}},
		{name: "a newer run that is the old one", base: base, edit: after.with(files{"b.note": after.pinned(noteText{Run: "b", About: "x", At: "2026-02-01", N: 30, Traces: []string{"t-a"}}, "in/x")}),
			want: []string{driftA, "FAIL b.note recorded redated introduced"}},
		{name: "a newer run under the old one's name", base: base, edit: after.with(files{"b.note": after.pinned(noteText{Run: "a", About: "x", At: "2026-02-01", N: 30, Traces: []string{"t-b"}}, "in/x")}),
			want: []string{driftA, "FAIL b.note recorded.pins.in/x rewritten introduced"}},
		{name: "taken over in part", base: before.with(files{"a.note": before.dated("a", "2026-01-01", 30, "m", "k")}), edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 30, "m")}),
			want: []string{"info b.note claims takes-over", "warn a.note in/x.hash not-rerun", "warn b.note claims weaker"}},
		{name: "taken over in part, strict", base: before.with(files{"a.note": before.dated("a", "2026-01-01", 30, "m", "k")}), ask: strict,
			edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 30, "m")}),
			want: []string{driftA, "FAIL b.note claims weaker introduced"}},
		{name: "taken over by two", base: before.with(files{"a.note": before.dated("a", "2026-01-01", 30, "m", "k")}),
			edit: after.with(files{"b.note": after.dated("b", "2026-02-01", 30, "m"), "c.note": after.dated("c", "2026-02-02", 30, "k")}),
			want: []string{"info a.note in/x.hash superseded", "info b.note claims takes-over", "info c.note claims takes-over", "warn b.note claims weaker", "warn c.note claims weaker"}},
		{name: "the newest word removed", base: two.with(after), edit: files{"b.note": gone}, want: []string{driftA, "warn b.note evidence removed"}},
		{name: "the newest word removed where the record holds", base: two, edit: files{"b.note": gone}, want: []string{"warn b.note evidence removed"}},
		{name: "the newest word edited and failing keeps what it had", base: two, edit: after.with(files{"b.note": before.dated("b", "2026-02-01", 31)}),
			want: []string{"info a.note in/x.hash superseded", driftB, "FAIL b.note recorded.n rewritten introduced"}},
		{name: "a new record that held on the base", base: two, edit: after.with(files{"c.note": before.dated("c", "2025-01-01", 30)}),
			want: []string{"info a.note in/x.hash superseded", "info c.note in/x.hash superseded", driftB}},
		{name: "a new record of what never was", base: two, edit: files{"c.note": files{"in/x": "never"}.dated("c", "2025-01-01", 30)},
			want: []string{"FAIL c.note in/x.hash hash-differs introduced"}},
		{name: "a new record that held at its commit", base: two, edit: files{"c.note": files{"in/x": "then"}.dated("c", "2025-01-01", 30)},
			ask: func(q *Question) {
				q.Then = func(_ context.Context, now *verify.Tree, r *verify.Result) (*verify.Tree, string) {
					return Overlay(now.Sibling(files{"in/x": "then"}.fs()), now, r.Path), ""
				}
			}, want: []string{"info c.note in/x.hash superseded"}},
		{name: "a record's own figure", base: two.with(files{"a.md": "71"}), edit: files{"a.md": "97"}, want: []string{"FAIL a.note report report-edited introduced"}},
		{name: "a record that pins what was lost", base: two.with(files{"in/x": "lost"}), edit: nil,
			want: []string{"FAIL b.note in/x.hash hash-differs pre-existing", "info a.note in/x.hash superseded"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := ask(tc.base.with(tc.edit), tc.base)
			if tc.ask != nil {
				tc.ask(&q)
			}
			expect(t, Judge(context.Background(), q), tc.want...)
		})
	}
}

// at says against which state inputs are held.
func TestAt(t *testing.T) {
	t.Parallel()
	then := files{"in/x": "one"}
	f := files{"in/x": "two", "a.note": then.pinned(noteText{Run: "r"}, "in/x")}
	for _, tc := range []struct {
		at   At
		then files
		want string
	}{
		{AtTree, then, "FAIL a.note in/x.hash hash-differs unknown"},
		{AtRecorded, then, "info a.note at recorded-commit"},
		{AtEither, then, "info a.note at recorded-commit"},
		{AtEither, f, "FAIL a.note in/x.hash hash-differs unknown"},
	} {
		q := ask(f)
		q.At = tc.at
		q.Kinds[0].Format = committed{}
		q.Then = func(_ context.Context, now *verify.Tree, r *verify.Result) (*verify.Tree, string) {
			return Overlay(now.Sibling(tc.then.fs()), now, r.Path), ""
		}
		expect(t, Judge(context.Background(), q), tc.want)
	}
	q := ask(f)
	q.At, q.Kinds[0].Format = AtRecorded, committed{}
	q.Then = func(context.Context, *verify.Tree, *verify.Result) (*verify.Tree, string) {
		return nil, "it is not here"
	}
	expect(t, Judge(context.Background(), q), "FAIL a.note in/x.hash hash-differs unknown", "warn a.note at commit-unavailable")
}

// committed is a note that records a commit.
type committed struct{ note }

func (c committed) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	r := c.note.Verify(ctx, e)
	r.Recording.Commit = "c0ffee"
	return r
}
