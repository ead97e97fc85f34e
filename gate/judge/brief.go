package judge

import (
	"reflect"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// abridge lets go of the rows of a result that holds and is that of every base: all that is
// ever asked of it is that nothing failed.
func (q *Question) abridge(r *verify.Result) {
	if r.Reads == nil || r.Count(verify.Fail) > 0 {
		return
	}
	for _, b := range q.Bases {
		if r.Reads.Any(nil, func(read verify.Read) bool { return b.Differs(read) != "" }) {
			return
		}
	}
	r.Abridge()
}

// share gives a result on a base the rows of the head, where they are the same: of most of what
// a change touches, all that anybody ever sees are these.
func (f *found) share(r *verify.Result) {
	if f.like == nil {
		return
	}
	if is := f.like.results[r.Path]; is != nil && len(is.Checks) > 0 && reflect.DeepEqual(is.Checks, r.Checks) {
		r.Checks = slices.Clip(is.Checks)
	}
}

// forget lets go of the rows of the bases, once the accounts tell what is to be said of them.
func (p *pass) forget() {
	heads := make(map[*verify.Result]bool, len(p.out.Evidence))
	for i := range p.out.Evidence {
		heads[p.out.Evidence[i].Head] = true
	}
	for i := range p.out.Evidence {
		for _, b := range p.out.Evidence[i].Bases {
			if b != nil && !heads[b] {
				b.Checks = nil
			}
		}
	}
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
