package judge

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// abridge lets go of the rows of a result that holds and is that of every base: all that is
// ever asked of it is that nothing failed.
func (q *Question) abridge(r *verify.Result) {
	if r.Reads == nil || r.Count(verify.Fail) > 0 || q.Held != nil && slices.ContainsFunc(r.Checks, undecided) && q.recalls(r.Kind) {
		return
	}
	for _, b := range q.Bases {
		if r.Reads.Any(nil, func(read verify.Read) bool { return b.Differs(read) != "" }) {
			return
		}
	}
	r.Abridge()
}

// recalls reports whether the history may tell of a kind's rows that can't tell.
func (q *Question) recalls(kind string) bool {
	return slices.ContainsFunc(q.Kinds, func(k Kind) bool {
		_, ok := k.Format.(verify.FolderRecaller)
		return ok && k.Kind() == kind
	})
}

// unabridge judges again what is listed all the same, because of a relation to other
// evidence. Judging is a function of the tree, so the rows are those that were let go of.
func (p *pass) unabridge() {
	listed := func(r Row) bool { return r.Status == verify.Fail || r.Attribution == verify.Fixed }
	en := verify.Engine{Now: p.Now, Strict: p.Strict, Concurrency: 1}
	for i := range p.out.Evidence {
		e := &p.out.Evidence[i]
		if !e.Head.Abridged || e.Affected == "" && !slices.ContainsFunc(e.Rows, listed) {
			continue
		}
		// Only the rows: others hold on to the result.
		e.Head.Checks = en.Verify(p.ctx, e.Tree, []verify.Item{{Path: e.Path, Format: e.Format}})[0].Checks
		e.Head.Abridged = false
		rows := make([]Row, 0, len(e.Head.Checks)+len(e.Rows))
		for _, c := range e.Head.Checks {
			rows = append(rows, Row{Check: c})
		}
		e.Rows = append(rows, e.Rows...)
	}
}
