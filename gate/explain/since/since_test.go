//go:build unix

package since

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Versions of a token.
const (
	one        = "id: swiss\npalette: {accent: red}\nforbid: [blob]\n"
	oneAgain   = "# the same value\nforbid:\n  - blob\npalette:\n  accent: \"red\"\nid: swiss\n"
	two        = "id: swiss\npalette: {accent: blue}\nforbid: [blob, gradient]\n"
	three      = "id: swiss\npalette: {accent: green}\nforbid: [blob]\n"
	stale      = "the input had changed already when the evidence was committed"
	superseded = "the evidence describes it as it was at %s"
)

func TestTheCommitThatLeft(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.record(one)
	g.Commit("evidence")
	g.Write(token, oneAgain)
	formatted := g.Commit("only comments, key order and formatting")
	g.Write(token, two)
	left := g.Commit("Two colours (#12)")
	g.Write(token, three)
	g.Commit("more of it (#13)")
	w := g.why(one)
	want(t, w, formatted, left, "", "")
	if s := w.Since; s.Author != "Ada" || s.Subject != "Two colours (#12)" || s.PullRequest != 12 || s.Path != token ||
		!s.Date.Equal(time.Unix(1_700_000_004, 0)) || s.Date.Location() != time.UTC {
		t.Errorf("got %+v", s)
	}
	edits := []verify.Edit{{Path: "palette.accent", Op: verify.EditChanged, Before: `"red"`, After: `"green"`}}
	if !slices.Equal(w.Edits, edits) || w.More != 0 || w.Unified != "" {
		t.Errorf("got %+v and %q", w.Edits, w.Unified)
	}

	// At the recorded commit it holds.
	q := g.question(one)
	q.Commit = first
	w = g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", fmt.Sprintf(superseded, first[:12]))
	if w.HoldsAt != first {
		t.Errorf("got %q", w.HoldsAt)
	}
	// At another it does not.
	q.Commit = left
	w = g.finder(Options{}).Why(context.Background(), q)
	want(t, w, formatted, left, "", "it was not this at the recorded commit "+left[:12]+" either")

	// An input that has the hash has nothing to explain.
	if w := g.why(three); w.Recorded != nil || w.Since != nil || w.Case+w.Note != "" || w.Edits != nil {
		t.Errorf("got %+v", w)
	}
}

func TestAFormattingCommitIsNoDrift(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.Commit("a token")
	g.Write(token, oneAgain)
	g.Commit("formatting")
	if w := g.why(one); w.Since != nil || w.Case != "" || w.Edits != nil || w.Unified != "" {
		t.Errorf("got %+v", w)
	}
}

// A revert heals the drift, so the last leaving counts.
func TestARevertHealsAndItDriftsAgain(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.Commit("a token")
	g.record(one)
	g.Commit("evidence")
	g.Write(token, two)
	g.Commit("first drift (#1)")
	g.Write(token, one)
	healed := g.Commit(`Revert "first drift (#1)"`)
	if w := g.why(one); w.Since != nil || w.Case != "" {
		t.Errorf("healed: got %+v", w)
	}
	g.Write(token, three)
	left := g.Commit("second drift (#3)")
	g.Write(token, two)
	g.Commit("later")
	want(t, g.why(one), healed, left, "", "")
}

func TestStaleFromBirth(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Write(token, two)
	left := g.Commit("drift")
	g.Commit("in between")
	g.record(one)
	g.Commit("evidence, too late")
	want(t, g.why(one), first, left, verify.CaseStaleFromBirth, stale)

	// A later edit of the evidence does not make it younger, nor the drift older.
	g.Write(evidence, `{"note":"edited","token":{"hash":"`+hash(t, one)+`"}}`)
	g.Commit("edit the evidence")
	want(t, g.why(one), first, left, verify.CaseStaleFromBirth, stale)

	// Once healed, a new drift is one that came after the birth.
	g.Write(token, one)
	healed := g.Commit("heal")
	g.Write(token, three)
	again := g.Commit("drift again")
	want(t, g.why(one), healed, again, "", "")
}

