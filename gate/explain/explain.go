// Package explain says of what fails why: what changed in an input, by meaning, by whom and
// since when, where it still holds, and what to do about it.
//
//	x := explain.Explain(ctx, explain.Source{Repo: r, Head: tree, Histories: h}, judgement, shown)
//	for _, c := range x.Causes {
//		fmt.Println(c.Path, len(c.Claims), "no longer describe it")
//	}
//
// An explanation decides nothing. It may know less in a shallow clone, or when time runs
// out, and says so; the verdict is the same.
package explain

import (
	"context"
	"time"

	"github.com/replay-gate/replay-gate/gate/explain/since"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

// maxEdits bounds what a report says of changed inputs, all of them together: a token
// of some megabytes that a thousand sidecars pin would make it one of gigabytes.
const maxEdits = 20_000

// Source is where explanations come from.
type Source struct {
	Repo *repo.Repository
	// Head is the state that was judged, and Histories begin at its commit.
	Head      *repo.Snapshot
	Histories *repo.Histories
	// Base is the commit before the change; zero when there is none.
	Base repo.Commit
	// Named is the base as the reader named it; empty where it is found without.
	Named string
	// Differs says what the change did to a file; nil without a base.
	Differs func(verify.Read) string
	// Seen is told each version of an input that a difference quotes; nil for nobody.
	Seen func(ctx context.Context, content []byte)
	// MaxTime bounds the search through history.
	MaxTime time.Duration
	// CommitURL gives the page of a commit, or an empty string; nil for none.
	CommitURL func(hash string) string
}

// Explanation is what is known beyond the judgement. All but Causes have an element for
// each piece of evidence: what is known of its rows, by their places. Of most, nothing is.
type Explanation struct {
	Why   []map[int]*verify.Why
	Steps []map[int]Step
	// Lost says of a record's input that the whole history is at hand, and no commit of it
	// has the version that was recorded.
	Lost   []map[int]bool
	Causes []Cause
}

// Explain explains the evidence that is shown. One walk through history serves all
// evidence that shares an input.
func Explain(ctx context.Context, s Source, j *judge.Judgement, shown []bool) *Explanation {
	f := since.New(s.Repo, s.Head, s.Histories, since.Options{Base: s.Base, MaxEdits: maxEdits, MaxTime: s.MaxTime, Seen: s.Seen})
	x := newExplanation(j)
	for i := range j.Evidence {
		e := &j.Evidence[i]
		if !shown[i] {
			continue
		}
		for k := range e.Rows {
			if ctx.Err() != nil {
				continue
			}
			why := s.why(ctx, f, e, &e.Rows[k])
			note(&x.Why[i], k, why, why != nil)
			lost := s.lost(e, &e.Rows[k], why)
			note(&x.Lost[i], k, lost, lost)
		}
		x.steps(s, i, e)
	}
	x.Causes = s.causes(j, x, shown)
	return x
}

func newExplanation(j *judge.Judgement) *Explanation {
	n := len(j.Evidence)
	return &Explanation{Why: make([]map[int]*verify.Why, n), Steps: make([]map[int]Step, n), Lost: make([]map[int]bool, n)}
}

// note notes what is known of row k, if anything is.
func note[T any](rows *map[int]T, k int, what T, known bool) {
	if !known {
		return
	}
	if *rows == nil {
		*rows = make(map[int]T)
	}
	(*rows)[k] = what
}

// steps notes what to do about the rows of evidence i that fail.
func (x *Explanation) steps(s Source, i int, e *judge.Account) {
	for k := range e.Rows {
		note(&x.Steps[i], k, s.stepFor(e, x.Why[i], k), e.Rows[k].Status == verify.Fail)
	}
}

// lost reports whether the version of an input that a record pins is nowhere: neither in
// the whole history nor at the commit that it names, which this repository has.
func (s Source) lost(e *judge.Account, row *judge.Row, why *verify.Why) bool {
	at := e.Head.Recording.Commit
	return row.Code == judge.CodeSuperseded && why != nil && why.Case == verify.CaseNeverMatched && why.Recorded == nil && (at == "" || s.Repo.Has(at))
}

// CodeInputLost is the reason code of the row that says so. It is a row of the report alone:
// what a clone has of the history decides nothing.
const CodeInputLost = "input-lost"

// Steps is what to do about each row, where nothing is known beyond the judgement.
func Steps(j *judge.Judgement) *Explanation {
	x := newExplanation(j)
	for i := range j.Evidence {
		x.steps(Source{}, i, &j.Evidence[i])
	}
	return x
}

// why says how the input of a row came to differ; nil for a row that is about none, or
// holds.
func (s Source) why(ctx context.Context, f *since.Finder, e *judge.Account, row *judge.Row) *verify.Why {
	moved := row.Code == judge.CodeSuperseded || row.Code == judge.CodeNotRerun
	if row.Status != verify.Fail && !moved || e.Removed {
		return nil
	}
	q, ok := question(e, row)
	if !ok {
		return nil
	}
	why := f.Why(ctx, q)
	if why.HoldsAt != "" && e.Head.Recording.Dirty != nil && *e.Head.Recording.Dirty {
		why.Note += "; the run's work tree was not quite that commit"
	}
	if why.Since != nil && s.CommitURL != nil {
		why.Since.URL = s.CommitURL(why.Since.Commit)
	}
	return &why
}

// question asks for the recorded version of the input that a row is about; false where no
// version of it can be told to be that.
func question(e *judge.Account, row *judge.Row) (since.Question, bool) {
	if q, ok := ofFolder(e, row); ok {
		return q, true
	}
	for _, in := range e.Head.Inputs {
		if in.Field != row.Field || in.Path == "" {
			continue
		}
		q := since.Question{Evidence: e.Path, Input: in.Path, Recorded: in.Hash, Modes: modesOf[in.Hashes], Commit: e.Head.Recording.Commit}
		if holds := recall(e, in); holds != nil && in.Path == row.Input {
			q.Modes, q.Holds, q.Key = since.Raw|since.Canonical, holds, in.Key
			return q, true
		}
		if in.Hash != "" && q.Modes != 0 {
			return q, true
		}
	}
	return since.Question{}, false
}

// ofFolder asks for the recorded state of a folder.
func ofFolder(e *judge.Account, row *judge.Row) (since.Question, bool) {
	r, ok := e.Format.(verify.FolderRecaller)
	if !ok || row.Input == "" {
		return since.Question{}, false
	}
	now := e.Tree.Aside()
	holds := r.RecallFolder(&verify.Evidence{Path: e.Path, Tree: now, NoHints: true}, row.Check)
	if holds == nil {
		return since.Question{}, false
	}
	return since.Question{
		Evidence: e.Path, Input: row.Input, Recorded: row.Recorded, Commit: e.Head.Recording.Commit,
		HoldsIn: func(folder *repo.Snapshot) bool { return holds(judge.Graft(now, row.Input, folder)) },
	}, true
}

// Held answers [judge.Question.Held]: from all of the history that is at hand, however long
// that takes, as a verdict must not depend on how fast a machine is.
func Held(s Source) func(ctx context.Context, e *judge.Account, row *judge.Row) (commit string) {
	f := since.New(s.Repo, s.Head, s.Histories, since.Options{MaxTime: -1, HistoryOnly: true})
	return func(ctx context.Context, e *judge.Account, row *judge.Row) string {
		q, ok := ofFolder(e, row)
		if !ok {
			return ""
		}
		why := f.Why(ctx, q)
		if why.Recorded == nil {
			return ""
		}
		return why.Recorded.Commit
	}
}

// recall asks the kind of evidence; nil where it can't tell.
func recall(e *judge.Account, in verify.Input) func(content []byte) bool {
	r, ok := e.Format.(verify.Recaller)
	if !ok {
		return nil
	}
	return r.Recall(&verify.Evidence{Path: e.Path, Tree: e.Tree.Aside(), NoHints: true}, in)
}

var modesOf = map[verify.Hashes]since.Modes{
	verify.HashRaw: since.Raw, verify.HashCanonical: since.Canonical, verify.HashEither: since.Raw | since.Canonical,
}

// Difference says how two versions of an input differ: by value where both
// can be parsed, else as text.
func Difference(before, after []byte, name string) verify.Why {
	const unifiedLines = 20
	var why verify.Why
	was, err1 := canonical.Parse(before)
	is, err2 := canonical.Parse(after)
	if err1 == nil && err2 == nil {
		why.Edits, why.More = valuediff.Diff(was, is, valuediff.Limits{})
	}
	if len(why.Edits) == 0 {
		why.Unified = valuediff.Unified(before, after, name, unifiedLines)
	}
	return why
}

// changed reports whether the change itself touched a file.
func (s Source) changed(path string) string {
	if s.Differs == nil {
		return ""
	}
	return s.Differs(verify.Read{Op: verify.OpFile, Name: path, Outcome: verify.Found})
}
