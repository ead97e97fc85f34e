package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// report puts together what the stages found. It decides nothing.
func (x *run) report() *summary.Report {
	d := x.decided
	policy := x.policy()
	r := &summary.Report{
		Schema: summary.Schema, Tool: summary.Tool{Name: "replay-gate", Version: x.Version},
		Verdict: d.Verdict, ExitCode: d.Exit, ReasonCode: d.Reason, Message: d.Message,
		Change: x.describe(),
		Scope:  summary.Scope{Mode: x.scopeMode(), Total: len(x.judged.Evidence) + len(x.judged.Held), Named: len(x.Evidence) > 0},
		Policy: summary.Policy{FailOn: policy.FailOn, Kinds: policy.Kinds, Strict: x.Strict},
		Links:  x.links(), Evidence: []summary.Entry{}, Notices: x.notices(), Accepted: d.Accepted,
	}
	r.Causes = x.causes()
	ranks, nothing := make(map[string]int), verify.Result{}
	for i := range x.judged.Evidence {
		if x.judged.Evidence[i].Removed {
			r.Scope.Total--
		}
		if x.shown[i] {
			e, rank := x.evidence(i)
			ranks[e.Path] = rank
			r.Evidence = append(r.Evidence, e)
			r.Counts = r.Counts.Plus(e.Counts)
			x.told(i, &nothing)
		}
	}
	r.Scope.Checked = len(r.Evidence)
	if e, ok := x.accepting(); ok {
		r.Evidence = append(r.Evidence, e)
		r.Counts = r.Counts.Plus(e.Counts)
	}
	slices.SortStableFunc(r.Evidence, func(a, b summary.Entry) int {
		return cmp.Or(cmp.Compare(ranks[a.Path], ranks[b.Path]), cmp.Compare(a.Path, b.Path))
	})
	if e, ok := x.accepting(); ok && e.Counts.Fail > 0 {
		r.Causes = append(r.Causes, ownCause(&e))
	}
	r.NextStep = x.nextStep(r)
	return r
}

// told lets go of what the report says of a piece of evidence, but for what a bundle is made
// from: where much is listed, both would need twice the room.
func (x *run) told(i int, nothing *verify.Result) {
	x.explained.Why[i], x.explained.Steps[i], x.explained.Lost[i] = nil, nil, nil
	x.decided.Evidence[i].Rows = nil
	if j := &x.judged.Evidence[i]; x.BundleFor == "none" || x.Dry || !x.wanted(j) {
		j.Rows, j.Head, j.Bases = nil, nothing, nil
	}
}

func (x *run) scopeMode() string {
	switch {
	case len(x.Evidence) > 0:
		return "named"
	case len(x.change.Bases) == 0:
		return "all"
	}
	return x.Scope
}

func (x *run) describe() summary.Change {
	c := x.change
	d := summary.Change{Event: "local", BaseNote: c.BaseNote, Head: c.HeadCommit.Hash, WorkTree: c.WorkTree, Dirty: len(c.Dirty) > 0}
	if len(c.Bases) > 0 {
		d.Base, d.Files = c.Bases[0].Commit.Hash, len(c.Bases[0].Files)
	}
	if x.Event != nil {
		d.Event = x.Event.Name
	}
	return d
}

func (x *run) links() summary.Links {
	o := x.Links
	l := summary.Links{Server: o.Server, Repository: o.Repository, Run: o.RunURL, RunID: o.RunID}
	if l.Server != "" {
		l.HeadSHA = x.change.HeadCommit.Hash
		if x.Event != nil && x.Event.HeadSHA != "" {
			l.HeadSHA = x.Event.HeadSHA
		}
	}
	return l
}

// evidence is the account of one piece of evidence, and its rank: 0 fails the policy, 1
// fails otherwise, 2 warns, 3 holds.
func (x *run) evidence(i int) (summary.Entry, int) {
	j, o := &x.judged.Evidence[i], &x.decided.Evidence[i]
	e := summary.Entry{
		Path: j.Path, OldPath: j.OldPath, Kind: j.Format.Kind(), Title: j.Format.Title(),
		SHA256: j.Head.SHA256, Because: because(x, j), Removed: j.Removed, Verdict: o.Verdict,
		Unchecked: j.Head.Unchecked, Inputs: slices.Clone(j.Head.Inputs), Recording: j.Head.Recording, Superseded: j.Superseded,
	}
	// The report is scrubbed, and what was judged stays as it is: bundles are made from it.
	e.Recording.Argv = slices.Clone(e.Recording.Argv)
	if j.Removed {
		e.Unchecked = ""
	}
	rank := 3
	e.Fields = make([]summary.Field, 0, len(o.Rows)+len(x.explained.Lost[i]))
	for k, row := range o.Rows {
		f := summary.Field{Check: row.Check, Attribution: row.Attribution, Accepted: row.Accepted, Acceptance: row.Acceptance, Why: x.explained.Why[i][k], Fails: o.Fails[k]}
		if row.Status == verify.Fail {
			f.NextStep, f.Command = stepText(x.explained.Steps[i][k])
			if row.Attribution == verify.Introduced && row.Input != "" {
				f.InputLine = x.lines.of(row.Input)
			}
		}
		x.addCommitFact(&e.Recording, &f)
		e.Fields = append(e.Fields, f)
		if x.explained.Lost[i][k] {
			e.Fields = append(e.Fields, inputLost(row.Check))
		}
		switch {
		case o.Fails[k]:
			rank = 0
		case row.Status == verify.Fail:
			rank = min(rank, 1)
		case row.Status == verify.Warn:
			rank = min(rank, 2)
		}
	}
	e.Counts = summary.Count(e.Fields)
	return e, rank
}