// The birth of evidence is found without walking to the beginning of time.
func TestStaleFromBirthWithinTheBounds(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for range 5 {
		g.Commit("long ago")
	}
	g.Write(token, one)
	first := g.Commit("a token")
	g.Write(token, two)
	left := g.Commit("drift")
	g.record(one)
	g.Commit("evidence")
	w := g.bounded(4, Options{}).Why(context.Background(), g.question(one))
	want(t, w, first, left, verify.CaseStaleFromBirth, stale)
}

// The evidence was born on a branch on which the input had been healed; the merge
// dropped the healing.
func TestAnInputThatHeldAtTheBirth(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Write(token, two)
	left := g.Commit("drift")
	g.Git("checkout", "-q", "-b", "side")
	g.Write(token, one)
	g.Commit("heal")
	g.record(one)
	g.Commit("evidence")
	g.Git("checkout", "-q", "main")
	g.At++
	g.Git("merge", "-q", "--no-ff", "--no-commit", "side")
	g.Write(token, two)
	g.Commit("merge without the healing")
	want(t, g.why(one), first, left, "", "")
}

// What is not known of the birth is not guessed.
func TestABirthThatWasNotDetermined(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, two)
	g.record(one)
	g.Commit("all")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := answer{Finder: g.finder(Options{}), q: g.question(one), ctx: ctx, outer: ctx}
	if _, _, known := a.birth(); known {
		t.Error("known without looking")
	}
	a.ctx = context.Background()
	if birth, committed, known := a.birth(); birth.Subject != "all" || !committed || !known {
		t.Errorf("got %+v, %v, %v", birth, committed, known)
	}
}

// In a shallow clone that does not hold the birth, nothing is said of it.
func TestABirthThatIsNotInTheClone(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, two)
	g.record(one)
	g.Commit("all, stale")
	g.Write(token, one)
	healed := g.Commit("heal")
	g.Write(token, three)
	left := g.Commit("drift")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--depth=2", "file://"+g.Dir, clone.Dir)
	want(t, clone.why(one), healed, left, "", "")
}

func TestAnEditOfTheEvidenceAfterTheDriftIsNoBirth(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.record(one)
	first := g.Commit("a token and evidence")
	g.Write(token, two)
	left := g.Commit("drift")
	g.Write(evidence, `{"note":"edited","token":{"hash":"`+hash(t, one)+`"}}`)
	g.Commit("edit the evidence")
	want(t, g.why(one), first, left, "", "")
}

func TestStaleFromBirthInTheSameCommitAndUncommitted(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Write(token, two)
	g.record(one)
	both := g.Commit("drift and evidence")
	want(t, g.why(one), first, both, verify.CaseStaleFromBirth, stale)

	g = newGitRepo(t)
	g.Write(token, one)
	first = g.Commit("a token")
	g.Write(token, two)
	left := g.Commit("drift")
	g.record(one) // in the work tree only
	want(t, g.why(one), first, left, verify.CaseStaleFromBirth, stale)
}

func TestRenamesAreFollowed(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	text := one + strings.Repeat("# padding\n", 40)
	g.Write("old.yml", text)
	first := g.Commit("a token")
	g.Write("old.yml", strings.Replace(text, "red", "blue", 1))
	left := g.Commit("drift (#5)")
	g.Git("rm", "-q", "old.yml")
	g.Write(token, strings.Replace(text, "red", "green", 1))
	g.Commit("move and change")
	q := g.question(text)
	q.Commit = first
	w := g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", fmt.Sprintf(superseded, first[:12]))
	if w.Since.Path != "old.yml" || w.Recorded.Path != "old.yml" || w.Since.PullRequest != 5 {
		t.Errorf("got %+v, %+v", w.Recorded, w.Since)
	}
}

// The number of a pull request that was merged stands in the merge alone.
func TestThePullRequestOfAMerge(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Git("checkout", "-q", "-b", "feature")
	g.Write(token, two)
	left := g.Commit("drift")
	g.Git("checkout", "-q", "main")
	g.Write("other", "1")
	g.Commit("other")
	g.merge("Merge pull request #7 from ada/feature", "feature")
	g.Git("checkout", "-q", "-b", "release", "HEAD~1")
	g.merge("Merge branch 'main' into release", "main")
	w := g.why(one)
	want(t, w, first, left, "", "")
	if w.Since.PullRequest != 7 {
		t.Errorf("got %d", w.Since.PullRequest)
	}
}

