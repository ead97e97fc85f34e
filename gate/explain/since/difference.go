package since

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

// maxUnified bounds a shown difference of text, in lines.
const maxUnified = 20

// differKey is two versions of an input, the newer one being that of the head, and how
// they are compared.
type differKey struct {
	input, commit, path string
	modes               Modes
}

// differing is all that differs between them.
type differing struct {
	edits   []verify.Edit
	more    int
	unified string
}

// difference shows what differs, as far as the answers together have room. Two versions are
// compared once, whatever part of them is asked about.
func (a *answer) difference(before, present []byte) {
	key := differKey{a.q.Input, a.why.Recorded.Commit, a.why.Recorded.Path, a.q.Modes}
	d, known := a.differ[key]
	if !known {
		d.edits, d.more, d.unified = difference(before, present, a.q, valuediff.Limits{Edits: a.o.MaxEdits})
		a.differ[key] = d
	}
	edits := d.edits
	if own := within(edits, a.q.Key); len(own) > 0 {
		edits, d.more = own, 0
	}
	if a.o.MaxEdits > 0 {
		room := max(1, a.edits)
		if n := len(edits) - room; n > 0 {
			edits, d.more = edits[:room], d.more+n
		}
		a.edits -= len(edits)
	}
	a.why.Edits, a.why.More, a.why.Unified = slices.Clone(edits), d.more, d.unified
}

// within are the edits at keys, below them, and of what holds them.
func within(edits []verify.Edit, keys string) (own []verify.Edit) {
	if keys == "" {
		return nil
	}
	dotted := strings.NewReplacer("[", ".", "]", "")
	list := strings.Split(keys, ",")
	for _, e := range edits {
		at := dotted.Replace(e.Path) + "."
		if slices.ContainsFunc(list, func(key string) bool { return strings.HasPrefix(at, key+".") || strings.HasPrefix(key+".", at) }) {
			own = append(own, e)
		}
	}
	return own
}

// difference shows how two versions differ: by value where they were compared by
// value and that shows it, else by lines.
func difference(before, after []byte, q Question, l valuediff.Limits) (edits []verify.Edit, more int, unified string) {
	if q.Modes&Canonical != 0 {
		a, errA := canonical.Parse(before)
		b, errB := canonical.Parse(after)
		// A text without any structure is YAML too, and better shown by lines.
		if errA == nil && errB == nil && (q.Modes&Raw == 0 || isCollection(a) && isCollection(b)) {
			edits, more = valuediff.Diff(a, b, l)
			if len(edits) > 0 {
				return edits, more, ""
			}
		}
	}
	return nil, 0, valuediff.Unified(before, after, q.Input, maxUnified)
}

func isCollection(v canonical.Value) bool {
	switch v.(type) {
	case *canonical.Object, []canonical.Value:
		return true
	}
	return false
}
