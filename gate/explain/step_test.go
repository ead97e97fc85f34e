package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// before is the base of the change in these tests.
var before = repo.Commit{Hash: strings.Repeat("ef", 20)}

// failing is a FAIL with everything that a step may rest on.
type failing struct {
	judge.Account
	why  *verify.Why
	edit bool // the change touches the input
}

func newFailing(code string) *failing {
	row := judge.Row{
		Check: verify.Check{
			Field: "token.hash", Status: verify.Fail, Code: code, Input: "tokens/a b.yml", Hint: "moved to tokens/new.yml",
			Location: verify.Location{Path: "docs/x.replay.json", Line: 3, Column: 5}, Observed: "tokens/decoy.yml",
		},
		Attribution: verify.Introduced,
	}
	return &failing{
		Account: judge.Account{
			Path: "docs/x.replay.json", Format: ahd.Format{}, Own: true, Rows: []judge.Row{row},
			Head: &verify.Result{Recording: verify.Recording{Argv: []string{"node", "run it", "--n=3"}}},
		},
		why: &verify.Why{
			Recorded: &verify.Version{Commit: strings.Repeat("ab", 20), Path: "tokens/a b.yml"},
			HoldsAt:  strings.Repeat("cd", 20),
		},
	}
}

func (f *failing) row() *judge.Row { return &f.Rows[0] }

func (f *failing) source() Source {
	return Source{Base: before, Differs: func(r verify.Read) string {
		if f.edit {
			return r.Name + " changed"
		}
		return ""
	}}
}

// step is what is to be done about the first row, as words and a command.
func (f *failing) step() string {
	return said(f.source().stepFor(&f.Account, map[int]*verify.Why{0: f.why}, 0))
}

func said(s Step) string {
	text := strings.Join(append([]string{s.Text}, s.Argv...), " | ")
	if s.Into != "" {
		text += " > " + s.Into
	}
	if s.Discards != "" {
		text += " discards " + s.Discards
	}
	return text
}