// A merge that took its side's file did not bring in what is older than the side.
func TestAMergeIsNotBlamedForWhatWasThereBefore(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Write(token, two)
	left := g.Commit("drift, pushed to main")
	g.Git("checkout", "-q", "-b", "feature")
	g.Write(token, three)
	g.Commit("another change")
	g.Git("checkout", "-q", "main")
	g.Write("other", "1")
	g.Commit("other")
	g.merge("Merge pull request #7 from ada/feature", "feature")
	w := g.why(one)
	want(t, w, first, left, "", "")
	if w.Since.PullRequest != 0 {
		t.Errorf("got %d", w.Since.PullRequest)
	}
}

// Nor is it blamed where a shallow clone can't tell, or a clock was days ahead.
func TestAMergeIsNotBlamedForWhatCannotBeKnown(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.At += 3 * 24 * 60 * 60
	g.Write(token, two)
	left := g.Commit("drift, pushed to main")
	g.At -= 3 * 24 * 60 * 60
	g.Git("checkout", "-q", "-b", "feature")
	g.Write(token, three)
	g.Commit("another change")
	g.Git("checkout", "-q", "main")
	for _, text := range []string{"1", "2", "3"} {
		g.Write("other", text)
		g.Commit("other")
	}
	g.merge("Merge pull request #7 from ada/feature", "feature")
	shallow := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--depth=4", "file://"+g.Dir, shallow.Dir)
	for name, clone := range map[string]*gitRepo{"clock": g, "shallow": shallow} {
		w := clone.why(one)
		want(t, w, first, left, "", "")
		if w.Since == nil || w.Since.PullRequest != 0 {
			t.Errorf("%s: got %+v", name, w.Since)
		}
	}
}

// A merge that itself takes the input away from what it was on both sides.
func TestAMergeThatDrifts(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, two)
	g.Commit("start")
	g.Git("checkout", "-q", "-b", "side")
	g.Write(token, one)
	side := g.Commit("side")
	g.Git("checkout", "-q", "main")
	g.Write(token, three)
	g.Commit("main")
	g.At++
	g.Git("merge", "-q", "-s", "ours", "--no-commit", "side")
	g.Write(token, "id: evil\n")
	merge := g.Commit("Merge pull request #9 from side")
	w := g.why(one)
	want(t, w, side, merge, "", "")
	if w.Since.PullRequest != 9 {
		t.Errorf("got %d", w.Since.PullRequest)
	}
}

func TestARecordedCommitThatWasForcePushedAway(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	gone := g.Commit("amended later")
	g.Git("reset", "-q", "--hard", "HEAD~1")
	g.Git("reflog", "expire", "--expire=now", "--all")
	g.Git("gc", "-q", "--prune=now")
	g.Write(token, two)
	left := g.Commit("drift")
	q := g.question(one)
	q.Commit = gone
	w := g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", "the recorded commit "+gone[:12]+" is not in this repository")
	for _, hostile := range []string{"HEAD", "../../x", "-h", strings.Repeat("0", 40), "\x1b[2J"} {
		q.Commit = hostile
		if w := g.finder(Options{}).Why(context.Background(), q); w.HoldsAt != "" || !strings.Contains(w.Note, "is not in this repository") {
			t.Errorf("%q: got %+v", hostile, w)
		}
	}
}

// With HistoryOnly a recorded commit counts when it is in the history of the head,
// and otherwise the answer is the same whether or not the clone has it.
func TestHistoryOnly(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	g.Git("checkout", "-q", "-b", "side")
	g.Write("other", "x")
	side := g.Commit("not merged")
	g.Git("checkout", "-q", "main")
	g.Write(token, two)
	left := g.Commit("drift")
	q := g.question(one)
	for commit, note := range map[string]string{
		first:                    fmt.Sprintf(superseded, first[:12]),
		side:                     "the recorded commit " + side[:12] + " is not in this history",
		strings.Repeat("ab", 20): "the recorded commit abababababab is not in this history",
	} {
		q.Commit = commit
		want(t, g.finder(Options{HistoryOnly: true}).Why(context.Background(), q), first, left, "", note)
	}
	q.Commit = side
	want(t, g.finder(Options{}).Why(context.Background(), q), side, left, "", fmt.Sprintf(superseded, side[:12]))
}

