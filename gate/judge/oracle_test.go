package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// The verdict is that of somebody who knows no short cut: who judges every file of both
// trees afresh, and compares. What recorded reads spare must never show.
func TestOracle(t *testing.T) {
	t.Parallel()
	runs := 1500
	if testing.Short() {
		runs = 200
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := randomTree(r)
		head := base
		for range r.IntN(4) {
			head = randomEdit(r, head)
		}
		q := ask(head, base)
		q.Strict = r.IntN(4) == 0
		got := told(Judge(context.Background(), q))

		// A base that is said to differ in everything is judged afresh, and so is each tree.
		fresh := ask(head, base)
		fresh.Strict = q.Strict
		fresh.Head.Tree, fresh.Bases[0].Tree = verify.NewTree(head.fs()), verify.NewTree(base.fs())
		real := fresh.Bases[0].Differs
		fresh.Bases[0].Differs = func(r verify.Read) string {
			if r.Op == verify.OpUnder && r.Name == "." { // nobody's own; it makes nothing reusable
				return "everything"
			}
			return real(r)
		}
		for i := range fresh.Kinds {
			fresh.Kinds[i].Format = reader{fresh.Kinds[i].Format}
		}
		if want := told(Judge(context.Background(), fresh)); !slices.Equal(got, want) {
			t.Fatalf("seed %d:\nbase %q\nhead %q\ngot  %q\nwant %q", seed, base, head, got, want)
		}
		if want := naive(head, base); !slices.Equal(only(got, want), want) {
			t.Fatalf("seed %d:\nbase %q\nhead %q\ngot  %q\nwant %q", seed, base, head, got, want)
		}
	}
}

// reader reads the whole tree before it judges, so that no verdict is reused.
type reader struct{ verify.Format }

func (f reader) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	e.Tree.Under(".")
	return f.Format.Verify(ctx, e)
}

func (f reader) Record(e *verify.Evidence) verify.Record { return f.Format.(verify.Recorder).Record(e) }

func (f reader) CompareSubject(path string, before, after []byte) []verify.Check {
	return f.Format.(verify.SubjectComparer).CompareSubject(path, before, after)
}

// naive is the least that must be told, from the texts alone: which pins fail and who brought
// it, what was rewritten, redated or edited, what is gone, what describes the past.
func naive(head, base files) (want []string) {
	o := oracle{head, base}
	for name := range head {
		if n, ok := parsed(head, name); ok && n.At == "" {
			want = append(want, o.drift(name)...)
		}
		want = append(want, o.recorded(name)...)
	}
	want = append(want, o.dated()...)
	for name := range base {
		want = append(want, o.removed(name)...)
	}
	slices.Sort(want)
	return want
}

type oracle struct{ head, base files }

// pins are the pins of a note that fail on one side, each with the reason.
func (o oracle) pins(f files, name string) map[string]string {
	fails := make(map[string]string)
	n, _ := parsed(f, name)
	for pin, hash := range n.Pins {
		if strings.HasPrefix(pin, "far:") {
			continue
		}
		switch text, there := f[pin]; {
		case !there:
			fails[pin] = "input-missing"
		case sum(text) != hash:
			fails[pin] = "hash-differs"
		}
	}
	return fails
}

// drift is that of a note that claims nothing of the present.
func (o oracle) drift(name string) (want []string) {
	was, paired := parsed(o.base, name)
	if _, whole := o.base[name]; !whole || was.At != "" {
		return nil // it may have moved here, or have been a record
	}
	for pin, code := range o.pins(o.head, name) {
		by := "introduced"
		if paired && o.pins(o.base, name)[pin] == code {
			by = "pre-existing"
		}
		want = append(want, fmt.Sprintf("FAIL %s %s.hash %s %s", name, pin, code, by))
	}
	return want
}

