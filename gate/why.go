package gate

import (
	"context"
	"io/fs"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/gate/since"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

// maxEdits bounds what a report says of changed inputs, all of them together: a token
// of some megabytes that a thousand sidecars pin would make it one of gigabytes.
const maxEdits = 20_000

// explain says of every FAIL on an input what changed in it, and since when. One
// walk through history serves all evidence that shares an input.
func explain(ctx context.Context, r *repo.Repository, c *change, report *summary.Report, histories *repo.Histories, o Options) {
	base := c.baseCommit
	if _, local := c.base.(*repo.Tree); !local {
		base = repo.Commit{} // behind the API: not in this clone
	}
	f := since.New(r, c.head, histories, since.Options{Base: base, MaxEdits: maxEdits, MaxTime: o.HistoryTime})
	tree := verify.NewTree(c.head)
	for i := range report.Evidence {
		explainEvidence(ctx, f, &report.Evidence[i], tree)
		for _, field := range report.Evidence[i].Fields {
			if why := field.Why; why != nil && why.Since != nil {
				why.Since.URL = report.Links.CommitURL(why.Since.Commit)
			}
		}
	}
}

// explainEvidence is explain for one piece of evidence.
func explainEvidence(ctx context.Context, f *since.Finder, e *summary.Evidence, tree *verify.Tree) {
	for k := range e.Fields {
		field := &e.Fields[k]
		in, ok := inputOf(e, field)
		if field.Status != verify.Fail || !ok || ctx.Err() != nil {
			continue
		}
		why := f.Why(ctx, since.Question{
			Evidence: e.Path, Input: in.Path, Recorded: in.Hash, Modes: modesOf(in), Commit: e.Recording.Commit,
		})
		if why.HoldsAt != "" && e.Recording.Dirty != nil && *e.Recording.Dirty {
			why.Note += "; the run's work tree was not quite that commit"
		}
		hideSecrets(&why, tree)
		field.Why = &why
	}
}

// InputDifference says how two versions of an input differ: by value where both
// can be parsed, else as text.
func InputDifference(before, after []byte, name string) verify.Why {
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
	hideSecrets(&why, verify.NewTree(noFiles{}))
	return why
}

// noFiles is the tree of what lies in none.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// hideSecrets keeps what looks like a secret out of everything that shows what
// changed: a match of Assay's patterns is cut out, and a text in which gitleaks
// finds one is not shown.
func hideSecrets(why *verify.Why, tree *verify.Tree) {
	leaked, err := leaks(tree)
	for _, text := range texts(why) {
		*text = string(bundle.Scrub([]byte(*text)))
		if *text != "" && (err != nil || len(leaked([]byte(*text))) > 0) {
			*text = "[REDACTED]"
		}
	}
}

// texts are the parts of why that quote an input.
func texts(why *verify.Why) []*string {
	all := []*string{&why.Unified}
	for i := range why.Edits {
		all = append(all, &why.Edits[i].Before, &why.Edits[i].After)
	}
	return all
}

// inputOf is the input that a field is about, if the evidence pins it by hash.
func inputOf(e *summary.Evidence, f *summary.Field) (verify.Input, bool) {
	for _, in := range e.Inputs {
		if in.Hash != "" && f.Input != "" && in.Path == f.Input && strings.HasPrefix(f.Field, in.Role) {
			return in, true
		}
	}
	return verify.Input{}, false
}

// modesOf are the hashes that may have been recorded of an input (AHD replay,
// Hash contract): a token is structured; anything else may be raw bytes.
func modesOf(in verify.Input) since.Modes {
	if in.Role == "token" {
		return since.Canonical
	}
	return since.Raw | since.Canonical
}