// The input lay elsewhere at the recorded commit, and moved before it drifted.
func TestARecordedCommitBeforeARename(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("old/name.yml", one)
	first := g.Commit("a token")
	g.Write("old/name.yml", three)
	g.Commit("draft")
	g.Write("old/name.yml", one)
	g.Commit("back")
	g.Git("rm", "-q", "old/name.yml")
	g.Write(token, one)
	moved := g.Commit("move")
	g.Write(token, two)
	left := g.Commit("drift")
	q := g.question(one)
	q.Commit = first
	w := g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", fmt.Sprintf(superseded, first[:12]))
	if w.Recorded.Path != "old/name.yml" {
		t.Errorf("at %q", w.Recorded.Path)
	}
	q.Commit = ""
	want(t, g.finder(Options{}).Why(context.Background(), q), moved, left, "", "")
}

func TestNeverMatched(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, two)
	g.Commit("a token")
	g.Write(token, "a: [\n")
	g.Commit("broken")
	g.Write(token, three)
	g.Commit("another")
	want(t, g.why(one), "", "", verify.CaseNeverMatched, "no commit of this history has the recorded version; 1 of its versions can't be read as a value")

	// It holds on a branch that is not in this history.
	g.Git("checkout", "-q", "--orphan", "elsewhere")
	g.Write(token, one)
	elsewhere := g.Commit("elsewhere")
	g.Git("checkout", "-q", "main")
	q := g.question(one)
	q.Commit = elsewhere
	w := g.finder(Options{}).Why(context.Background(), q)
	want(t, w, elsewhere, "", verify.CaseNeverMatched,
		"no commit of this history has the recorded version; 1 of its versions can't be read as a value; "+fmt.Sprintf(superseded, elsewhere[:12]))
	if len(w.Edits) != 1 {
		t.Errorf("got %+v", w.Edits)
	}
}

func TestShallowClone(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.Commit("a token")
	g.Write(token, two)
	base := g.Commit("drift")
	g.Write(token, three)
	g.Commit("more")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--depth=2", "file://"+g.Dir, clone.Dir)
	want(t, clone.why(one), "", "", verify.CaseUnavailable, "history not available (shallow clone: 2 commits)")
	// What is in the clone is found.
	w := clone.why(two)
	want(t, w, base, clone.Git("rev-parse", "HEAD"), "", "")
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.Commit("a token")
	g.Write(token, two)
	g.Commit("drift")
	g.Git("config", "uploadpack.allowFilter", "true")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--filter=blob:none", "file://"+g.Dir, clone.Dir)
	want(t, clone.why(one), "", "", verify.CaseUnavailable, "history not available (partial clone: objects are missing)")
}

// What could not be looked at is not said to be otherwise: at the recorded commit, and
// before a rename whose other side is missing.
func TestPartialCloneGuessesNothing(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("old/name.yml", strings.Repeat("# a long comment\n", 20)+one)
	first := g.Commit("a token")
	g.Git("rm", "-q", "old/name.yml")
	g.Write(token, strings.Repeat("# a long comment\n", 20)+two)
	g.Commit("move and drift")
	g.Git("config", "uploadpack.allowFilter", "true")
	clone := inDir(t, filepath.Join(t.TempDir(), "clone"))
	g.Git("clone", "-q", "--filter=blob:none", "file://"+g.Dir, clone.Dir)
	q := clone.question(one)
	q.Commit = first
	want(t, clone.finder(Options{}).Why(context.Background(), q), "", "", verify.CaseUnavailable,
		"history not available (partial clone: objects are missing); not determined whether it holds at the recorded commit "+first[:12])
}

func TestBounds(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for _, text := range []string{one, two, three, two} {
		g.Write(token, text)
		g.Commit("c")
	}
	ask := func(ctx context.Context, o Options) verify.Why { return g.finder(o).Why(ctx, g.question(one)) }
	want(t, g.bounded(3, Options{}).Why(context.Background(), g.question(one)), "", "", verify.CaseUndetermined,
		"not determined within 3 commits or 10 seconds")
	want(t, g.bounded(3, Options{MaxTime: -1}).Why(context.Background(), g.question(one)), "", "", verify.CaseUndetermined,
		"not determined within 3 commits")
	want(t, ask(context.Background(), Options{MaxTime: time.Nanosecond}), "", "", verify.CaseUndetermined,
		"not determined within 10000 commits or 0.000000001 seconds")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	want(t, ask(ctx, Options{}), "", "", verify.CaseUnavailable, "history not available (interrupted)")
}