// inputLost is the row for a record whose input no commit has any more.
func inputLost(c verify.Check) summary.Field {
	c.Status, c.Code = verify.Info, explain.CodeInputLost
	c.Reason = "no commit of the history has the version that was recorded: what this record describes is lost"
	return summary.Field{Check: c}
}

func because(x *run, j *judge.Account) string {
	switch {
	case len(x.Evidence) > 0:
		return "it was named"
	case j.Affected != "":
		return j.Affected
	case x.Scope == "all":
		return "scope is all"
	}
	return "it failed before this change"
}

// stepText is a step for a reader, and its command.
func stepText(s explain.Step) (string, []string) {
	if len(s.Argv) == 0 {
		return s.Text, nil
	}
	command, ok := summary.ShellCommand(s.Argv, s.Into)
	if !ok {
		return s.Text, nil
	}
	text := s.Text
	if s.Discards != "" {
		text += " (discards " + s.Discards + ")"
	}
	return text + ": " + command, slices.Clone(s.Argv)
}

// addCommitFact says whether the recorded commit is in this repository. It is
// no part of verification, which is a function of files alone: the same
// evidence must get the same verdict in a shallow clone and in a bundle.
func (x *run) addCommitFact(rec *verify.Recording, f *summary.Field) {
	if x.repo == nil || rec.Commit == "" || f.Field != rec.CommitField || f.Status == verify.Fail {
		return
	}
	f.Observed = "in this repository"
	if !x.repo.Has(rec.Commit) {
		f.Observed = "not in this repository"
		if n, shallow := x.repo.Shallow(); shallow {
			f.Observed = fmt.Sprintf("not in this shallow clone (%d commits)", n)
		}
	}
}

// accepting shows what is wrong with the file that accepts drift as if it were evidence:
// it claims something, too.
func (x *run) accepting() (summary.Entry, bool) {
	e := summary.Entry{
		Path: accepted.Path, Kind: "accepted-drift", Title: "accepted drift", Because: "it accepts drift of what was checked", Verdict: summary.Intact,
	}
	for _, row := range x.decided.Accepting {
		f := summary.Field{Check: row.Check, Attribution: row.Attribution}
		if row.Status == verify.Fail {
			e.Verdict = summary.Drift
			f.NextStep, _ = stepText(explain.AcceptedStep(row))
			f.Fails = x.policy().Fails(e.Kind, row)
		}
		e.Fields = append(e.Fields, f)
	}
	e.Counts = summary.Count(e.Fields)
	return e, len(e.Fields) > 0
}

// ownCause is what is wrong with evidence that no stage explains.
func ownCause(e *summary.Entry) summary.Cause {
	a := summary.Affected{Evidence: e.Path, Report: e.Path}
	c := summary.Cause{Kind: string(explain.EvidenceChanged), Path: e.Path}
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Status != verify.Fail {
			continue
		}
		a.Fields = append(a.Fields, f.Field)
		a.Fails = a.Fails || f.Fails
		if f.Attribution != verify.PreExisting {
			a.Introduced, c.Introduced = true, true
			c.Undo = append(c.Undo, summary.Step{Text: f.NextStep})
		}
	}
	c.Claims = []summary.Affected{a}
	return c
}