// Issue 5, What to do: exactly one next step, chosen from the evidence.
func TestNextStep(t *testing.T) {
	t.Parallel()
	const (
		restored = "restore the input | git | checkout | abababababab | -- | tokens/a b.yml"
		accepted = "accept it | replay-gate | accept | docs/x.replay.json | token.hash | --reason | …"
		again    = "run the recorded command again and commit the new evidence | node | run it | --n=3"
		sidecar  = "restore the sidecar as it was before this change | git | checkout | efefefefefef | -- | docs/x.replay.json"
	)
	preExisting := func(f *failing) { f.row().Attribution = verify.PreExisting }
	notHeld := func(f *failing) { preExisting(f); f.why.HoldsAt = "" }
	noCommand := func(f *failing) { notHeld(f); f.Head.Recording.Argv = nil }
	for _, tt := range []struct {
		name, code string
		change     func(*failing)
		want       string
	}{
		{"introduced", "hash-differs", nil, restored},
		{"introduced, and not committed", "hash-differs", func(f *failing) { f.why.Case = verify.CaseUncommitted }, restored + " discards your uncommitted edit"},
		{"introduced, renamed since", "hash-differs", func(f *failing) { f.row().Input = "tokens/c.yml" },
			"restore the input | git | show | abababababab:tokens/a b.yml > tokens/c.yml"},
		{"superseded", "hash-differs", preExisting, "the result describes the input as it was at its own commit; " + accepted},
		{"lost, with a command", "hash-differs", notHeld, again},
		{"no history, with a command", "hash-differs", func(f *failing) { f.why = nil }, again},
		{"lost, without a command", "hash-differs", noCommand, restored},
		{"lost, without anything", "hash-differs", func(f *failing) { f.Head.Recording.Argv, f.why = nil, nil }, accepted},
		{"moved", "input-missing", nil, "say where it lies now | replay-gate | mv | tokens/a b.yml | tokens/new.yml"},
		{"deleted", "input-missing", func(f *failing) { f.row().Hint = "" }, restored},
		{"deleted, no history", "input-missing", func(f *failing) { f.row().Hint, f.why = "", nil },
			"restore the input from before the commit that deleted it | git | log | --diff-filter=D | -- | tokens/a b.yml"},
		{"nowhere", "input-missing", func(f *failing) { f.row().Hint, f.why, f.row().Input = "", nil, "" },
			"write at docs/x.replay.json:3:5 where the input lies, from the root of the repository"},
		// The sidecar records the run: an edit of it is taken back, and the report stays.
		{"the sidecar was edited", "contradicts", nil, sidecar},
		{"both were edited", "contradicts", func(f *failing) { f.edit = true }, "write the report's block again from its sidecar | replay-gate | render | --write | docs/x.replay.json"},
		{"the report was edited", "contradicts", func(f *failing) { f.Own = false }, "write the report's block again from its sidecar | replay-gate | render | --write | docs/x.replay.json"},
		{"a field", "malformed-hash", nil, "correct what stands at docs/x.replay.json:3:5"},
		{"removed", "removed", nil, "restore the evidence as it was recorded | git | checkout | efefefefefef | -- | docs/x.replay.json"},
		{"another kind", "some-code", nil, "moved to tokens/new.yml"},
		{"another kind, no hint", "some-code", func(f *failing) { f.row().Hint, f.why = "", nil }, again},
		{"no FAIL", "hash-differs", func(f *failing) { f.row().Status = verify.Warn }, ""},
	} {
		f := newFailing(tt.code)
		if tt.change != nil {
			tt.change(f)
		}
		if got := f.step(); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Issue 14: accepting is never offered for a secret, a broken file, a misnamed file.
func TestAcceptingIsNotOfferedForEverything(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"secret", "possible-secret", "unreadable", "unusable-path", "internal-error", judge.CodeBaseUnreadable} {
		f := newFailing(code)
		f.row().Hint, f.why, f.Head.Recording.Argv = "", nil, nil
		if got := f.step(); got == "" || strings.Contains(got, "accept") {
			t.Errorf("%s: %s", code, got)
		}
	}
	f := newFailing("hash-differs")
	f.Head.Unchecked, f.why, f.Head.Recording.Argv = "it can't be read", nil, nil
	if got := f.step(); got != "correct what stands at docs/x.replay.json:3:5" {
		t.Errorf("a broken file: %s", got)
	}
}

// A hash that was not compared is settled by settling the path.
func TestNextStepOfWhatWasNotCompared(t *testing.T) {
	t.Parallel()
	f := newFailing("not-compared")
	path := f.Rows[0]
	path.Field, path.Code = "token.path", "input-missing"
	f.Rows = append(f.Rows, path)
	if got := f.step(); !strings.HasSuffix(got, "mv | tokens/a b.yml | tokens/new.yml") {
		t.Error(got)
	}
}

// Each step says what the docs say that it says, and applies when they say that it does.
func TestTheStepsAreTheDocs(t *testing.T) {
	t.Parallel()
	values := strings.NewReplacer("`", "", "REV", "abababababab", "BASE", "efefefefefef", "COMMAND", "node | run it | --n=3", "EVIDENCE", "docs/x.replay.json",
		"FIELD", "token.hash", "PLACE", "docs/x.replay.json:3:5", "OBSERVED", "tokens/decoy.yml", "NOW", "tokens/new.yml", "INPUT", "tokens/a b.yml", "'…'", "…")
	for _, row := range StepTable() {
		f := newFailing("hash-differs")
		about := subject{&f.Account, f.row(), f.why, before.Hash, "", row.Name == "render"}
		got, ok := row.make(about)
		words := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(said(got), " | ", " "), "  ", " "), ": ", " ")
		want := strings.ReplaceAll(strings.ReplaceAll(values.Replace(row.Says), " | ", " "), ": ", " ")
		for _, file := range []string{"tokens/a b.yml", "docs/x.replay.json"} {
			if w := strings.ReplaceAll(want, "FILE", file); w == words {
				want = w
			}
		}
		if !ok || words != want {
			t.Errorf("%s: %t\ngot  %s\nwant %s", row.Name, ok, words, want)
		}
		// "always" is true of a FAIL about which nothing is known but its places.
		about.why, about.base, f.row().Hint, f.Head.Recording.Argv = nil, "", "", nil
		if _, ok := row.make(about); row.When == always && !ok {
			t.Errorf("%s does not always apply", row.Name)
		}
	}
}

// Every step of a reason is one of the table, and every code of the judgement has a row.
func TestTheReasonsAreWhole(t *testing.T) {
	t.Parallel()
	for _, r := range ReasonTable() {
		for _, name := range r.Steps {
			if stepsByName[name].make == nil {
				t.Errorf("%s: no step %s", r.Code, name)
			}
		}
	}
	for _, code := range []string{judge.CodeRewritten, judge.CodeRedated, judge.CodeRemoved, judge.CodeElsewhere, judge.CodeBaseUnreadable} {
		if _, ok := stepsOf(code); !ok {
			t.Errorf("no row for %s", code)
		}
	}
}

// A printed command takes a path for a path, whatever its name.
func TestAPathIsNoOption(t *testing.T) {
	t.Parallel()
	// To git, stars, brackets and a colon in front stand for other files (gitglossary(7)).
	for _, name := range []string{":/x.replay.json", "star*.replay.json", "a?.replay.json", "[ab].replay.json", `a\b.replay.json`} {
		f := newFailing("removed")
		f.Path = name
		if got := f.step(); !strings.HasSuffix(got, "-- | :(literal)"+name) {
			t.Error(got)
		}
	}
	f := newFailing("hash-differs")
	f.Path, f.edit = "--json.replay.json", true
	for _, step := range []string{"accept", "render"} {
		s, ok := stepsByName[step].make(subject{&f.Account, f.row(), f.why, before.Hash, "", true})
		if !ok || !slices.Contains(s.Argv, "./--json.replay.json") {
			t.Errorf("%s: %q", step, s.Argv)
		}
	}
}
