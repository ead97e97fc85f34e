package judge

import (
	"context"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// old is the state before the change: two notes and their reports.
func old() files {
	f := files{"in/x": "one", "in/y": "two", "a.md": "71 tells", "b.md": "12 tells"}
	f["a.note"] = f.pinned(noteText{Run: "r-a", About: "x", Traces: []string{"t-a"}}, "in/x")
	f["b.note"] = f.pinned(noteText{Run: "r-b", About: "y", Traces: []string{"t-b"}}, "in/y")
	return f
}

// Each row is a change, and all that is told of it.
func TestJudge(t *testing.T) {
	t.Parallel()
	x2 := files{"in/x": "one and a half"}
	for _, tc := range []struct {
		name string
		base files // old() where nil
		edit files
		ask  func(q *Question)
		want []string
	}{
		{name: "nothing"},
		{name: "an input", edit: x2, want: []string{"FAIL a.note in/x.hash hash-differs introduced"}},
		{name: "an input gone", edit: files{"in/x": gone}, want: []string{"FAIL a.note in/x.hash input-missing introduced"}},
		{name: "drift of the base", base: old().with(x2), want: []string{"FAIL a.note in/x.hash hash-differs pre-existing"}},
		{name: "drift of the base, and another edit", base: old().with(x2), edit: files{"in/x": "three"}, want: []string{"FAIL a.note in/x.hash hash-differs pre-existing"}},
		{name: "drift of the base, now for another reason", base: old().with(x2), edit: files{"in/x": gone}, want: []string{"FAIL a.note in/x.hash input-missing introduced"}},
		{name: "drift put right", base: old().with(x2), edit: files{"in/x": "one"}, want: []string{"ok a.note in/x.hash fixed"}},
		{name: "broken", edit: files{"a.note": `{"run":`}, want: []string{"FAIL a.note note not-json introduced"}},
		{name: "broken before", base: old().with(files{"a.note": `{"run":`}), edit: x2, want: []string{"FAIL a.note note not-json pre-existing"}},
		{name: "no base at all", edit: x2, ask: func(q *Question) { q.Bases = nil }, want: []string{"FAIL a.note in/x.hash hash-differs unknown"}},

		{name: "without its marks", edit: files{"a.note": `{}`}, want: []string{"FAIL a.note evidence no-longer-recognised introduced"}},
		{name: "some other tool's", edit: files{"z.note": `{}`}},
		{name: "some other tool's, where settings name the place", edit: files{"z.note": `{"pins":{"in/x":"0"}}`}, ask: configured,
			want: []string{"FAIL z.note in/x.hash hash-differs introduced"}},
		{name: "some other tool's, to which evidence refers", edit: files{"z.note": `{"pins":{"in/x":"0"}}`, "c.note": noteText{Run: "r-c", See: "z.note"}.text()},
			want: []string{"FAIL z.note in/x.hash hash-differs introduced"}},
		{name: "a path that can't be opened", ask: func(q *Question) { q.Head.Unusable = []string{"\xff.note"} },
			want: []string{"FAIL \uFFFD.note evidence unusable-path introduced"}},
		{name: "a path that can't be opened, as before", ask: func(q *Question) {
			q.Head.Unusable, q.Bases[0].Unusable = []string{"\xff.note"}, []string{"\xff.note"}
		}, want: []string{"FAIL \uFFFD.note evidence unusable-path pre-existing"}},

		{name: "removed with its report", edit: files{"a.note": gone, "a.md": gone}, want: []string{"warn a.note evidence removed"}},
		{name: "removed, its report kept", edit: files{"a.note": gone}, want: []string{"FAIL a.note evidence removed introduced"}},
		{name: "removed, its report under another name", edit: files{"a.note": gone, "a.md": gone, "best.md": "71 tells"},
			want: []string{"FAIL a.note evidence removed introduced"}},
		{name: "removed, its report edited and renamed", edit: files{"a.note": gone, "a.md": gone, "best.md": "97 tells"},
			ask: func(q *Question) { q.Bases[0].Renamed = map[string]string{"best.md": "a.md"} }, want: []string{"FAIL a.note evidence removed introduced"}},
		{name: "removed in strict mode", edit: files{"a.note": gone, "a.md": gone}, ask: strict, want: []string{"FAIL a.note evidence removed introduced"}},
		{name: "removed, and another held against it", base: old().with(files{"c.note": noteText{Run: "r-c", See: "a.note"}.text()}),
			edit: files{"a.note": gone, "a.md": gone}, want: []string{"FAIL a.note evidence removed introduced", "info c.note see alone"}},

		{name: "rewritten", edit: files{"a.note": old().pinned(noteText{Run: "r-a", About: "x", N: 9, Traces: []string{"t-a"}}, "in/x")},
			want: []string{"FAIL a.note recorded.n rewritten introduced"}},
		{name: "of no matter", edit: files{"a.note": old().pinned(noteText{Run: "r-a", About: "x", Speed: 9, Traces: []string{"t-a"}}, "in/x")},
			want: []string{"info a.note recorded.speed noted"}},
		{name: "re-pinned", edit: repinned("r-a", "t-a"), want: []string{"FAIL a.note recorded.pins.in/x rewritten introduced"}},
		{name: "re-pinned and redated", edit: repinned("r-a2", "t-a"), want: []string{"FAIL a.note recorded redated introduced"}},
		{name: "redated alone", edit: files{"a.note": old().pinned(noteText{Run: "r-a2", About: "x", Traces: []string{"t-a"}}, "in/x")},
			want: []string{"FAIL a.note recorded redated introduced"}},
		{name: "re-pinned without traces", edit: repinned("r-a2"), want: []string{"warn a.note recorded redated"}},
		{name: "run again", edit: repinned("r-a2", "t-new").with(files{"a.md": "97 tells"})},
		{name: "the name of the run gone", edit: files{"a.note": old().pinned(noteText{About: "x"}, "in/x")}, want: []string{"FAIL a.note recorded rewritten introduced"}},
		{name: "masked", base: old().with(files{"a.note": noteText{Run: "r --key secret1", N: 1}.text()}), edit: files{"a.note": noteText{Run: "r --key ***", N: 1}.text()},
			want: []string{"info a.note recorded.run masked"}},
		{name: "masked and rewritten", base: old().with(files{"a.note": noteText{Run: "r --key secret1", N: 1}.text()}), edit: files{"a.note": noteText{Run: "r --key ***", N: 2}.text()},
			want: []string{"FAIL a.note recorded.n rewritten introduced", "info a.note recorded.run masked"}},
		{name: "masked what is no secret", base: old().with(files{"a.note": noteText{Run: "r --n 9", N: 1, Traces: []string{"t"}}.text()}), edit: files{"a.note": noteText{Run: "r --n ***", N: 2, Traces: []string{"t"}}.text()},
			want: []string{"FAIL a.note recorded redated introduced"}},

		{name: "a figure of the report", edit: files{"a.md": "97 tells"}, want: []string{"FAIL a.note report report-edited introduced"}},
		{name: "the text of the report", edit: files{"a.md": "71 finds"}, want: []string{"warn a.note report report-text"}},

		{name: "moved", edit: moved("c.note"), want: nil},
		{name: "drifted and moved", base: old().with(x2), edit: moved("c.note"), want: []string{"FAIL c.note in/x.hash hash-differs pre-existing"}},
		{name: "moved and re-pinned", edit: files{"in/x": "one and a half", "a.note": gone, "c.note": repinned("r-a", "t-a")["a.note"], "c.md": "71 tells", "a.md": gone},
			want: []string{"FAIL c.note recorded.pins.in/x rewritten introduced"}},
		{name: "drifted, and another run under a name that git pairs", base: old().with(x2),
			edit: files{"a.note": gone, "a.md": gone, "c.note": noteText{Run: "r-c", About: "z", Pins: map[string]string{"in/x": "0"}}.text()},
			ask:  func(q *Question) { q.Bases[0].Renamed = map[string]string{"c.note": "a.note"} },
			want: []string{"FAIL c.note in/x.hash hash-differs introduced", "warn a.note evidence removed"}},

		{name: "elsewhere", base: old().with(far("k/x")), edit: files{"a/x": "one"}, want: []string{"FAIL f.note pin.path resolved-elsewhere introduced"}},
		{name: "elsewhere, of other content", base: old().with(far("k/x")), edit: files{"a/x": "decoy"},
			want: []string{"FAIL f.note far:x.hash hash-differs introduced", "FAIL f.note pin.path resolved-elsewhere introduced"}},
		{name: "elsewhere, the first one gone", base: old().with(far("k/x")), edit: files{"z/x": "one", "k/x": gone, "in/x": gone, "a.note": gone, "a.md": gone},
			want: []string{"warn a.note evidence removed", "warn f.note pin.path resolved-elsewhere"}},
		{name: "elsewhere, as it was renamed", base: old().with(far("a/x")), edit: files{"b/x": "one", "a/x": gone},
			ask: func(q *Question) { q.Bases[0].Renamed = map[string]string{"b/x": "a/x"} }, want: []string{"info f.note pin.path moved"}},
		{name: "elsewhere, as the settings say", base: old().with(far("k/x")), edit: files{"z/x": "one", "k/x": gone, "in/x": gone, "a.note": gone, "a.md": gone},
			ask: func(q *Question) { q.Moved = map[string]string{"in/x": "z/x"} }, want: []string{"info f.note pin.path moved", "warn a.note evidence removed"}},
		{name: "elsewhere, as the settings say, with the first one still there", base: old().with(far("k/x")), edit: files{"a/x": "one"},
			ask: func(q *Question) { q.Moved = map[string]string{"in/x": "a/x"} }, want: []string{"FAIL f.note pin.path resolved-elsewhere introduced"}},

		{name: "what can't be told, as before", base: old().with(dim("one", "two")), want: []string{"info d.note dim:k/d.hash dim"}},
		{name: "what can't be told any more", base: old().with(dim("one", "one")), edit: files{"k/d": "two"}, want: []string{"FAIL d.note dim:k/d.hash dim introduced"}},
		{name: "what can't be told any more, pinned anew to what the base has", base: old().with(dim("nothing", "one")), edit: dim("one", "two"),
			want: []string{"FAIL d.note dim:k/d.hash dim introduced", "FAIL d.note recorded.pins.dim:k/d rewritten introduced"}},

		{name: "named evidence alone", edit: x2, ask: func(q *Question) { q.Named = []string{"b.note"} }},
		{name: "named evidence", edit: x2, ask: func(q *Question) { q.Named = []string{"a.note"} }, want: []string{"FAIL a.note in/x.hash hash-differs introduced"}},
		{name: "our own output", edit: files{"out/z.note": noteText{Run: "r", Pins: map[string]string{"nowhere": "0"}}.text()},
			ask: func(q *Question) { q.Ignore = func(p string) bool { return strings.HasPrefix(p, "out/") } }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := tc.base
			if base == nil {
				base = old()
			}
			q := ask(base.with(tc.edit), base)
			if tc.ask != nil {
				tc.ask(&q)
			}
			expect(t, Judge(context.Background(), q), tc.want...)
		})
	}
}