// notices are what a reader must know about the run itself.
func (x *run) notices() []summary.Notice {
	var all []summary.Notice
	if added := x.decided.Added; len(added) > 0 {
		all = append(all, summary.Notice{
			Status: verify.Warn, Code: "drift-accepted-here", Message: "This change accepts drift: " + strings.Join(added, "; "),
		})
	}
	all = append(all, x.change.Notices...)
	if lost := x.judged.BaseLost; lost != "" {
		all = append(all, summary.Notice{
			Status: verify.Warn, Code: "base-unreadable",
			Message:  "A file of the base can't be read (" + lost + "). What fails because of it counts as introduced",
			NextStep: "let git fetch it: fetch-depth: 2 and no filter in actions/checkout; git fetch --refetch --no-filter in a partial clone",
		})
	}
	if n := len(x.judged.Others); n > 0 {
		all = append(all, summary.Notice{
			Status: verify.Info, Code: "not-evidence",
			Message:  fmt.Sprintf("%s where evidence may lie, and none of it: %s", counted(n, "file lies", "files lie"), some(x.judged.Others)),
			NextStep: "if a known kind of evidence lies there, name the place in .replay-gate.yml",
		})
	}
	if names := x.lookalikes(); len(names) > 0 {
		all = append(all, summary.Notice{
			Status: verify.Info, Code: "not-recognised", Message: "Not recognised, though it looks like evidence: " + some(names),
			NextStep: "if a known kind of evidence lies there, name the place in .replay-gate.yml",
		})
	}
	return all
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// some lists the first of many names.
func some(names []string) string {
	const most = 10
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// lookalikeGlobs are names that recorded evidence goes by. The trailing star keeps
// formats that nobody has heard of yet from being dropped in silence.
var lookalikeGlobs = []string{"**/*.replay.*", "**/*.trace.*", "**/*.cassette.*", "**/*.outcomes.*", "**/replay.bundle"}

// lookalikes are the files of the change that look like evidence and are of no known kind.
func (x *run) lookalikes() []string {
	if len(x.change.Bases) == 0 {
		return nil
	}
	kinds := append(x.kinds(), judge.Kind{Globs: allPatterns(x.change.Settings.Formats)})
	var names []string
	for _, f := range x.change.Bases[0].Files {
		if f.Kind != repo.Deleted && claimed([]judge.Kind{{Globs: lookalikeGlobs}}, f.Path) && !claimed(kinds, f.Path) {
			names = append(names, f.Path)
		}
	}
	return names
}

func allPatterns(formats []verify.Format) []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.Patterns()...)
	}
	return all
}

// causes are the explanation's, for the report.
func (x *run) causes() []summary.Cause {
	var all []summary.Cause
	for _, c := range x.explained.Causes {
		cause := summary.Cause{
			Kind: string(c.Kind), Path: c.Path, Role: c.Role, Here: c.Here, Introduced: c.Introduced, Why: c.Why,
			Records: c.Records, RecordsAt: c.RecordsAt, Follows: c.Follows, Holds: c.Holds,
		}
		if c.Kind == explain.InputChanged && c.Here != "" {
			cause.Line = x.lines.of(c.Path)
		}
		for _, a := range c.Fails {
			o := &x.decided.Evidence[a.Evidence]
			n := affected(&x.judged.Evidence[a.Evidence])
			for _, k := range a.Rows {
				if o.Rows[k].Status == verify.Fail {
					n.Fields = append(n.Fields, o.Rows[k].Field)
					n.Introduced = n.Introduced || o.Rows[k].Attribution != verify.PreExisting
					n.Fails = n.Fails || o.Fails[k]
				}
			}
			if len(n.Fields) > 0 {
				cause.Claims = append(cause.Claims, n)
			}
		}
		if len(cause.Claims) > 0 {
			cause.Meant, cause.Undo = steps(c.Meant), steps(c.Undo)
		}
		if len(cause.Claims) > 0 || len(cause.Records) > 0 || len(cause.Holds) > 0 {
			all = append(all, cause)
		}
	}
	return all
}

// affected names evidence for a person: by what it vouches for, and what it is the newest
// word on.
func affected(j *judge.Account) summary.Affected {
	a := summary.Affected{Evidence: j.Path, Report: j.Path}
	for _, in := range j.Head.Inputs {
		if in.Subject && !in.Missing && in.Path != "" {
			a.Report = in.Path
			break
		}
	}
	for _, c := range j.Head.Claims {
		if !slices.Contains(a.Names, c.Name) {
			a.Names = append(a.Names, c.Name)
		}
	}
	return a
}

// steps are those of the explanation, for the report. A command that can't be shown
// faithfully is left out.
func steps(all []explain.Step) []summary.Step {
	var list []summary.Step
	for _, s := range all {
		step := summary.Step{Text: s.Text}
		if _, ok := summary.ShellCommand(s.Argv, s.Into); ok {
			step.Command, step.Into, step.Discards = slices.Clone(s.Argv), s.Into, s.Discards
		}
		list = append(list, step)
	}
	return list
}

// nextStep is what to do about a run that does not exit with 0.
func (x *run) nextStep(r *summary.Report) string {
	if r.ExitCode == ExitIntact {
		return ""
	}
	if r.ReasonCode == reason.NoBase {
		return "set fetch-depth: 2 in actions/checkout, so that the base is at hand"
	}
	for _, e := range r.Evidence {
		for _, f := range e.Fields {
			if f.Fails && f.NextStep != "" {
				return e.Path + ": " + f.NextStep
			}
		}
	}
	return "restore the input, or re-run the recorded command and commit the new evidence"
}