func TestUncommitted(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.record(one)
	head := g.Commit("all")
	g.Write(token, two)
	w := g.why(one)
	want(t, w, head, "", verify.CaseUncommitted, "the change is not committed")
	if len(w.Edits) != 2 {
		t.Errorf("got %+v", w.Edits)
	}

	g = newGitRepo(t)
	g.Write(token, one)
	want(t, g.why(two), "", "", verify.CaseUnavailable, "history not available (no commits yet)")
}

func TestADeletedInput(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	g.record(one)
	first := g.Commit("all")
	g.Git("rm", "-q", token)
	gone := g.Commit("clean up (#4)")
	w := g.why(one)
	want(t, w, first, gone, "", "that commit deleted the input")
	if w.Edits != nil || w.Unified != "" {
		t.Errorf("got %+v", w)
	}
}

// The base comes first: there the reviewer of a change looks.
func TestTheRecordedVersionIsLookedForInTheBaseFirst(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(token, one)
	first := g.Commit("a token")
	base := g.Commit("base")
	g.Write(token, two)
	left := g.Commit("drift")
	r := g.open()
	c, err := r.Resolve(base)
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.CommitTree(head)
	if err != nil {
		t.Fatal(err)
	}
	q := g.question(one)
	q.Commit = first
	w := New(r, tree, r.Histories(head, repo.HistoryOptions{}), Options{Base: c}).Why(context.Background(), q)
	want(t, w, base, left, "", fmt.Sprintf(superseded, first[:12]))
}

// "In JSON in full": the bound is on all answers together, and what is beyond is counted.
func TestMaxEdits(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	text := func(v string) string {
		var b strings.Builder
		for i := range 700 {
			fmt.Fprintf(&b, "k%03d: %s\n", i, v)
		}
		return b.String()
	}
	g.Write(token, text("a"))
	g.Commit("a token")
	g.Write(token, text("b"))
	g.Commit("drift")
	f := g.finder(Options{MaxEdits: 1000})
	for i, want := range []int{700, 300, 1} {
		if w := f.Why(context.Background(), g.question(text("a"))); len(w.Edits) != want || w.More != 700-want {
			t.Errorf("answer %d: %d edits, %d more", i, len(w.Edits), w.More)
		}
	}
	if w := g.finder(Options{}).Why(context.Background(), g.question(text("a"))); len(w.Edits) != 500 || w.More != 200 {
		t.Errorf("without a bound: %d edits, %d more", len(w.Edits), w.More)
	}
}

// A brief is compared by its bytes first; a text is shown by lines.
func TestRawInputs(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const brief = "briefs/landing.md"
	before, after := "# Landing\n\nCalm.\n", "# Landing\n\nLoud.\n"
	g.Write(brief, before)
	first := g.Commit("a brief")
	g.Write(brief, after)
	left := g.Commit("louder")
	q := Question{Input: brief, Recorded: canonical.RawHash([]byte(before)), Modes: Raw | Canonical}
	w := g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", "")
	if w.Unified != "--- briefs/landing.md\n+++ briefs/landing.md\n@@ -1,3 +1,3 @@\n # Landing\n \n-Calm.\n+Loud.\n" || w.Edits != nil {
		t.Errorf("got %q, %+v", w.Unified, w.Edits)
	}

	// Structured, and recorded by its bytes: a change of format alone is shown by lines.
	g.Write("brief.yml", one)
	first = g.Commit("a structured brief")
	g.Write("brief.yml", oneAgain)
	left = g.Commit("formatting")
	q = Question{Input: "brief.yml", Recorded: canonical.RawHash([]byte(one)), Modes: Raw | Canonical}
	w = g.finder(Options{}).Why(context.Background(), q)
	want(t, w, first, left, "", "")
	if w.Edits != nil || !strings.Contains(w.Unified, "+# the same value\n") {
		t.Errorf("got %q, %+v", w.Unified, w.Edits)
	}
}

