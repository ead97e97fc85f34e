package judge

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Side is one state of the files.
type Side struct {
	Tree *verify.Tree
	// Unusable are the paths of files that can't be opened by their name; any bytes.
	Unusable []string

	known func(ctx context.Context, items []verify.Item) []*verify.Result // see Known; nil for nothing
}

// Base is a state before the change, and how the head differs from it.
type Base struct {
	Side
	// Differs says what happened to what a read asks for, such as "tokens/x.yml was
	// changed"; empty when both trees give the same. It answers for links on the way,
	// and for submodules above.
	Differs func(verify.Read) string
	// Renamed gives for a path of the head where git's rename detection finds it on the
	// base.
	Renamed map[string]string
}

// Kind is a format with the globs that are in force for it on either side.
type Kind struct {
	verify.Format
	Globs []string
	// Configured are those of Globs that settings name: what lies there is evidence,
	// with its kind's marks or without.
	Configured []string
}

// Question is what to judge.
type Question struct {
	Head Side
	// Bases are the merge bases, the best known first. None: the base is unknown.
	Bases []Base
	Kinds []Kind
	// Named narrows the judgement to these paths; nil is all evidence.
	Named []string
	// Ignore leaves files of the head and of the bases out that are nobody's evidence: the
	// gate's own output. Nil leaves out none.
	Ignore func(path string) bool
	// Now is the one time that both sides are judged at.
	Now    time.Time
	Strict bool
	// Brief only names evidence that holds and that nothing touches which differs from a
	// base. There may be a hundred thousand times as much of it as is listed.
	Brief bool
	// Moved are declared moves of inputs, old path to new.
	Moved map[string]string
	// At says what the inputs of evidence are held against; empty means [AtCurrent].
	At At
	// Then gives the tree of the commit that evidence records, with the evidence and what
	// it vouches for as they are now, or says why it can't be had. It is only asked where
	// At or a claim depends on it; nil is the same as none.
	Then func(ctx context.Context, now *verify.Tree, r *verify.Result) (tree *verify.Tree, whyNot string)
	// Held finds a commit of the history in which a row held that can't tell whether it does
	// ([verify.Check.Unproven]); empty if there is none, or none is at hand. Nil finds none.
	Held func(ctx context.Context, e *Account, row *Row) (commit string)
	// Secret reports whether a recorded text holds what looks like a secret, which may be
	// masked afterwards; nil for nothing does.
	Secret func(text string) bool
	// Progress is told how far the work is; nil for nobody.
	Progress func(stage string, done, total int)
}

// At says which state of its inputs evidence is held against.
type At string

// The states.
const (
	AtCurrent  At = "current"  // claims against the tree, records are superseded
	AtTree     At = "tree"     // the tree
	AtRecorded At = "recorded" // the commit that the evidence records
	AtEither   At = "either"   // the tree, or else that commit
)

// Row is a check with what the comparison with the base adds to it.
type Row struct {
	verify.Check
	// Attribution is set on a FAIL, and Fixed on a row that fails on the base only.
	Attribution verify.Attribution
	// HeldAt is the commit of the history that made an unproven row a FAIL: no tree of either
	// side tells so.
	HeldAt string
	// Accepted says that people have accepted it, which would fail, and Acceptance who did,
	// until when, and why.
	Accepted   bool
	Acceptance string
}

// Account is what was found about one piece of evidence.
type Account struct {
	Path string
	// OldPath is where it lay on the base, when that is another path.
	OldPath string
	Format  verify.Format
	// Head is the verdict on the head; for removed evidence that on the base.
	Head *verify.Result
	// Tree is the state that Head was judged in.
	Tree *verify.Tree
	// Bases are the verdicts on the bases, nil where it was not there. A base on which
	// everything it rests on is the same has the head's.
	Bases []*verify.Result
	Rows  []Row
	// Affected says what of the change touches it; empty when nothing does.
	Affected string
	// Own says that the change touches the evidence itself.
	Own     bool
	Removed bool
	// BaseLost says why its version on the base could not be read.
	BaseLost string
	// Superseded is the evidence that has taken over every claim of this one, which is
	// thus a record.
	Superseded string

	// Peers are other evidence that rows about claims rest on: what took over, or what was
	// taken over.
	Peers []string

	raw string // the path as git has it, of a file that can't be opened
}

// Raw is the path as git has it, in any bytes, of a file that can't be opened by its
// name; empty for every other.
func (e *Account) Raw() string { return e.raw }

// Judgement is what was found about all evidence of both sides.
type Judgement struct {
	// Evidence is sorted by path.
	Evidence []Account
	// Held is evidence that holds and rests on nothing that differs from a base, which is not
	// among Evidence where the judgement is brief. Sorted.
	Held []Held
	// Others are files at default globs without the marks of the kind: some other
	// tool's. Sorted.
	Others []string
	// Narrowed says that only named evidence was judged.
	Narrowed bool
	// Lost says why a side could not be listed, so that nobody knows what evidence there is;
	// empty when all could.
	Lost string
	// BaseKnown says that there was a base to compare with.
	BaseKnown bool
	// BaseLost is the first file of a base that could not be read, with the reason;
	// empty when none was missed.
	BaseLost string
}

// Held names evidence of which there is nothing more to say.
type Held struct {
	Path   string
	Format verify.Format
}

