package judge

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// redated looks for the traces of the old run in evidence that names a new one.
func (p *pass) redated(e *Account, was, is verify.Record) {
	pinned := pinnedOtherwise(e.Bases[0], e.Head, was, is)
	switch {
	case shareTraces(was, is) && (is.Unique || pinned || claimsOtherwise(was, is)):
		e.add(verify.Fail, "recorded", verify.Location{}, CodeRedated,
			"names another run than on the base, with what only the old run can have left (request ids, outputs or their hashes)")
	case pinned && p.sameSubjects(e):
		e.add(verify.Warn, "recorded", verify.Location{}, CodeRedated,
			"names another run than on the base and pins other values, and what it reports is the same")
	}
}

func shareTraces(a, b verify.Record) bool {
	return slices.ContainsFunc(a.Traces, func(t string) bool {
		_, same := slices.BinarySearch(b.Traces, t)
		return same
	})
}

// claimsOtherwise reports whether a value that both records claim is another one.
func claimsOtherwise(was, is verify.Record) bool {
	old := make(map[string]string)
	for _, v := range was.Values {
		old[v.Path] = v.Text
	}
	return slices.ContainsFunc(is.Values, func(v verify.Value) bool {
		text, ok := old[v.Path]
		return ok && v.Weight == verify.Claimed && text != v.Text
	})
}

// pinnedOtherwise reports whether what is pinned is not what was: a hash of an input, or
// where the evidence lists no inputs any claimed value.
func pinnedOtherwise(base, head *verify.Result, was, is verify.Record) bool {
	before, pins := make(map[string]string), false
	for _, in := range base.Inputs {
		if in.Hash != "" {
			before[in.Field], pins = in.Hash, true
		}
	}
	for _, in := range head.Inputs {
		if in.Hash != "" && before[in.Field] != in.Hash {
			return true
		}
	}
	return !pins && claimsOtherwise(was, is)
}

// sameSubjects reports whether what the evidence vouches for is the same on both sides,
// by its kind's own comparison where it has one.
func (p *pass) sameSubjects(e *Account) bool {
	some := false
	for _, in := range e.Head.Inputs {
		if !in.Subject || in.Missing {
			continue
		}
		was, err1 := p.noted(p.Bases[0].Tree).ReadFile(in.Path, verify.MaxInput)
		is, err2 := p.noted(p.Head.Tree).ReadFile(in.Path, verify.MaxInput)
		if err1 != nil || err2 != nil {
			return false
		}
		some = true
		if string(was) == string(is) {
			continue
		}
		c, ok := e.Format.(verify.SubjectComparer)
		if !ok || len(c.CompareSubject(in.Path, was, is)) > 0 {
			return false
		}
	}
	return some
}
