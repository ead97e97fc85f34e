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
		if want := naive(head, base, q.Strict); !slices.Equal(only(got, want), want) {
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

// naive is the least that must be told of notes that are no claims, from their texts alone:
// which pins fail and who brought it, what was rewritten, what is gone.
func naive(head, base files, strict bool) (want []string) {
	pins := func(f files, name string) map[string]string {
		fails := make(map[string]string)
		n, ok := parsed(f, name)
		if !ok {
			return nil
		}
		for pin, hash := range n.Pins {
			if strings.HasPrefix(pin, "far:") {
				continue
			}
			text, there := f[pin]
			switch {
			case !there:
				fails[pin] = "input-missing"
			case sum(text) != hash:
				fails[pin] = "hash-differs"
			}
		}
		return fails
	}
	for name := range head {
		n, ok := parsed(head, name)
		if !ok || n.At != "" {
			continue
		}
		was, paired := parsed(base, name)
		for pin, code := range pins(head, name) {
			by := "introduced"
			if paired && pins(base, name)[pin] == code {
				by = "pre-existing"
			}
			if _, whole := base[name]; !whole || was.At != "" {
				continue // it may have moved here, or have been a record
			}
			want = append(want, fmt.Sprintf("FAIL %s %s.hash %s %s", name, pin, code, by))
		}
		if paired && was.Run == n.Run && n.Run != "" && was.N != n.N {
			want = append(want, fmt.Sprintf("FAIL %s recorded.n rewritten introduced", name))
		}
	}
	for name := range base {
		if _, ok := parsed(base, name); !ok {
			continue
		}
		if _, still := head[name]; still {
			continue
		}
		report := strings.TrimSuffix(name, ".note") + ".md"
		_, had := base[report]
		_, has := head[report]
		if had && has && !movedAway(head, base, name) {
			want = append(want, fmt.Sprintf("FAIL %s evidence removed introduced", name))
		}
	}
	slices.Sort(want)
	return want
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
