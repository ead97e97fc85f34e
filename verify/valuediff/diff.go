package valuediff

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// MaxEdits is how many edits are kept unless [Limits] says otherwise.
const MaxEdits = 500

// maxWork bounds the members and elements that are compared. Beyond it, whole
// collections that differ are one edit.
const maxWork = 4 << 20

// Limits bound a [Diff]. The zero value means the defaults.
type Limits struct {
	Edits int // kept edits; 0 means MaxEdits
}

// Diff returns what turns before into after, in the order of the canonical JSON,
// and how many edits there are beyond the limit. Members of objects are
// compared by key, elements of arrays by the shortest edit script, in which what
// was removed and added at one place is paired as changed.
func Diff(before, after canonical.Value, l Limits) (edits []verify.Edit, more int) {
	if l.Edits <= 0 {
		l.Edits = MaxEdits
	}
	d := differ{ids: newIdentities(), limit: l.Edits, work: maxWork}
	d.value(nil, before, after)
	return d.edits, d.more
}

type differ struct {
	ids   *identities
	edits []verify.Edit
	limit int
	more  int
	work  int
}

// value compares what stands at one place on both sides.
func (d *differ) value(at *place, a, b canonical.Value) {
	if d.ids.of(a) == d.ids.of(b) {
		return
	}
	if d.work > 0 {
		switch a := a.(type) {
		case *canonical.Object:
			if b, ok := b.(*canonical.Object); ok {
				d.object(at, a, b)
				return
			}
		case []canonical.Value:
			if b, ok := b.([]canonical.Value); ok {
				d.array(at, a, b)
				return
			}
		}
	}
	d.add(func() verify.Edit {
		return verify.Edit{Path: at.String(), Op: verify.EditChanged, Before: show(a), After: show(b)}
	})
}

// add keeps an edit, or counts it; make spells it out.
func (d *differ) add(make func() verify.Edit) {
	if len(d.edits) >= d.limit {
		d.more++
		return
	}
	d.edits = append(d.edits, make())
}

func (d *differ) object(at *place, a, b *canonical.Object) {
	keys := sortedKeys(a)
	for _, key := range sortedKeys(b) {
		if _, both := a.Get(key); !both {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, compareKeys)
	d.work -= len(keys)
	for _, key := range keys {
		old, had := a.Get(key)
		now, has := b.Get(key)
		switch {
		case had && has && d.ids.of(old) == d.ids.of(now):
		case had && has && !LooksSecret(key):
			d.value(at.member(key), old, now)
		default:
			d.add(func() verify.Edit { return member(at.member(key), old, had, now, has) })
		}
	}
}

// member is the edit of a member that is shown whole.
func member(at *place, old canonical.Value, had bool, now canonical.Value, has bool) verify.Edit {
	e := verify.Edit{Path: at.String(), Op: verify.EditChanged}
	switch {
	case !had:
		e.Op = verify.EditAdded
	case !has:
		e.Op = verify.EditRemoved
	}
	shown := show
	if LooksSecret(at.key) {
		shown = func(canonical.Value) string { return Masked }
	}
	if had {
		e.Before = shown(old)
	}
	if has {
		e.After = shown(now)
	}
	return e
}

func (d *differ) array(at *place, a, b []canonical.Value) {
	number := func(items []canonical.Value) []int {
		ids := make([]int, len(items))
		for i, item := range items {
			ids[i] = d.ids.of(item)
		}
		return ids
	}
	d.work -= len(a) + len(b)
	for _, h := range script(number(a), number(b), &d.work) {
		paired := min(h.a1-h.a0, h.b1-h.b0)
		for i := range paired {
			d.value(at.element(h.b0+i), a[h.a0+i], b[h.b0+i])
		}
		if gone := a[h.a0+paired : h.a1]; len(gone) > 0 {
			d.add(func() verify.Edit {
				e := verify.Edit{Path: at.element(h.a0 + paired).String(), Op: verify.EditRemoved}
				e.Count, e.Before = run(gone)
				return e
			})
		}
		if come := b[h.b0+paired : h.b1]; len(come) > 0 {
			d.add(func() verify.Edit {
				e := verify.Edit{Path: at.element(h.b0 + paired).String(), Op: verify.EditAdded}
				e.Count, e.After = run(come)
				return e
			})
		}
	}
}

// run shows neighbours in an array: one as itself, several as an array.
func run(items []canonical.Value) (count int, shown string) {
	if len(items) == 1 {
		return 0, show(items[0])
	}
	return len(items), show(items)
}