func strict(q *Question) { q.Strict = true }

func configured(q *Question) { q.Kinds[0].Configured = []string{"z.note"} }

// repinned edits a's input and pins what it is now, as some run.
func repinned(run string, traces ...string) files {
	f := files{"in/x": "one and a half"}
	f["a.note"] = f.pinned(noteText{Run: run, About: "x", Traces: traces}, "in/x")
	return f
}

func moved(to string) files {
	return files{"a.note": gone, "a.md": gone, to: old()["a.note"], strings.TrimSuffix(to, ".note") + ".md": old()["a.md"]}
}

// dim adds a note that can't tell what it pinned from what is there now.
func dim(pinned, now string) files {
	return files{"k/d": now, "d.note": noteText{Run: "r-d", Pins: map[string]string{"dim:k/d": sum(pinned)}}.text()}
}

// far adds a note that finds its input by its name alone, and puts that at a path.
func far(at string) files {
	return files{at: "one", "f.note": noteText{Run: "r-f", Pins: map[string]string{"far:x": sum("one")}}.text()}
}

// DESIGN, section 2: a FAIL is pre-existing only with the same reason on every merge base.
func TestSeveralBases(t *testing.T) {
	t.Parallel()
	drifted, good := old().with(files{"in/x": "two"}), old()
	for name, tc := range map[string]struct {
		bases []files
		want  string
	}{
		"the first is the drifted one": {[]files{drifted, good}, "introduced"},
		"the last is the drifted one":  {[]files{good, drifted}, "introduced"},
		"all are":                      {[]files{drifted, drifted}, "pre-existing"},
		"one lacks the evidence":       {[]files{drifted, drifted.with(files{"a.note": gone})}, "introduced"},
		"one has another reason":       {[]files{drifted, good.with(files{"in/x": gone})}, "introduced"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, Judge(context.Background(), ask(drifted, tc.bases...)), "FAIL a.note in/x.hash hash-differs "+tc.want)
		})
	}
}

