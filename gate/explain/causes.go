package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

// CauseKind is what a cause is a change of.
type CauseKind string

// The kinds of cause.
const (
	InputChanged    CauseKind = "input"    // an input that evidence pins
	EvidenceChanged CauseKind = "evidence" // the evidence itself
	EvidenceGone    CauseKind = "removal"  // evidence that is no more
)

// Cause is one change of one thing, with all the evidence that it affects (DESIGN, section
// 1): what a report tells a person.
type Cause struct {
	Kind CauseKind
	// Path is the input, or the evidence.
	Path string
	// Role is what the evidence calls the input, such as "token"; empty for evidence.
	Role string
	// Here says what this change did to Path, such as "tokens/x.yml changed"; empty when
	// the change did not touch it.
	Here string
	// Introduced says that this change brought it, or that nobody knows who did.
	Introduced bool
	// Why says what changed in it, by whom and since when; nil where that is not known,
	// and for evidence.
	Why *verify.Why
	// Fails is the evidence with rows that fail because of it, each with those rows.
	Fails []Affected
	// Records are those that a newer run has superseded: nothing fails there. RecordsAt are
	// the commits that have the versions which those describe, as far as they are known.
	Records   []string
	RecordsAt []string
	// Follows is what the FAILs mean beyond their fields, each sentence once.
	Follows []string
	// Holds are those that pin it and hold all the same, because nothing changed in it
	// that they rest on. Only listed when this change touched the input.
	Holds []string
	// Meant is what to do if the change was meant, and Undo if it was not. Both are empty
	// for what this change did not bring.
	Meant, Undo []Step
}

// Affected is one piece of evidence of a cause: its index in the judgement, and those of
// its rows.
type Affected struct {
	Evidence int
	Rows     []int
}

// causeKey tells causes apart: what was there before this change is another one than what
// the change brought, and two commits that changed one input are two.
type causeKey struct {
	kind       CauseKind
	path       string
	introduced bool
	since      string
}

// grouping is causes being put together.
type grouping struct {
	Source
	judged *judge.Judgement
	x      *Explanation
	byKey  map[causeKey]*Cause
}

// causes groups what was found by what brought it.
func (s Source) causes(j *judge.Judgement, x *Explanation, shown []bool) []Cause {
	g := grouping{Source: s, judged: j, x: x, byKey: make(map[causeKey]*Cause)}
	for i := range j.Evidence {
		if shown[i] {
			g.fails(i)
			g.records(i)
			g.holds(&j.Evidence[i])
		}
	}
	causes := make([]Cause, 0, len(g.byKey))
	for _, c := range g.byKey {
		if c.Introduced && len(c.Fails) > 0 {
			g.ways(c)
		}
		causes = append(causes, *c)
	}
	slices.SortFunc(causes, func(a, b Cause) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)), cmp.Compare(len(b.Fails), len(a.Fails)), cmp.Compare(len(b.Records), len(a.Records)),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(sinceOf(a.Why), sinceOf(b.Why)),
		)
	})
	return causes
}

// rank has what this change brought first, and what fails nowhere last.
func rank(c Cause) int {
	switch {
	case len(c.Fails) == 0:
		return 2
	case !c.Introduced:
		return 1
	}
	return 0
}

// fails notes the rows of a piece of evidence that fail, each with what brought it.
func (g *grouping) fails(i int) {
	e := &g.judged.Evidence[i]
	byCause := make(map[*Cause][]int)
	for k, row := range e.Rows {
		if row.Status != verify.Fail {
			continue
		}
		kind, path := causeOf(e, row)
		c := g.get(kind, path, row.Attribution != verify.PreExisting, g.x.Why[i][k])
		if c.Role == "" {
			c.Role = roleOf(e, row)
		}
		if here := g.within(e, row); here != "" {
			c.Here = here
			c.follows(here + " here")
		}
		c.follows(row.Follows)
		byCause[c] = append(byCause[c], k)
	}
	for c, rows := range byCause {
		c.Fails = append(c.Fails, Affected{i, rows})
	}
}

func (c *Cause) follows(words string) {
	if words != "" && !slices.Contains(c.Follows, words) {
		c.Follows = append(c.Follows, words)
	}
}

// within says what the change did to the files of a folder that a row is about; empty for
// a row about a file.
func (g *grouping) within(e *judge.Account, row judge.Row) string {
	results := []*verify.Result{e.Head}
	if len(e.Bases) > 0 && e.Bases[0] != nil {
		results = append(results, e.Bases[0]) // which has what is gone now
	}
	var changed []string
	seen := make(map[string]bool)
	for _, r := range results {
		for _, in := range r.Inputs {
			if in.Field != row.Field || row.Input == "" || !strings.HasPrefix(in.Path, row.Input+"/") || seen[in.Path] {
				continue
			}
			seen[in.Path] = true
			if what := g.changed(in.Path); what != "" {
				changed = append(changed, what)
			}
		}
	}
	if len(changed) > 1 {
		return fmt.Sprintf("%d files of %s changed", len(changed), row.Input)
	}
	return strings.Join(changed, "")
}

