package judge

import (
	"github.com/replay-gate/replay-gate/verify"
)

// judgeThen judges evidence again with the inputs of the commit that it records, where At
// asks for it: all of it, or what does not hold in the tree. Evidence whose commit can't be
// had keeps its verdict, and says so.
func (p *pass) judgeThen() {
	if p.At != AtRecorded && p.At != AtEither || p.Then == nil {
		return
	}
	again := make(map[*verify.Result]atCommit) // a base shares verdicts with the head
	for _, side := range append([]sideFound{{p.Head, p.head}}, p.baseSides()...) {
		for path, r := range side.found.results {
			a, ok := again[r]
			if !ok {
				a = p.atRecorded(side.Side, side.found.formats[path], r)
				again[r] = a
			}
			side.found.results[path] = a.result
			if a.tree != nil {
				side.found.then[path] = a.tree
			}
			if a.note != nil {
				side.found.notes[path] = *a.note
			}
		}
	}
}

// The reason codes of the row that says where inputs were taken from.
const (
	CodeRecordedCommit    = "recorded-commit"
	CodeCommitUnavailable = "commit-unavailable"
)

// atCommit is the verdict that counts, the tree it is from if that is another one, and what
// is to be said about it.
type atCommit struct {
	result *verify.Result
	tree   *verify.Tree
	note   *verify.Check
}

type sideFound struct {
	Side
	found *found
}

func (p *pass) baseSides() []sideFound {
	sides := make([]sideFound, len(p.bases))
	for i := range p.bases {
		sides[i] = sideFound{p.Bases[i].Side, &p.bases[i]}
	}
	return sides
}

func (p *pass) atRecorded(side Side, format verify.Format, r *verify.Result) atCommit {
	if r.Recording.Commit == "" || p.At == AtEither && r.Count(verify.Fail) == 0 {
		return atCommit{result: r}
	}
	note := func(status verify.Status, code, reason string) *verify.Check {
		rows := verify.Rows{Path: r.Path}
		return rows.Add(status, "at", verify.Spot{Text: r.Recording.Commit}, code, reason)
	}
	tree, whyNot := p.Then(p.ctx, side.Tree, r)
	if tree == nil {
		return atCommit{r, nil, note(verify.Warn, CodeCommitUnavailable, "inputs were checked in the tree: "+whyNot)}
	}
	en := verify.Engine{Now: p.Now, Strict: p.Strict, Concurrency: 1}
	then := en.Verify(p.ctx, tree, []verify.Item{{Path: r.Path, Format: format}})[0]
	reason := "inputs were checked at the recorded commit"
	if p.At == AtEither {
		if then.Count(verify.Fail) >= r.Count(verify.Fail) {
			return atCommit{result: r}
		}
		reason = "inputs hold at the recorded commit, and not in the tree"
	}
	if d := then.Recording.Dirty; d != nil && *d {
		return atCommit{&then, tree, note(verify.Warn, CodeRecordedCommit, reason+", which was not quite the state of the run (git_dirty)")}
	}
	return atCommit{&then, tree, note(verify.Info, CodeRecordedCommit, reason)}
}