// What holds is what the kind calls the same value: a change of something else in the
// file, before or after, is not named (issue 16: keys of a file).
func TestHolds(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const config, was = "config.yml", "model: m-1\njobs: 1\n"
	g.Write(config, was)
	g.Commit("a config")
	g.Write(config, "# why\nmodel: m-1\njobs: 2\n")
	last := g.Commit("jobs")
	g.Write(config, "model: m-2\njobs: 2\n")
	left := g.Commit("another model")
	g.Write(config, "model: m-2\njobs: 3\n")
	g.Commit("more jobs")
	model := func(want string) func(content []byte) bool {
		return func(content []byte) bool {
			return strings.HasPrefix(strings.TrimPrefix(string(content), "# why\n"), "model: "+want+"\n")
		}
	}
	q := Question{Input: config, Recorded: canonical.RawHash([]byte(was)), Modes: Raw, Holds: model("m-1"), Key: "model"}
	f := g.finder(Options{})
	want(t, f.Why(context.Background(), q), last, left, "", "")
	q.Holds = model("m-2")
	if w := f.Why(context.Background(), q); w.Since != nil || w.Recorded != nil {
		t.Errorf("it holds, and yet: %+v", w)
	}
	// Other keys of the same file are another question.
	q.Holds, q.Key = func([]byte) bool { return false }, "none"
	if w := f.Why(context.Background(), q); w.Recorded != nil || w.Since != nil {
		t.Errorf("got %+v", w)
	}
}

// Of a file with many keys, only the edits of those that are pinned are shown; where none of
// them is, all are (issues 15 and 16).
func TestWithin(t *testing.T) {
	t.Parallel()
	edits := []verify.Edit{{Path: "train.lr"}, {Path: "train.layers[0]"}, {Path: "training"}, {Path: "model"}, {Path: "seed"}}
	for _, tc := range []struct{ keys, want string }{
		{"train", "train.lr train.layers[0]"}, {"train.lr", "train.lr"}, {"train.layers.0.size", "train.layers[0]"},
		{"model,seed", "model seed"}, {"none", ""}, {"", ""},
	} {
		var got []string
		for _, e := range within(edits, tc.keys) {
			got = append(got, e.Path)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%q: got %q, want %q", tc.keys, got, tc.want)
		}
	}
}

// Everything is passed on as it is, but bounded.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const input = "tok\x1b[2Jens/a\n|`b.yml"
	g.Env = append(g.Env, "GIT_AUTHOR_NAME=<script>\x1b[31m")
	g.Write(input, one)
	first := g.Commit("a token")
	g.Write(input, two)
	left := g.Commit("::error::" + strings.Repeat("x", 5000))
	w := g.finder(Options{}).Why(context.Background(), Question{Input: input, Recorded: hash(t, one), Modes: Canonical})
	want(t, w, first, left, "", "")
	if w.Since.Path != input || !strings.HasPrefix(w.Since.Subject, "::error::xxx") || len(w.Since.Subject) > verify.MaxValue || !strings.Contains(w.Since.Author, "\x1b[31m") {
		t.Errorf("got %+v", w.Since)
	}
	for _, name := range []string{"../x", "/etc/passwd", ".git/config", ""} {
		w := g.finder(Options{}).Why(context.Background(), Question{Input: name, Evidence: name, Recorded: hash(t, one), Modes: Canonical})
		if w.Case != verify.CaseUnavailable || w.Recorded != nil {
			t.Errorf("%q: got %+v", name, w)
		}
	}
}

// One walk serves all sidecars that share an input, and each blob is hashed once.
func TestOneWalkServesAll(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	texts := []string{one, two, three, one, two, "id: last\n"}
	for _, text := range texts {
		g.Write(token, text)
		g.Commit("c")
	}
	f := g.finder(Options{})
	var wg sync.WaitGroup
	for range 4 {
		for _, text := range texts[:5] {
			wg.Go(func() {
				if w := f.Why(context.Background(), Question{Input: token, Recorded: hash(t, text), Modes: Canonical}); w.Since == nil {
					t.Errorf("%s: got %+v", text, w)
				}
			})
		}
	}
	wg.Wait()
	// one, two and three stand in the versions 4, 5 and 3: nobody had to look further.
	if n := f.histories.Of(token).Visited(); n != 4 || len(f.sums) != 4 {
		t.Errorf("%d commits, %d hashes", n, len(f.sums))
	}
}