// Unreadable is not absent (DESIGN, section 2): it acquits nobody.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	drifted := old().with(files{"in/x": "two"})
	for name, tc := range map[string]struct {
		base, head files
		lost       string // "base path" or "head path"
		want       []string
	}{
		"an input of the base":     {drifted, drifted.with(files{"in/x": "three"}), "base in/x", []string{"FAIL a.note in/x.hash hash-differs unknown"}},
		"an input of the head":     {old(), drifted, "head in/x", []string{"FAIL a.note evidence unreadable unknown", "FAIL a.note in/x.hash unreadable unknown"}},
		"the evidence on the head": {old(), drifted, "head a.note", []string{"FAIL a.note evidence unreadable unknown", "FAIL a.note note unreadable unknown"}},
		"the evidence on the base": {old(), old().with(files{"a.note": old().pinned(noteText{Run: "r-a", N: 3}, "in/x")}), "base a.note", []string{"FAIL a.note base base-unreadable unknown"}},
		"what the evidence was moved from": {old(), old().with(files{"a.note": gone, "a.md": gone, "in/x": "two", "c.note": old()["a.note"]}), "base a.note", []string{
			"FAIL a.note base base-unreadable unknown", "warn a.note evidence removed",
			"FAIL c.note base base-unreadable unknown", "FAIL c.note in/x.hash hash-differs unknown",
		}},
		"what is the same, unharmed": {old(), drifted, "base b.note", []string{"FAIL a.note in/x.hash hash-differs introduced"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := ask(tc.head, tc.base)
			side, lost, _ := strings.Cut(tc.lost, " ")
			broken := func(f files) *verify.Tree { return verify.NewTree(&losing{MapFS: f.fs(), name: lost}) }
			if side == "head" {
				q.Head.Tree = broken(tc.head)
			} else {
				q.Bases[0].Tree = broken(tc.base)
			}
			j := Judge(context.Background(), q)
			expect(t, j, tc.want...)
			if side == "base" && tc.want[0] != "FAIL a.note in/x.hash hash-differs introduced" && !strings.HasPrefix(j.BaseLost, lost) {
				t.Errorf("the base lost %q", j.BaseLost)
			}
		})
	}
}