// recorded is what became of the run that a note records, and of the figures of its report.
func (o oracle) recorded(name string) (want []string) {
	is, ok := parsed(o.head, name)
	was, paired := parsed(o.base, name)
	if !ok || !paired || is.Run == "" || was.Run == "" {
		return nil
	}
	report := strings.TrimSuffix(name, ".note") + ".md"
	before, had := o.base[report]
	after, has := o.head[report]
	shares := slices.ContainsFunc(is.Traces, func(t string) bool { return slices.Contains(was.Traces, t) })
	switch {
	case was.Run != is.Run && shares:
		want = append(want, fmt.Sprintf("FAIL %s recorded redated introduced", name))
	case was.Run == is.Run && was.N != is.N:
		want = append(want, fmt.Sprintf("FAIL %s recorded.n rewritten introduced", name))
	}
	figure := func(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
	if was.Run == is.Run && had && has && figure(before) != figure(after) && strings.HasPrefix(before+after, "says ") {
		want = append(want, fmt.Sprintf("FAIL %s report report-edited introduced", name))
	}
	return want
}

// dated are the notes that claim something since a day, where the change touches none of
// them: of each subject the last one before today describes the present, and older ones the
// past.
func (o oracle) dated() (want []string) {
	newest := make(map[string]string)
	var all []string
	for _, f := range []files{o.head, o.base} {
		for name := range f {
			n, ok := parsed(f, name)
			if !ok || n.At == "" {
				continue
			}
			if o.head[name] != o.base[name] {
				return nil
			}
			if n.At <= "2026-06-01" { // today; see ask
				newest[n.About] = max(newest[n.About], n.At)
			}
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, name := range all {
		n, _ := parsed(o.head, name)
		for pin, code := range o.pins(o.head, name) {
			switch {
			case newest[n.About] > n.At:
				want = append(want, fmt.Sprintf("info %s %s.hash superseded", name, pin))
			case o.pins(o.base, name)[pin] == code:
				want = append(want, fmt.Sprintf("FAIL %s %s.hash %s pre-existing", name, pin, code))
			default:
				want = append(want, fmt.Sprintf("FAIL %s %s.hash %s introduced", name, pin, code))
			}
		}
	}
	return want
}

// removed is a note that is gone while its report is still there.
func (o oracle) removed(name string) []string {
	_, still := o.head[name]
	if _, ok := parsed(o.base, name); !ok || still {
		return nil
	}
	report := strings.TrimSuffix(name, ".note") + ".md"
	_, had := o.base[report]
	_, has := o.head[report]
	if had && has && !movedAway(o.head, o.base, name) {
		return []string{fmt.Sprintf("FAIL %s evidence removed introduced", name)}
	}
	return nil
}

// movedAway reports whether a note of the head may be the one that is gone.
func movedAway(head, base files, name string) bool {
	was, _ := parsed(base, name)
	for other := range head {
		if n, ok := parsed(head, other); ok && (n.Run == was.Run || n.About == was.About) {
			return true
		}
	}
	return false
}

func only(got, want []string) []string {
	return slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !slices.Contains(want, s) })
}

func parsed(f files, name string) (n noteText, ok bool) {
	text, there := f[name]
	if !there || !strings.HasSuffix(name, ".note") || !strings.HasPrefix(text, `{"run"`) {
		return n, false
	}
	return n, unmarshal(text, &n)
}

// randomTree is a few inputs, and a few notes that pin some of them, not all rightly.
func randomTree(r *rand.Rand) files {
	f := files{}
	for _, name := range []string{"in/x", "in/y", "k/x", "k/z"} {
		if r.IntN(5) > 0 {
			f[name] = fmt.Sprint("text ", r.IntN(3))
		}
	}
	for _, name := range []string{"a", "b", "d/c"} {
		if r.IntN(6) > 0 {
			f[name+".note"] = randomNote(r, f, name)
			f[name+".md"] = fmt.Sprint("says ", r.IntN(3))
		}
	}
	return f
}

func randomNote(r *rand.Rand, f files, name string) string {
	n := noteText{Run: "r-" + name, About: "about " + name, N: r.IntN(3), Pins: map[string]string{}}
	if r.IntN(3) == 0 {
		n.Run += fmt.Sprint(r.IntN(3))
	}
	if r.IntN(3) == 0 {
		n.About, n.At = "the same", fmt.Sprintf("2026-0%d-01", 1+r.IntN(8))
	}
	if r.IntN(2) == 0 {
		n.Traces = []string{fmt.Sprint("t", r.IntN(4))}
	}
	if r.IntN(4) == 0 {
		n.See = []string{"a.note", "b.note", "d/c.note"}[r.IntN(3)]
	}
	for _, pin := range []string{"in/x", "in/y", "far:x", "k/z"} {
		if r.IntN(2) == 0 {
			n.Pins[pin] = sum(f[strings.TrimPrefix(pin, "far:")])
			if pin == "far:x" {
				n.Pins[pin] = sum(f["in/x"])
			}
			if r.IntN(5) == 0 {
				n.Pins[pin] = "0"
			}
		}
	}
	return n.text()
}

// randomEdit changes, adds, removes, renames or swaps something.
func randomEdit(r *rand.Rand, f files) files {
	names := slices.Sorted(keys(f))
	if len(names) == 0 {
		return f
	}
	name := names[r.IntN(len(names))]
	switch r.IntN(7) {
	case 0:
		return f.with(files{name: gone})
	case 1:
		to := []string{"z/", "a/", "d/"}[r.IntN(3)] + name[strings.LastIndexByte(name, '/')+1:]
		return f.with(files{name: gone}).with(files{to: f[name]})
	case 2:
		return f.with(files{"a/x": "decoy"})
	case 3:
		if strings.HasSuffix(name, ".note") {
			return f.with(files{name: randomNote(r, f, strings.TrimSuffix(name, ".note"))})
		}
	case 4:
		if strings.HasSuffix(name, ".note") {
			return f.with(files{name: []string{"", "{}", `{"run":`}[r.IntN(3)]})
		}
	case 5:
		return f.with(files{"n.note": randomNote(r, f, "n"), "n.md": "says 9"})
	}
	if strings.HasSuffix(name, ".note") {
		return f
	}
	return f.with(files{name: fmt.Sprint("text ", r.IntN(4))})
}