func TestPullRequestNumbers(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]int{
		"Two colours (#12)": 12, "Merge pull request #34 from ada/x": 34, `Revert "Two colours (#12)" (#15)`: 15,
		`Revert "Two colours (#12)"`: 0, "fix #12": 0, "(#12) first": 0, "(#)": 0, "(#99999999999999999999)": 0,
		"Merge pull request #1x from": 0, "": 0, "Merge branch 'x (#3)' into main": 0,
	} {
		if got := pullRequest(subject); got != want {
			t.Errorf("%q: got %d, want %d", subject, got, want)
		}
	}
}

// manyCommits is a history of n commits; the token leaves one after the first of
// them, then changes every 50th.
func manyCommits(t testing.TB, n int) *gitRepo {
	g := newGitRepo(t)
	var b strings.Builder
	for i := range n {
		name, text := fmt.Sprintf("dir%d/file%d", i%20, i%200), fmt.Sprint(i)
		if i%50 == 0 {
			name, text = token, fmt.Sprintf("id: swiss\nversion: %d\n", i)
		}
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter G <g@example.org> %d +0000\ndata <<EOT\ncommit %d\nEOT\nM 100644 inline %s\ndata <<EOT\n%s\nEOT\n",
			1_700_000_000+i, i, name, text)
	}
	g.GitWith(b.String(), "fast-import", "--quiet", "--force")
	g.Git("reset", "-q", "--hard", "main")
	return g
}

func TestAHistoryOf5000Commits(t *testing.T) {
	t.Parallel()
	g := manyCommits(t, 5000)
	w := g.why("id: swiss\nversion: 0\n")
	want(t, w, g.Git("rev-parse", "HEAD~4999"), g.Git("rev-parse", "HEAD~4949"), "", "")
	if w.Since.Subject != "commit 50" {
		t.Errorf("got %+v", w.Since)
	}
	want(t, g.why("id: never\n"), "", "", verify.CaseNeverMatched, "no commit of this history has the recorded version")
}

// The proof of issue 5 asks for under 2 seconds.
func BenchmarkWhyIn5000Commits(b *testing.B) {
	g := manyCommits(b, 5000)
	q := g.question("id: swiss\nversion: 0\n")
	for b.Loop() {
		if w := g.finder(Options{}).Why(context.Background(), q); w.Since == nil {
			b.Fatal(w)
		}
	}
}

// A question about one key is answered with what changed there, in what is below it, or in
// what holds it; the whole difference is made once.
func TestKey(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	const input = "params.yaml"
	before := "lr: 0.1\nlrs: 1\ntrain:\n  n: [1, {y: 2}]\n  m: 3\n"
	g.Write(input, before)
	first := g.Commit("parameters")
	g.Write(input, "lr: 0.2\nlrs: 2\ntrain:\n  n: [1, {y: 4}]\n  m: 5\n")
	left := g.Commit("others")
	f := g.finder(Options{MaxEdits: 100})
	for key, want := range map[string][]string{
		"lr": {"lr"}, "train.n.1.y": {"train.n[1].y"}, "train": {"train.m", "train.n[1].y"}, "train.n": {"train.n[1].y"},
		"": {"lr", "lrs", "train.m", "train.n[1].y"}, "gone": {"lr", "lrs", "train.m", "train.n[1].y"},
	} {
		asked := 0
		w := f.Why(context.Background(), Question{Input: input, Modes: Raw | Canonical, Key: key, Holds: func(content []byte) bool {
			asked++
			return string(content) == before
		}})
		if w.Recorded == nil || w.Recorded.Commit != first || w.Since == nil || w.Since.Commit != left || asked == 0 {
			t.Errorf("%q: got %+v", key, w)
		}
		var got []string
		for _, e := range w.Edits {
			got = append(got, e.Path)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", key, got, want)
		}
	}
	if len(f.differ) != 1 {
		t.Errorf("compared %d times", len(f.differ))
	}
}