// Judge judges all evidence of the head and of each base, with the same code, and
// compares. It stops at nothing: what could not be judged is a row.
func Judge(ctx context.Context, q Question) *Judgement { return List(q).Judge(ctx, nil) }

// Judge judges what is listed, but for what is known; once.
func (l *Listing) Judge(ctx context.Context, known Known) *Judgement {
	q, head, bases := l.question.knowing(known), l.head, l.bases
	head.brief = q.Brief && len(q.Bases) > 0 && q.At != AtRecorded && q.At != AtEither
	judged := q.sift(ctx, "checking evidence", q.Head, &head)
	fromBases := make([][]string, len(bases))
	for i, b := range q.Bases {
		bases[i].like = &head
		bases[i].follow(&head, b.Differs)
		fromBases[i] = q.sift(ctx, "checking the base", b.Side, &bases[i])
	}
	for i := range bases {
		head.adopt(bases[i])
	}
	q.judgeSide(ctx, "checking evidence", q.Head, &head, judged)
	j := &Judgement{BaseKnown: len(q.Bases) > 0, Narrowed: q.Named != nil}
	for _, f := range append([]found{head}, bases...) {
		j.Lost = cmp.Or(j.Lost, f.lost)
	}
	p := pass{Question: q, ctx: ctx, head: &head, bases: bases, out: j, runs: make(map[string]left)}
	p.judgeBases(fromBases)
	p.judgeThen()
	p.compare()
	p.relate()
	j.Held, j.Others = head.holding(), head.others()
	slices.SortStableFunc(j.Evidence, func(a, b Account) int { return cmp.Compare(a.Path, b.Path) })
	return j
}

// pass is one judgement under way.
type pass struct {
	Question
	ctx   context.Context
	head  *found
	bases []found
	out   *Judgement
	// seen is what the relations of the evidence at hand have read; see noted.
	seen []*verify.Reads
	// unpaired says what could not be had to find the pairs of evidence.
	unpaired string
	// runs are made when new evidence asks; see runsLeft.
	runs map[string]left
	// renamed is Renamed the other way round, when evidence is gone.
	renamed map[string]string
	// contents are the head's files by content, for an ending; see copyOf.
	contents map[string]map[string]string
	// readersOf is made when evidence is gone; see readers.
	readersOf map[string]string
}

// sift judges what shows by its marks whether it is evidence, in the same pass that looks for
// them, and returns what was.
func (q *Question) sift(ctx context.Context, stage string, side Side, f *found) []string {
	return q.verify(ctx, stage, side, f, slices.Sorted(maps.Keys(f.sifted)))
}

// judgeSide judges what is left in the queue of a side, and what evidence that was judged
// refers to: that is evidence too, marks or not.
func (q *Question) judgeSide(ctx context.Context, stage string, side Side, f *found, judged []string) {
	for {
		judged = append(judged, q.verify(ctx, stage, side, f, f.queue)...)
		f.queue = nil
		f.referred(judged)
		if judged = nil; len(f.queue) == 0 {
			return
		}
	}
}

// outcome is what was found about a file, or what is kept of it: no result, and its claims.
type outcome struct {
	kind   string
	result *verify.Result
	claims []verify.Claim
}

// verify judges the files at some paths, and returns those that are evidence, but for what
// is held.
func (q *Question) verify(ctx context.Context, stage string, side Side, f *found, paths []string) []string {
	items := make([]verify.Item, len(paths))
	for i, path := range paths {
		items[i] = verify.Item{Path: path, Format: f.formats[path], Among: f.sifted[path]}
	}
	before, total := len(f.results), len(f.results)+len(items)
	en := verify.Engine{Now: q.Now, Strict: q.Strict, Progress: func(done int) { q.Progress(stage, before+done, total) }}
	all := make([]outcome, len(items))
	side.each(ctx, en, items, func(i int, r *verify.Result) {
		f.share(r)
		if all[i] = (outcome{kind: r.Kind, result: r}); f.brief && q.untouched(r) && !f.mayRefer(r) {
			all[i] = outcome{kind: r.Kind, claims: keptClaims(r.Claims)}
		}
	})
	judged := paths[:0:0]
	for i, path := range paths {
		switch o := all[i]; {
		case items[i].Format == nil && !f.sort(path, o.kind):
		case o.result == nil:
			f.held[path] = o.claims
		default:
			f.results[path] = o.result
			judged = append(judged, path)
		}
	}
	return judged
}

// judgeBases judges what lies on the bases. Where everything that a verdict on the head
// rests on is the same on a base, that is the verdict there. What was judged there already
// is named.
func (p *pass) judgeBases(judged [][]string) {
	p.unhold()
	for i := range p.bases {
		f, b := &p.bases[i], p.Bases[i]
		looked := make(map[*verify.Reads]bool)
		differs := func(r verify.Read) bool { return b.Differs(r) != "" }
		f.queue = slices.DeleteFunc(f.queue, func(path string) bool {
			if _, held := p.head.held[path]; held {
				return true
			}
			r := p.head.results[path]
			if r == nil || f.formats[path].Kind() != p.head.formats[path].Kind() || r.Reads == nil || r.Reads.Any(looked, differs) {
				return false
			}
			f.results[path] = r
			judged[i] = append(judged[i], path) // what it refers to there is evidence there, too
			return true
		})
		p.judgeSide(p.ctx, "checking the base", b.Side, f, judged[i])
	}
}
