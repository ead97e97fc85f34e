package judge

import (
	"github.com/replay-gate/replay-gate/verify"
)

// left is what runs recorded on a base have left: what names them, and what no second run
// can have. It leads to the evidence of the run.
type left struct{ named, traces map[string]string }

// copied holds new evidence against all runs that the base knows. A word on the present
// that is an old run's under a new name would take over from it: the same run with other
// values is rewritten, and another one with what only the old one can have left is redated.
// Kinds without claims take over nothing, and a copy of theirs gains nothing.
func (p *pass) copied(e *Account) {
	if !p.isNew(e) || len(e.Head.Claims) == 0 {
		return
	}
	is := p.record(p.Head, p.head, e.Path)
	if is.Identity == "" {
		return
	}
	base := &p.bases[0]
	runs := p.runsLeft(e.Format.Kind())
	if old := runs.named[is.Identity]; old != "" {
		p.rewritten(e, p.onFirstBase(old), base.records[old].Record, is)
		return
	}
	for _, t := range is.Traces {
		if old := runs.traces[t]; old != "" && is.Unique {
			e.add(verify.Fail, "recorded", verify.Location{}, CodeRedated,
				"names a new run, with what only the run of %s can have left (request ids, outputs or their hashes)", old)
			return
		}
	}
}

// runsLeft indexes the runs of a kind on the first base, when new evidence asks.
func (p *pass) runsLeft(kind string) left {
	if runs, ok := p.runs[kind]; ok {
		return runs
	}
	runs := left{make(map[string]string), make(map[string]string)}
	base := &p.bases[0]
	for _, path := range p.onBasePaths() {
		if base.formats[path].Kind() != kind {
			continue
		}
		rec := p.record(p.Bases[0].Side, base, path)
		if rec.Identity != "" {
			runs.named[rec.Identity] = path
		}
		for _, t := range rec.Traces {
			runs.traces[t] = path
		}
	}
	p.runs[kind] = runs
	return runs
}