// A masked name is the run's only when nothing else of the name is gone.
func TestOneRun(t *testing.T) {
	t.Parallel()
	named := func(words ...string) verify.Record {
		r := verify.Record{Identity: strings.Join(words, " ")}
		for i, w := range words {
			r.Values = append(r.Values, verify.Value{Path: string(rune('a' + i)), Text: w, Weight: verify.Naming})
		}
		return r
	}
	p := &pass{Question: ask(files{}, files{})}
	for _, tc := range []struct {
		was, is verify.Record
		want    bool
	}{
		{named("ahd", "--key=secret1"), named("ahd", "--key=secret1"), true},
		{named("ahd", "--key=secret1"), named("ahd", "--key=***"), true},
		{named("ahd", "--key=secret1", "--n=3"), named("ahd", "--key=***"), false},
		{named("ahd", "--key=secret1"), named("ahd", "--key=***", "--n=3"), false},
		{named("ahd", "--key=secret1", "--n=3"), named("ahd", "--key=***", "--n=4"), false},
		{named("ahd", "--n=3"), named("ahd", "--n=***"), false},
		{named(), named("ahd"), false},
	} {
		if got := p.oneRun(tc.was, tc.is); got != tc.want {
			t.Errorf("%q and %q: one run: %t", tc.was.Identity, tc.is.Identity, got)
		}
	}
}