// records notes superseded evidence with the change that moved its inputs on.
func (g *grouping) records(i int) {
	e := &g.judged.Evidence[i]
	for k, row := range e.Rows {
		if row.Code != judge.CodeSuperseded {
			continue
		}
		kind, path := causeOf(e, row)
		why := g.x.Why[i][k]
		c := g.get(kind, path, g.changed(path) != "", why)
		if c.Role == "" {
			c.Role = roleOf(e, row)
		}
		if !slices.Contains(c.Records, e.Path) {
			c.Records = append(c.Records, e.Path)
		}
		if why != nil && why.Recorded != nil && !slices.Contains(c.RecordsAt, why.Recorded.Commit) {
			c.RecordsAt = append(c.RecordsAt, why.Recorded.Commit)
		}
	}
}

// holds notes inputs that this change touched, where the evidence holds all the same.
func (g *grouping) holds(e *judge.Account) {
	if e.Own || e.Removed || e.Affected == "" {
		return
	}
	for _, in := range e.Head.Inputs {
		// What git does not have, no change touches.
		if in.Hash == "" || in.Missing || in.Path == "" || !g.Head.Lists(in.Path) || g.changed(in.Path) == "" {
			continue
		}
		if slices.ContainsFunc(e.Rows, func(r judge.Row) bool { return r.Field == in.Field && r.Status == verify.OK }) {
			c := g.get(InputChanged, in.Path, true, nil)
			c.Role = cmp.Or(c.Role, in.Role)
			c.Holds = append(c.Holds, e.Path)
		}
	}
}

func (g *grouping) get(kind CauseKind, path string, introduced bool, why *verify.Why) *Cause {
	key := causeKey{kind: kind, path: path, introduced: introduced}
	if !introduced {
		key.since = sinceOf(why)
	}
	c := g.byKey[key]
	if c == nil {
		c = &Cause{Kind: kind, Path: path, Introduced: introduced, Here: g.changed(path)}
		g.byKey[key] = c
	}
	switch {
	case why == nil:
	// A why that knows what changed says more than one that does not.
	case c.Why == nil || len(c.Why.Edits) == 0 && c.Why.Unified == "":
		c.Why = why
	default:
		c.Why = joined(c.Why, why)
	}
	return c
}

// joined is a with the edits that b alone has: of other keys of the same input.
func joined(a, b *verify.Why) *verify.Why {
	known := make(map[string]bool, len(a.Edits))
	for _, e := range a.Edits {
		known[e.Path] = true
	}
	var more []verify.Edit
	for _, e := range b.Edits {
		if !known[e.Path] && len(a.Edits)+len(more) < valuediff.MaxEdits {
			more = append(more, e)
		}
	}
	if len(more) == 0 {
		return a
	}
	why := *a
	why.Edits = slices.Concat(a.Edits, more)
	return &why
}

func sinceOf(why *verify.Why) string {
	if why == nil || why.Since == nil {
		return ""
	}
	return why.Since.Commit
}

// causeOf is what brought a row: the removal of the evidence, the input that the row is
// about, or the evidence itself.
func causeOf(e *judge.Account, row judge.Row) (CauseKind, string) {
	if row.Code == "not-compared" && row.Input == "" {
		// A hash that was not compared fails because of the path.
		for _, p := range e.Rows {
			if p.Field == strings.TrimSuffix(row.Field, ".hash")+".path" {
				row.Input = p.Input
			}
		}
	}
	switch {
	case e.Removed:
		return EvidenceGone, e.Path
	case row.Input != "" && row.Input != e.Path && !ownReport(e, row):
		return InputChanged, row.Input
	}
	return EvidenceChanged, e.Path
}

// ownReport reports whether a row is about what the evidence vouches for, which is the same
// thing to a reader as the evidence.
func ownReport(e *judge.Account, row judge.Row) bool {
	return slices.ContainsFunc(e.Head.Inputs, func(in verify.Input) bool { return in.Subject && in.Path == row.Input })
}

// roleOf is what the evidence calls the input that a row is about.
func roleOf(e *judge.Account, row judge.Row) string {
	for _, in := range e.Head.Inputs {
		if in.Path == row.Input && in.Path != "" {
			return in.Role
		}
	}
	return ""
}
