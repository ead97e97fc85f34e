//go:build unix

package timeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify"
)

// sketch is a timeline in a few words: a line for each lane with the subjects of its
// versions, then a line for each pin with the version that it is at.
func sketch(t *verify.Timeline) string {
	var b strings.Builder
	for _, l := range t.Lanes {
		b.WriteString(l.Input + ":")
		for _, v := range l.Versions {
			fmt.Fprintf(&b, " [%s", t.Commits[v.Commit].Subject)
			if v.Path != "" {
				b.WriteString(" as " + v.Path)
			}
			if v.Deleted {
				b.WriteString(" deleted")
			}
			b.WriteString("]")
		}
		if l.Missing {
			b.WriteString(" missing")
		}
		if l.Note != "" {
			b.WriteString(" (" + l.Note + ")")
		}
		b.WriteString("\n")
		for _, p := range l.Pins {
			fmt.Fprintf(&b, "  %s %s %d", p.Evidence, p.Role, p.Version)
			if p.Drift {
				b.WriteString(" drift")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got = strings.TrimSpace(got); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Issue 5, "History at a glance": for each input its versions over time, and which
// evidence pins which version. A version with the same parsed value still has the
// hash, and the newest one counts.
func TestWhichEvidencePinsWhichVersion(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Write("b.yml", "y: 1\n")
	g.pin("old.pin", "a.yml", "x: 1\n")
	g.pin("sub/b.pin", "b.yml", "y: 1\n")
	g.Commit("first")
	g.Write("a.yml", "# a comment\nx: 1\n")
	g.Commit("comment")
	g.Write("unrelated", "z")
	g.Commit("unrelated")
	g.Write("a.yml", "x: 2\n")
	g.pin("new.pin", "a.yml", "x: 2\n")
	g.pin("never.pin", "a.yml", "x: 9\n")
	g.Commit("second")
	tl := g.build(Options{})
	same(t, sketch(tl), `
a.yml: [first] [comment] [second]
  never.pin token -1 drift
  new.pin token 2
  old.pin token 1 drift
b.yml: [first]
  sub/b.pin token 0`)
	if len(tl.Commits) != 3 || tl.Head != g.Git("rev-parse", "HEAD") {
		t.Errorf("%d commits, head %s", len(tl.Commits), tl.Head)
	}
	if c := tl.Commits[2]; c.Author != "Ada" || c.Subject != "second" || c.Commit != tl.Head || !c.Date.Equal(time.Unix(int64(g.At), 0)) {
		t.Errorf("commit %+v", c)
	}
}

// A revert brings a recorded value back; a rename is followed; what is deleted is
// missing, and its versions are found.
func TestRevertRenameDelete(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Write("old/name.yml", "y: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	g.Write("gone.yml", "z: 1\n")
	g.pin("e.pin", "a.yml", "x: 1\n")
	g.Commit("first")
	g.Write("a.yml", "x: 2\n")
	g.Commit("drift")
	g.Write("a.yml", "x: 1\n")
	g.Git("mv", "old/name.yml", "name.yml")
	g.Commit("revert and rename")
	g.Git("rm", "-q", "gone.yml")
	g.pin("f.pin", "name.yml", "y: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	g.pin("g.pin", "gone.yml", "z: 1\n")
	g.Commit("delete")
	same(t, sketch(g.build(Options{})), `
a.yml: [first] [drift] [revert and rename]
  e.pin token 2
gone.yml: [first] [delete deleted] missing
  g.pin token 0 drift
name.yml: [first as old/name.yml] [revert and rename]
  f.pin token 1`)
}

// The work tree does not count, and neither does what only other commits have.
func TestTheHeadCounts(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.pin("e.pin", "a.yml", "x: 1\n")
	g.Commit("first")
	g.Write("a.yml", "x: 2\n")
	g.pin("other.pin", "a.yml", "x: 2\n")
	same(t, sketch(g.build(Options{})), "a.yml: [first]\n  e.pin token 0")
}

// A work tree may hold what no commit has: evidence that is recorded anew, of an edit
// that is not committed yet, is at none of the versions.
func TestUncommitted(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Commit("first")
	r := g.open()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	results := []verify.Result{{Path: "e.pin", Inputs: []verify.Input{{Role: "token", Path: "a.yml", Hash: hash(t, "x: 2\n")}},
		Checks: []verify.Check{{Status: verify.OK, Input: "a.yml", Recorded: hash(t, "x: 2\n")}}}}
	tl, err := New(r, r.Histories(head, repo.HistoryOptions{}), Options{Uncommitted: true}).Build(context.Background(), results)
	if err != nil {
		t.Fatal(err)
	}
	same(t, sketch(tl), "a.yml: [first]\n  e.pin token -1")
}

// A path that no tree can hold has no history, and is no error.
func TestHostilePaths(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Write("e.pin", "token .git/config "+hash(t, "x: 1\n"))
	g.Commit("first")
	same(t, sketch(g.build(Options{})), ".git/config: missing (no commit can hold a file at this path)\n  e.pin token -1 drift")
}

// A clone that lost objects says so, or is an error to who asks for no gaps.
func TestLostObjects(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Commit("first")
	blob := g.Git("rev-parse", "HEAD:a.yml")
	g.Write("a.yml", "x: 2\n")
	g.pin("e.pin", "a.yml", "x: 1\n")
	g.Commit("second")
	if err := os.Remove(filepath.Join(g.Dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	same(t, sketch(g.build(Options{})), "a.yml: [first] [second] (not every version is available (partial clone: objects are missing))\n  e.pin token -1 drift")
	if _, err := g.try(context.Background(), 0, Options{NoGaps: true}); !errors.Is(err, repo.ErrMissingObject) {
		t.Errorf("no gaps: %v", err)
	}
}

// The verdict on the head is taken over from the kind of evidence, which may have a
// hash of its own.
func TestVerdictIsTakenOver(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Write("e.pin", "config a.yml own")
	g.Commit("first")
	same(t, sketch(g.build(Options{})), "a.yml: [first]\n  e.pin config 0")
}

func TestInput(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a.yml", "x: 1\n")
	g.Write("b.yml", "x: 1\n")
	g.Write("e.pin", "token a.yml "+hash(t, "x: 1")+"\nbrief b.yml "+hash(t, "x: 1"))
	g.Commit("first")
	same(t, sketch(g.build(Options{Input: "b.yml"})), "b.yml: [first]\n  e.pin brief 0")
	_, err := g.try(context.Background(), 0, Options{Input: "c.yml"})
	if !errors.Is(err, ErrNotPinned) {
		t.Errorf("an input that nothing pins: %v", err)
	}
}

func TestBoundsAreSaid(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for i := range 4 {
		g.Write("a.yml", fmt.Sprintf("x: %d\n", i))
		if i == 3 {
			g.pin("e.pin", "a.yml", "x: 0\n")
		}
		g.Commit(fmt.Sprint("c", i))
	}
	same(t, sketch(g.bounded(2, Options{})), "a.yml: [c2] [c3] (older history was not read (2 commits visited))\n  e.pin token -1 drift")
	if got := sketch(g.build(Options{MaxTime: time.Nanosecond})); !strings.HasPrefix(got, "a.yml: (") {
		t.Errorf("without time: %s", got)
	}
	// A bound that was met exactly left nothing out.
	r := g.open()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	b := New(r, r.Histories(head, repo.HistoryOptions{}), Options{})
	for max, want := range map[int]string{4: "", 3: "older history was not read (more than 20000 versions of all inputs)"} {
		if list, note, err := b.versions(t.Context(), "a.yml", max); len(list) != max || note != want || err != nil {
			t.Errorf("%d: got %d, %q, %v", max, len(list), note, err)
		}
	}
	clone := &gitRepo{gittest.In(t, t.TempDir())}
	clone.Git("clone", "-q", "--depth=2", "file://"+g.Dir, ".")
	same(t, sketch(clone.build(Options{})), "a.yml: [c2] [c3] (older history is not available (shallow clone: 2 commits))\n  e.pin token -1 drift")
}

func TestErrors(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("e.pin", "token a.yml x")
	g.Commit("first")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.try(ctx, 0, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if tl := g.build(Options{}); len(tl.Lanes) != 1 || !tl.Lanes[0].Missing || len(tl.Lanes[0].Versions) != 0 {
		t.Errorf("an input that never was: %+v", tl.Lanes)
	}
}

// No commit stands before one that it descends from, whatever their dates and files;
// dates order the rest.
func TestCommitsInLine(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	start := g.At
	commit := func(at int, subject string, files ...string) {
		for _, name := range files {
			g.Write(name, "x: "+subject+"\n")
		}
		g.At = start + at - 1 // Commit adds one
		g.Commit(subject)
	}
	for _, name := range []string{"a.yml", "b.yml"} {
		g.pin(name+".pin", name, "x: one\n")
	}
	commit(0, "one", "a.yml", "b.yml")
	commit(900, "two", "a.yml")
	commit(500, "three", "b.yml") // by a clock that is behind
	g.Git("checkout", "-q", "-b", "side", "HEAD~1")
	commit(700, "side", "a.yml")
	g.Git("checkout", "-q", "main")
	g.At = start + 950
	g.Git("merge", "-q", "-X", "theirs", "-m", "merge", "side")
	tl := g.build(Options{})
	var subjects []string
	for _, c := range tl.Commits {
		subjects = append(subjects, c.Subject)
	}
	if got := strings.Join(subjects, " "); got != "one two three side" {
		t.Error(got)
	}
	if got := g.Git("log", "--reverse", "--date-order", "--format=%s"); got != "one\ntwo\nthree\nside\nmerge" {
		t.Errorf("git says %q", got)
	}
}

// A commit beyond what is looked at is older than all that is.
func TestMerge(t *testing.T) {
	t.Parallel()
	v := func(name string, date int64) repo.Version {
		return repo.Version{Commit: repo.Commit{Hash: name, Subject: name, When: time.Unix(date, 0)}}
	}
	commits, at := merge([][]repo.Version{{v("d", 9), v("b", 1)}, {v("c", 5), v("b", 1), v("a", 5)}}, map[string]int{"b": 7, "a": 8})
	var names []string
	for i, c := range commits {
		names = append(names, c.Commit)
		if at[c.Commit] != i {
			t.Errorf("%s is said to be at %d", c.Commit, at[c.Commit])
		}
	}
	if got := strings.Join(names, " "); got != "c d b a" {
		t.Error(got)
	}
}

// A hash that only its kind knows is found by asking it; what git never held, and the
// verdict does not miss, has no lane.
func TestHashesOfAKind(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("in.txt", "four")
	g.Write("run.pin", "token in.txt length-4\ndata far.bin own\n")
	g.Commit("a run")
	g.Write("in.txt", "five!")
	g.Commit("longer")
	g.Write("in.txt", "sixsix")
	g.Commit("longer still")
	asked := func(_ *verify.Result, in verify.Input) func([]byte) bool {
		if in.Hash != "length-4" {
			return nil
		}
		return func(content []byte) bool { return len(content) == 4 }
	}
	same(t, sketch(g.build(Options{Recall: asked})), `
in.txt: [a run] [longer] [longer still]
  run.pin token 0 drift`)
	same(t, sketch(g.build(Options{})), `
in.txt: [a run] [longer] [longer still]
  run.pin token -1 drift`)
}
